/** The same toy on Hono, which the reference also uses. */

import { serve } from '@hono/node-server'
import { Hono } from 'hono'
import { firstRecords, shownRecord } from './toy-records.mjs'

const records = new Map(
  firstRecords(Number(process.argv[2])).map((record) => [record.id, shownRecord(record)]),
)
const firstPage = [...records.values()].slice(0, 30)

const app = new Hono()
app.get('/api/collections/posts/records', (c) =>
  c.json({ page: 1, perPage: 30, totalItems: records.size, items: firstPage }),
)
app.get('/api/collections/posts/records/:id', (c) => c.json(records.get(c.req.param('id'))))
app.post('/api/collections/posts/records', async (c) => {
  const record = shownRecord({ id: `created${records.size}`, ...(await c.req.json()) })
  records.set(record.id, record)
  return c.json(record)
})
serve({ fetch: app.fetch, port: 0, hostname: '127.0.0.1' }, ({ port }) =>
  console.log(`toy at http://127.0.0.1:${port}`),
)
