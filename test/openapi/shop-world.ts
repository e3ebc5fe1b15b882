/**
 * The shop as `conformance serve` serves it, with what a customer finds there.
 *
 * @module
 */

import { servedSuperuser as superuser } from '../../scripts/support/served-superuser.ts'
import { readShape } from '../../serve/read-shape.ts'
import { type Serving, type ServingOptions, startServing } from '../../serve/serving.ts'
import { shopTables } from './shop.ts'

/** A customer, a category and 25 products, every second of them on sale. */
export async function serveShop(handlers: ServingOptions['handlers'] = []): Promise<Serving> {
  const records = {
    users: [
      {
        id: 'customer0000001',
        email: 'ann@example.com',
        password: 'secret1234',
        username: 'ann',
        role: 'customer',
      },
    ],
    categories: [{ id: 'category0000001', name: 'Lamps', slug: 'lamps' }],
    products: Array.from({ length: 25 }, (_, at) => ({
      id: `product${String(at).padStart(8, '0')}`,
      title: `Lamp ${at}`,
      price: at + 0.5,
      visible: true,
      tags: at % 2 === 0 ? ['sale'] : [],
      categories: ['category0000001'],
    })),
  }
  return startServing({ data: readShape({ tables: shopTables(), records }), seed: 7, superuser, handlers })
}
