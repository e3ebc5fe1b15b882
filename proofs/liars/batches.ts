/**
 * Batches that were carried out and whose responses are about something else.
 *
 * @module
 */

import { resultsOf } from '../faults/combinators/batch.ts'
import { type JsonValue, json, on, tamper } from '../faults/combinators/combinators.ts'
import { breaksOff, every, liarRecord } from './combinators.ts'
import { liar } from './liar.ts'

const checks = ['batch.order', 'batch.across-tables', 'batch.mixes-methods', 'batch.parent-with-children']

liar(
  'a batch answers in another order',
  { says: 'The entries of the response to a batch are in reverse order.', checks },
  () => tamper('batch', (body) => (Array.isArray(body) ? body.toReversed() : body)),
)

liar(
  'a batch names other records',
  { says: 'Each entry of the response to a batch has the id of a record that was there before.', checks },
  ({ foreign }) =>
    on('batch', async (request, next) => {
      const entries = resultsOf(await request.clone().text())
      const response = await next(request)
      const responses = response.ok ? ((await response.clone().json()) as JsonValue[]) : undefined
      if (!Array.isArray(responses)) return response
      const named = responses.map((answer, at) => {
        const [, table] = /\/collections\/([^/]+)\//.exec(String(entries[at]?.url)) ?? []
        return { ...answer, body: { ...(answer.body as object), id: foreign.next(table) } }
      })
      return json(200, named)
    }),
)

liar(
  'an update in a batch returns the newest record of another client',
  {
    says: 'At every update in a batch, another client creates a record, and the response is that record.',
    checks,
    bare: true,
  },
  (tools) =>
    on('batch', async (request, next) => {
      const entries = resultsOf(await request.clone().text())
      const response = await next(request)
      const responses: unknown = response.ok ? await response.clone().json() : undefined
      if (!Array.isArray(responses)) return response
      const named = []
      for (const [at, each] of (responses as JsonValue[]).entries()) {
        const [, table = ''] = /\/collections\/([^/]+)\//.exec(String(entries[at]?.url)) ?? []
        if (entries[at]?.method !== 'PATCH') named.push(each)
        else {
          const [{ id = '' }] = await tools.reference.make(table)
          tools.foreign.addedByServer(table, id)
          named.push({ ...each, body: await liarRecord(tools, table, id) })
        }
      }
      return json(200, named)
    }),
)

liar('a batch answers with nothing', { says: 'The response to a batch is an empty list.', checks }, () =>
  tamper('batch', () => []),
)

liar('a batch has no body', { says: 'A batch is carried out and answered with 204.', checks }, () =>
  on('batch', async (request, next) => {
    const response = await next(request)
    return response.ok ? new Response(null, { status: 204 }) : response
  }),
)

liar(
  'a batch fails after it was carried out',
  { says: 'Every second batch is carried out and answered with 500.', checks },
  () => {
    const fails = every(2)
    return on('batch', async (request, next) => {
      const response = await next(request)
      return response.ok && fails() ? json(500, { status: 500, message: 'Failed.', data: {} }) : response
    })
  },
)

liar(
  'the response to a batch does not arrive',
  { says: 'Every third batch is carried out, and then the connection ends without a response.', checks },
  () => breaksOff('batch', every(3)),
)
