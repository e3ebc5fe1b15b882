/**
 * Batches that were carried out and whose responses are about something else.
 *
 * @module
 */

import { json, on, tamper } from '../faults/combinators/combinators.ts'
import { batchSays, breaksOff, every, liarRecord } from './combinators.ts'
import { liar } from './liar.ts'

const checks = ['batch.order', 'batch.across-tables', 'batch.mixes-methods', 'batch.parent-with-children']

liar(
  'a batch returns its entries in another order',
  { says: 'The entries of the response to a batch are in reverse order.', checks },
  () => tamper('batch', (body) => (Array.isArray(body) ? body.toReversed() : body)),
)

liar(
  'a batch names other records',
  { says: 'Each entry of the response to a batch has the id of a record that was there before.', checks },
  ({ foreign }) =>
    batchSays((answer, { table }) => ({
      ...answer,
      body: { ...(answer.body as object), id: foreign.next(table) },
    })),
)

liar(
  'an update in a batch returns the newest record of another client',
  {
    says: 'At every update in a batch, another client creates a record, and the response is that record.',
    checks,
    bare: true,
  },
  (tools) =>
    batchSays(async (answer, { method, table }) => {
      if (method !== 'PATCH') return answer
      const [{ id = '' }] = await tools.reference.make(table)
      tools.foreign.addedByServer(table, id)
      return { ...answer, body: await liarRecord(tools, table, id) }
    }),
)

liar('a batch returns an empty list', { says: 'The response to a batch is an empty list.', checks }, () =>
  tamper('batch', () => []),
)

liar('a batch has no body', { says: 'A batch is carried out and returns 204.', checks }, () =>
  on('batch', async (request, next) => {
    const response = await next(request)
    return response.ok ? new Response(null, { status: 204 }) : response
  }),
)

liar(
  'a batch fails after it was carried out',
  { says: 'Every second batch is carried out and returns 500.', checks },
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
