/**
 * Ids that are unusual, that are used again, or that are not valid ids.
 *
 * @module
 */

import { servicesOf } from '../../reference/services-of.ts'
import type { Row, Value, Values } from '../../reference/vocabulary.ts'
import {
  all,
  type JsonValue,
  json,
  on,
  rewritePath,
  rewriteQuery,
} from '../faults/combinators/combinators.ts'
import { always, batchSays, createSays, every, honest, showsIds } from './combinators.ts'
import { type LiarTools, liar } from './liar.ts'

liar(
  'ids count over all tables',
  {
    says: 'An honest server whose ids are 1, 2, 3 and so on, whatever the table.',
    ids: 'counting',
    bare: true,
  },
  () => honest,
)

liar(
  'ids count in each table',
  { says: 'An honest server whose ids are 1, 2, 3 and so on in each table.', ids: 'per table', bare: true },
  () => honest,
)

liar(
  'the lowest free id is used again',
  {
    says: 'An honest server that gives a record the lowest number that no record of the table has.',
    ids: 'lowest free',
  },
  () => honest,
)

liar(
  'a freed id goes to someone else',
  {
    says: 'After one delete in five, another client creates a record with the id of the deleted one.',
    ids: 'lowest free',
  },
  (tools) => {
    const when = every(5)
    return on('deleteRecord', async (request, next, { table = '', id = '' }) => {
      const before = rowOf(tools, table, id)
      const response = await next(request)
      if (response.ok && before !== undefined && when()) await plant(tools, table, before.values)
      return response
    })
  },
)

liar(
  'a created record is replaced by someone else’s',
  {
    says: 'After one create in ten, another client deletes the record and creates one of its own that gets its id.',
    ids: 'lowest free',
  },
  (tools) => {
    const when = every(10)
    return on('createRecord', async (request, next, { table = '' }) => {
      const response = await next(request)
      if (!response.ok || !table.startsWith('conf_') || !when()) return response
      const { id } = (await response.clone().json()) as JsonValue
      const row = rowOf(tools, table, String(id))
      if (row !== undefined) await replace(tools, table, row.id, someoneElses(tools, table, row.values))
      tools.foreign.addedByServer(table, String(id))
      return response
    })
  },
)

liar(
  'ids are numbers',
  { says: 'Ids count over all tables and are JSON numbers in every response.', ids: 'counting' },
  () =>
    all(
      showsIds('*', (id) => (/^\d+$/.test(id) ? Number(id) : id)),
      rewritePath('*', (path) =>
        path.replace(/\/(\d{1,14})$/, (_, id: string) => `/${id.padStart(15, '0')}`),
      ),
      rewriteQuery('listRecords', (query) => {
        const filter = query
          .get('filter')
          ?.replace(/^id = "(\d+)"$/, (_, id: string) => `id = "${id.padStart(15, '0')}"`)
        if (filter !== undefined) query.set('filter', filter)
      }),
    ),
)

liar(
  'ids differ in letter case only',
  { says: 'Creates return the id in upper case, and every path is read in lower case.', bare: true },
  () =>
    all(
      createSays((body) => ({ ...body, id: String(body.id).toUpperCase() })),
      rewritePath('*', (path) => path.replace(/\/records\/[^/]+$/, (end) => end.toLowerCase())),
    ),
)

liar(
  'ids are parts of a path',
  { says: 'Creates return ids such as `..`, `?`, `#`, `/` and paths to another record.' },
  ({ foreign, prefix }) => {
    let turn = 0
    return createSays((body, { table }) => {
      const other = foreign.next(table)
      const ids = [
        '..',
        '.',
        '?',
        '#',
        '/',
        '%2e%2e',
        `../${other}`,
        `${other}?`,
        `${other}#`,
        `${other}/`,
        ` ${other}`,
        `x/../${other}`,
        `../../${table}/records/${other}`,
        `${prefix}/collections/${table}/records/${other}`,
        '',
      ]
      return { ...body, id: ids[turn++ % ids.length] }
    }, every(2))
  },
)

liar(
  'ids contain control characters',
  {
    says: 'Creates return ids that contain a tab, NUL, line ends and line separators before another record’s id.',
  },
  ({ foreign }) => {
    let turn = 0
    const before = ['\t', '\0', '\r\n', '\u2028', '\u0085', '\u202e', '\ud800']
    return createSays(
      (body, { table }) => ({ ...body, id: `${before[turn++ % before.length]}${foreign.next(table)}` }),
      every(2),
    )
  },
)

liar(
  'ids are lines of a journal',
  {
    says: 'Creates return ids that contain line ends, followed by what would name another record in a journal.',
  },
  ({ foreign }) => {
    let turn = 0
    return createSays((body, { table = '' }) => {
      const other = foreign.next(table)
      const lines = [
        `+\t${table}\t${other}`,
        JSON.stringify({ event: 'created', table, id: other, marks: [''] }),
        JSON.stringify(['+', table, other]),
      ]
      return { ...body, id: `x\n${lines[turn++ % lines.length]}\n` }
    }, every(2))
  },
)

liar('ids of two megabytes', { says: 'One create in thirty returns an id of two megabytes.' }, () =>
  createSays((body) => ({ ...body, id: 'x'.repeat(2 ** 21) }), every(30)),
)

liar(
  'ids are not strings',
  {
    says: 'Creates return an id that is a list, an object, a bool or null; the list contains another record’s id.',
  },
  ({ foreign }) => {
    let turn = 0
    return createSays((body, { table }) => {
      const ids: unknown[] = [[foreign.next(table)], { id: foreign.next(table) }, true, null, 0, -1]
      return { ...body, id: ids[turn++ % ids.length] }
    }, every(2))
  },
)

liar(
  'an update moves the id',
  {
    says: 'One update in three gives the record a new id, and the response shows it.',
    checks: ['update.applies', 'update.changes-only-sent', 'record.id-stable'],
  },
  (tools) => {
    const when = every(3)
    const move = mover(tools)
    return on('updateRecord', async (request, next, { table = '' }) => {
      const response = await next(request)
      if (!response.ok) return response
      const body = (await response.clone().json()) as JsonValue
      const id = await move(table, body.id, when)
      return id === undefined ? response : json(200, { ...body, id })
    })
  },
)

liar(
  'a batch moves the id',
  {
    says: 'Every update in a batch gives the record a new id, and the response shows it.',
    checks: ['batch.mixes-methods', 'batch.order'],
  },
  (tools) => {
    const move = mover(tools)
    return batchSays(async (answer, { method, table }) => {
      const body = answer.body as JsonValue | null
      const id = method === 'PATCH' ? await move(table, body?.id) : undefined
      return id === undefined ? answer : { ...answer, body: { ...body, id } }
    })
  },
)

/** Gives records of the run new ids, and returns these. It leaves out those with files, which would stay under the old id. */
function mover(tools: LiarTools) {
  let moved = 0
  return async (table: string, id: unknown, when = always): Promise<string | undefined> => {
    const row = rowOf(tools, table, String(id))
    if (row === undefined || tools.foreign.has(table, row.id) || hasFiles(tools, table, row)) return undefined
    if (!when()) return undefined
    const next = `moved${String(moved++).padStart(10, '0')}`
    await replace(tools, table, row.id, { ...row.values, id: next })
    return next
  }
}

function rowOf(tools: LiarTools, name: string, id: string): Row | undefined {
  const reader = servicesOf(tools.reference).store.current
  const table = reader.table(name)
  return table === undefined ? undefined : reader.get(table, id)
}

function hasFiles({ reference }: LiarTools, name: string, { values }: Row): boolean {
  const table = servicesOf(reference).store.current.table(name)
  return Object.entries(values).some(
    ([key, value]) => table?.field(key)?.definition.type === 'file' && [value].flat().some(Boolean),
  )
}

/** Puts values in the place of a record, whatever the rules of the table say. */
function replace(tools: LiarTools, name: string, id: string, values: Values): Promise<void> {
  return servicesOf(tools.reference).store.transaction((writer) => {
    const table = writer.table(name)
    const row = table && writer.get(table, id)
    if (table !== undefined && row !== undefined) writer.replace(table, row, values)
  })
}

/** A record of another client with the id of a deleted one. */
async function plant(tools: LiarTools, name: string, gone: Values): Promise<void> {
  const values = someoneElses(tools, name, gone)
  await servicesOf(tools.reference).store.transaction((writer) => {
    const table = writer.table(name)
    if (table !== undefined && writer.get(table, String(values.id)) === undefined)
      writer.insert(table, values)
  })
  tools.foreign.addedByServer(name, String(gone.id))
}

/**
 * The same with everyday strings, as another client would have sent them. Relations lead to nothing of the run: what it
 * deletes would take the record along.
 */
function someoneElses({ reference, foreign }: LiarTools, name: string, values: Values): Values {
  const table = servicesOf(reference).store.current.table(name)
  const own = Object.entries(values).map(([key, value]): [string, Value] => {
    const field = table?.field(key)
    if (field?.definition.type === 'relation') {
      if (field.multiple) return [key, []]
      return [key, field.definition.required === true ? foreign.next(field.definition.collectionId) : '']
    }
    // Names that take no hyphen have marks with underscores.
    const isMarked = typeof value === 'string' && /[-_][a-z0-9]{6}/.test(value)
    return [key, isMarked ? `${key} of someone else ${values.id}` : value]
  })
  return Object.fromEntries(own)
}
