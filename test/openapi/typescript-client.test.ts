/**
 * Proof by a consumer: the description of the shop becomes types, the types compile a strict client, and the client runs
 * against the served shop.
 */

import { execFile } from 'node:child_process'
import { mkdtemp, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import openapiTS, { astToString } from 'openapi-typescript'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type DescribeOptions, describeTables } from '../../openapi/openapi.ts'
import { inFull } from '../../scripts/support/in-full.ts'
import { userEnvironment } from '../../scripts/support/user-environment.ts'
import type { Serving } from '../../serve/serving.ts'
import { compile } from '../support/compile.ts'
import { shopTables } from './shop.ts'
import { serveShop } from './shop-world.ts'

const run = promisify(execFile)
const root = fileURLToPath(new URL('../..', import.meta.url))
const MINUTE = 60_000

const start = `
import createClient from 'openapi-fetch'
import type { components, paths } from './schema.js'

type Schemas = components['schemas']
const client = createClient<paths>({ baseUrl: process.env.BASE_URL ?? '' })
const lines: string[] = []
function found<T>(value: T | undefined, what: string): T {
  if (value === undefined) throw new Error('no ' + what)
  return value
}
`

/** With paths for each table, every request and response has the types of its table. */
const perTable = `${start}
const wrong = await client.POST('/api/v1/collections/users/auth-with-password', {
  body: { identity: 'ann', password: 'wrong' },
})
if ('status' in found(wrong.error, 'error')) lines.push('rejected: ' + wrong.response.status)

const session = found(
  (await client.POST('/api/v1/collections/users/auth-with-password', {
    body: { identity: 'ann@example.com', password: 'secret1234' },
  })).data,
  'session',
)
const email: string = session.record.email
const role: '' | 'customer' | 'clerk' = session.record.role
lines.push(email + ' ' + role)
const headers = { authorization: session.token }

const page = found(
  (await client.GET('/api/v1/collections/products/records', {
    params: { query: { filter: 'tags:each ?= "sale" && price > 10', sort: '-price', perPage: 3, expand: 'categories' } },
  })).data,
  'page',
)
const totals: [number, number] = [page.totalItems, page.totalPages]
lines.push('list: ' + totals.join(' in '))
for (const product of page.items) {
  const tags: ('new' | 'sale' | 'gift' | 'yes')[] = product.tags
  const names: string[] = (product.expand?.categories ?? []).map(({ name }) => name)
  const price: number = product.price
  lines.push([product.title, price, tags.join(), names.join()].join(' '))
  // @ts-expect-error A price is a number.
  product.price satisfies string
  // @ts-expect-error There is no such field.
  product.prize
}

const order = found(
  (await client.POST('/api/v1/collections/orders/records', {
    headers,
    params: { query: { expand: 'customer' } },
    body: { customer: session.record.id, state: 'open', accepted: true },
  })).data,
  'order',
)
const customer: Schemas['UsersRecord'] = found(order.expand?.customer, 'customer')
const collection: 'orders' = order.collectionName
lines.push([collection, order.code.length, customer.username].join(' '))
await client.POST('/api/v1/collections/orders/records', {
  headers,
  // @ts-expect-error "lost" is not an option, and the state is required.
  body: { customer: session.record.id, state: 'lost', accepted: true },
})
// @ts-expect-error A view has no writes.
client.POST('/api/v1/collections/best_sellers/records', {})
// @ts-expect-error Categories are not an auth table.
client.POST('/api/v1/collections/categories/auth-with-password', {})

const lamp = found(page.items[0], 'lamp')
const batch = await client.POST('/api/v1/batch', {
  headers,
  body: {
    requests: [
      { method: 'POST', url: '/api/v1/collections/order_items/records', body: { order: order.id, product: lamp.id, count: 2 } },
      { method: 'POST', url: '/api/v1/collections/reviews/records', body: { product: lamp.id, stars: 5, author: session.record.id } },
      { method: 'PATCH', url: '/api/v1/collections/orders/records/' + order.id, body: { 'total+': 21 } },
    ],
  },
})
for (const entry of found(batch.data, 'batch')) {
  if (entry.status !== 200) continue
  const { body } = entry
  if (body.collectionName === 'order_items') lines.push('count: ' + body.count.toFixed(0))
  else if (body.collectionName === 'orders') lines.push('total: ' + body.total.toFixed(0))
}

const failed = await client.POST('/api/v1/batch', {
  headers,
  body: { requests: [{ method: 'DELETE', url: '/api/v1/collections/reviews/records/nowhere' }] },
})
lines.push('batch: ' + found(failed.error, 'error').message)

const invalid = await client.PATCH('/api/v1/collections/users/records/{id}', {
  headers,
  params: { path: { id: session.record.id } },
  body: { username: 'NOT GOOD' },
})
const problem = found(invalid.error?.data.username, 'problem')
lines.push(problem.code)
const gone = await client.DELETE('/api/v1/collections/users/records/{id}', { headers, params: { path: { id: session.record.id } } })
lines.push('deleted: ' + gone.response.status)
console.log(lines.join('\\n'))
`

const perTableOutput = `rejected: 400
ann@example.com customer
list: 8 in 3
Lamp 24 24.5 sale Lamps
Lamp 22 22.5 sale Lamps
Lamp 20 20.5 sale Lamps
orders 8 ann
count: 2
total: 21
batch: Batch transaction failed.
validation_invalid_format
deleted: 400
`

/** With one set of paths, a record says which table it is of. */
const byParameter = `${start}
const page = found(
  (await client.GET('/api/v1/collections/{table}/records', {
    params: { path: { table: 'products' }, query: { perPage: 1, expand: 'categories' } },
  })).data,
  'page',
)
for (const record of page.items)
  if (record.collectionName === 'products') {
    const price: number = record.price
    lines.push(price + ' ' + record.expand?.categories?.[0]?.slug)
  }
// @ts-expect-error There is no such table.
client.GET('/api/v1/collections/{table}/records', { params: { path: { table: 'prodcuts' } } })
// @ts-expect-error A view has no writes.
client.POST('/api/v1/collections/{table}/records', { params: { path: { table: 'best_sellers' } } })
// @ts-expect-error Not an auth table.
client.POST('/api/v1/collections/{table}/auth-refresh', { params: { path: { table: 'stores' } } })
const session = found(
  (await client.POST('/api/v1/collections/{table}/auth-with-password', {
    params: { path: { table: 'users' } },
    body: { identity: 'ann', password: 'secret1234' },
  })).data,
  'session',
)
if (session.record.collectionName === 'users') lines.push(session.record.username)
const made = await client.POST('/api/v1/collections/{table}/records', {
  params: { path: { table: 'reviews' } },
  headers: { authorization: session.token },
  body: { product: 'product00000001', stars: 4 },
})
lines.push(found(made.data, 'review').collectionName)
console.log(lines.join('\\n'))
`

let folder: string
let serving: Serving

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'shop-client-'))
  await symlink(join(root, 'node_modules'), join(folder, 'node_modules'))
  await writeFile(join(folder, 'package.json'), '{"private":true,"type":"module"}')
  serving = await serveShop()
})
afterAll(async () => {
  await serving?.close()
  await rm(folder, { recursive: true, force: true })
})

const clients = [
  ['per-table', perTable, perTableOutput],
  ['enum', byParameter, '0.5 lamps\nann\nreviews\n'],
] as const

/** `npm test` has time for the one whose types know the most. */
const tested = clients.filter(([paths]) => inFull || paths === 'per-table')

describe.each(tested)('a client with paths "%s"', (paths, program, output) => {
  it(
    'compiles strictly, and runs',
    async () => {
      await write({ paths }, program)
      expect(await compile(folder, ['client.ts'])).toBe('')
      const env = { ...userEnvironment(), BASE_URL: serving.url }
      const { stdout } = await run(process.execPath, ['client.js'], { cwd: folder, env })
      expect(stdout).toBe(output)
    },
    3 * MINUTE,
  )
})

it(
  'does not compile once a field that it uses is gone',
  async () => {
    const tables = shopTables().map((table) => ({
      ...table,
      fields: table.fields?.filter(({ name }) => table.name !== 'products' || name !== 'price') ?? [],
    }))
    await write({ paths: 'per-table' }, perTable, tables)
    expect(await compile(folder, ['client.ts'])).toMatch(/Property 'price' does not exist/)
  },
  3 * MINUTE,
)

async function write(options: DescribeOptions, program: string, tables = shopTables()): Promise<void> {
  const description = describeTables(tables, options)
  const types = astToString(await openapiTS(JSON.parse(JSON.stringify(description))))
  await writeFile(join(folder, 'schema.d.ts'), types)
  await writeFile(join(folder, 'client.ts'), program)
}
