/**
 * Creates whose response is about another record, and creates that do not create.
 *
 * @module
 */

import { json } from '../faults/combinators/combinators.ts'
import { asServer, createEnds, createFinds, createSays, every, liarRecord } from './combinators.ts'
import { liar } from './liar.ts'

liar(
  'a create names another record',
  { says: 'The response to every create has the id of a record that was there before.', bare: true },
  ({ foreign }) => createSays((body, { table }) => ({ ...body, id: foreign.next(table) })),
)

liar(
  'one create in five names another record',
  { says: 'One response to a create in five has the id of a record that was there before.', bare: true },
  ({ foreign }) => createSays((body, { table }) => ({ ...body, id: foreign.next(table) }), every(5)),
)

liar(
  'a create shows another record',
  { says: 'The response to one create in three is another record, whole and as it is stored.' },
  (tools) =>
    createEnds(async (body, { table = '' }) => {
      const other = await liarRecord(tools, table, tools.foreign.next(table))
      return json(200, other ?? body)
    }, every(3)),
)

liar(
  'the Location of a create points to another record',
  {
    says: 'A create returns 201, no body, and the Location of a record that was there before.',
    bare: true,
  },
  ({ foreign, prefix }) =>
    createEnds((_body, { table }, origin) => {
      const location = `${origin}${prefix}/collections/${table}/records/${foreign.next(table)}`
      return new Response(null, { status: 201, headers: { location } })
    }),
)

liar(
  'one Location in five points to another record',
  {
    says: 'Creates have no body and the Location of their record; one in five has that of another record.',
  },
  ({ foreign, prefix }) => {
    const lies = every(5)
    return createEnds(({ id }, { table }) => {
      const named = lies() ? foreign.next(table) : id
      const location = `${prefix}/collections/${table}/records/${named}`
      return new Response(null, { status: 201, headers: { location } })
    })
  },
)

liar(
  'body and Location of a create disagree',
  { says: 'The body of a create has no id, and its Location is another record.' },
  ({ foreign, prefix }) =>
    createEnds(({ id: _id, ...body }, { table }) => {
      const response = json(200, body)
      response.headers.set('location', `${prefix}/collections/${table}/records/${foreign.next(table)}`)
      return response
    }, every(2)),
)

liar(
  'a create returns another record with the values that were sent',
  {
    says: 'An upsert that does not write: a create returns an existing record with the values that were sent.',
  },
  (tools) =>
    createFinds(async (sent, { table = '' }) => {
      const other = await liarRecord(tools, table, tools.foreign.next(table))
      return other === undefined ? undefined : { ...other, ...sent, id: other.id }
    }, every(2)),
)

liar(
  'first or create: always an existing record',
  { says: 'A create never creates and returns a record that was there before.' },
  (tools) => createFinds((_sent, { table = '' }) => liarRecord(tools, table, tools.foreign.next(table))),
)

liar(
  'first or create: one in five exists',
  { says: 'One create in five creates nothing and returns a record that was there before.', bare: true },
  (tools) =>
    createFinds((_sent, { table = '' }) => liarRecord(tools, table, tools.foreign.next(table)), every(5)),
)

liar(
  'first or create: by a natural key',
  {
    says: 'A create finds the record with the same number, bool or select, and creates only where none has it.',
  },
  (tools) =>
    createFinds(async (sent, { table = '' }) => {
      const keys = Object.entries(sent).filter(
        ([key, value]) => key === 'select' || typeof value === 'number' || typeof value === 'boolean',
      )
      if (keys.length === 0) return undefined
      for (const id of tools.foreign.ids(table)) {
        const record = await liarRecord(tools, table, id)
        if (record !== undefined && keys.every(([key, value]) => record[key] === value)) return record
      }
      return undefined
    }),
)

liar(
  'first or create: the record created last',
  { says: 'One create in five creates nothing and returns the record that the run created before.' },
  (tools) => {
    const last = new Map<string, string>()
    const remembers = createSays((body, { table = '' }) => {
      last.set(table, String(body.id))
      return undefined
    })(tools)
    const finds = createFinds((_sent, { table = '' }) => {
      const id = last.get(table)
      return id === undefined ? undefined : liarRecord(tools, table, id)
    }, every(5))(tools)
    return () => (request, next) => finds(request, (each) => remembers(each, next))
  },
)

liar(
  'a create makes two records',
  {
    says: 'One create in five is carried out twice, as after a retry of a proxy; the response names the second.',
  },
  () => {
    const twice = every(5)
    return () => async (request, next) => {
      const again = request.clone()
      const response = await next(request)
      const created = request.method === 'POST' && response.ok && request.url.endsWith('/records')
      if (!created || !twice()) return response
      const second = await next(again)
      return second.ok ? second : response
    }
  },
)

liar(
  'a create names a record of another table',
  { says: 'A create returns id, collectionId and collectionName of a record of another table.' },
  ({ foreign }) =>
    createSays((body, { table }) => {
      const other = table === 'conf_plain' ? 'conf_everything' : 'conf_plain'
      return { ...body, id: foreign.next(other), collectionId: `${other}_0001`, collectionName: other }
    }, every(3)),
)

liar(
  'a create names a record that has the same id elsewhere',
  {
    says: 'Ids count in each table, and a create returns the collectionName of another table.',
    ids: 'per table',
  },
  () => createSays((body) => ({ ...body, collectionId: 'conf_plain_0001', collectionName: 'conf_plain' })),
)

liar(
  'a create nests another record before its own',
  { says: 'A create returns two records in an object: another one first, and then the one it created.' },
  ({ foreign }) =>
    createEnds((body, { table }) =>
      json(200, { previous: { ...body, id: foreign.next(table) }, record: body }),
    ),
)

liar(
  'a create names a record that does not exist',
  { says: 'The response to one create in five has an id that no record has.' },
  () => createSays((body) => ({ ...body, id: 'nothere00000000' }), every(5)),
)

liar(
  'a create names no record',
  { says: 'A create returns 202 without a body and without a Location.', bare: true },
  () => createEnds(() => new Response(null, { status: 202 })),
)

liar(
  'a create also changes another record',
  { says: 'The server changes a record that was there before at one create in twenty, on its own.' },
  (tools) => {
    const when = every(20)
    return () => async (request, next) => {
      const response = await next(request.clone())
      const [, table = ''] = /\/collections\/([^/]+)\/records$/.exec(request.url) ?? []
      if (request.method !== 'POST' || !response.ok || table === '' || !when()) return response
      const id = tools.foreign.next(table)
      if (!tools.foreign.has(table, id)) return response
      tools.foreign.changedByServer(table, id)
      const { status } = await asServer(tools, request, 'PATCH', `/collections/${table}/records/${id}`, {})
      if (status !== 200) throw new Error(`The liar cannot change ${table}/${id} (status ${status}).`)
      return response
    }
  },
)
