/**
 * Deletes and updates that reach other records, or none.
 *
 * @module
 */

import { servicesOf } from '../../reference/services-of.ts'
import { json, on, tamper } from '../faults/combinators/combinators.ts'
import { asServer, every, liarRecord } from './combinators.ts'
import { type LiarTools, liar } from './liar.ts'

const writes = ['delete.removes', 'update.changes-only-sent', 'update.only-one', 'delete.only-one']

liar(
  'a delete removes two records of the run',
  {
    says: 'One delete in three also removes the record that the run created last in the table.',
    checks: writes,
  },
  (tools) => {
    const when = every(3)
    return on('deleteRecord', async (request, next, { table = '' }) => {
      const response = await next(request)
      if (!response.ok || !when()) return response
      const second = youngestOwn(tools, table)
      if (second !== undefined)
        await asServer(tools, request, 'DELETE', `/collections/${table}/records/${second}`)
      return response
    })
  },
)

liar(
  'a delete also removes another record',
  {
    says: 'The server removes a record that was there before at one delete in ten, on its own.',
    checks: writes,
  },
  (tools) => {
    const when = every(10)
    return on('deleteRecord', async (request, next, { table = '' }) => {
      const response = await next(request)
      const id = tools.foreign.next(table)
      // A record that no other one points to: nothing else changes with it.
      if (!response.ok || !table.startsWith('conf_constrained') || !when()) return response
      tools.foreign.changedByServer(table, id)
      await asServer(tools, request, 'DELETE', `/collections/${table}/records/${id}`)
      return response
    })
  },
)

liar(
  'one delete in five does nothing and says 204',
  { says: 'One delete in five returns 204, and the record stays.', checks: writes, bare: true },
  () => {
    const when = every(5)
    return on('deleteRecord', async (request, next) =>
      when() ? new Response(null, { status: 204 }) : next(request),
    )
  },
)

liar(
  'one delete in five does nothing and says 404',
  { says: 'One delete in five returns 404, and the record stays.', checks: writes, bare: true },
  () => {
    const when = every(5)
    return on('deleteRecord', async (request, next) =>
      when() ? json(404, { status: 404, message: 'Missing.', data: {} }) : next(request),
    )
  },
)

liar(
  'deletes are rejected',
  { says: 'Every delete returns 403, and the record stays.', checks: writes, bare: true },
  () => on('deleteRecord', async () => json(403, { status: 403, message: 'No.', data: {} })),
)

liar(
  'an update names another record',
  { says: 'The response to an update has the id of a record that was there before.', checks: writes },
  ({ foreign }) =>
    tamper('updateRecord', (body, _request, { table }) => ({ ...body, id: foreign.next(table) })),
)

liar(
  'an update returns the newest record of another client',
  {
    says: 'At every update, another client creates a record, and the response to the update is that record.',
    checks: writes,
    bare: true,
  },
  (tools) =>
    on('updateRecord', async (request, next, { table = '' }) => {
      const response = await next(request)
      if (!response.ok) return response
      const [{ id = '' }] = await tools.reference.make(table)
      tools.foreign.addedByServer(table, id)
      return json(200, await liarRecord(tools, table, id))
    }),
)

liar(
  'an update shows another record',
  { says: 'A view after an update shows the id of another record.', checks: writes },
  ({ foreign }) => {
    const updated = new Set<string>()
    return (tools) => {
      const notes = on('updateRecord', async (request, next, { id = '' }) => {
        updated.add(id)
        return next(request)
      })(tools)
      const shows = tamper('viewRecord', (body, _request, { table, id = '' }) =>
        updated.has(id) ? { ...body, id: foreign.next(table) } : body,
      )(tools)
      return (request, next) => shows(request, (each) => notes(each, next))
    }
  },
)

function youngestOwn({ reference, foreign }: LiarTools, name: string): string | undefined {
  const reader = servicesOf(reference).store.current
  const table = reader.table(name)
  if (table === undefined) return undefined
  for (const { id } of reader.scan(table, '-rowid')) if (!foreign.has(name, id)) return id
  return undefined
}
