/** Defects of unique indexes, of deletes, and of error bodies. */

import {
  all,
  another,
  forgive,
  type JsonValue,
  json,
  on,
  parsedBody,
  rewriteBody,
  tamperError,
  tamperRecord,
  tamperStatus,
} from './combinators/combinators.ts'
import { ALL_FIVE, acceptsField, fieldRejection, first, rejects, shows, WRITES } from './combinators/field.ts'
import { type FaultTools, fault, type Middleware } from './fault.ts'

fault(
  'creates do not check unique values',
  { trips: ['unique.value'] },
  acceptsField('code', 'validation_not_unique', 'createRecord'),
)
fault(
  'updates do not check unique values',
  { trips: ['unique.on-update'] },
  acceptsField('code', 'validation_not_unique', 'updateRecord'),
)
fault(
  'a composite index is reported at one field',
  { trips: ['unique.composite'] },
  tamperError('createRecord', ({ data, ...rest }) => ({
    ...rest,
    data: Object.fromEntries(Object.entries(data as object).filter(([field]) => field !== 'slot')),
  })),
)
fault('empty values must be unique', { trips: ['unique.partial'] }, (tools) => {
  let seen = false
  return rejects('createRecord', ({ code, slot }) => {
    const again = code === '' && slot === 7 && seen
    seen ||= code === '' && slot === 7
    return again
  })(tools)
})
fault(
  'unique values are compared without letter case',
  { trips: ['unique.exact-case'] },
  rewriteBody('createRecord', ({ code, ...rest }) =>
    typeof code === 'string' ? { ...rest, code: code.toLowerCase() } : rest,
  ),
)
fault('NOCASE is ignored', { trips: ['unique.any-case'] }, acceptsField('nick', 'validation_not_unique'))
fault('unique values stay taken after a delete', { trips: ['unique.freed'] }, (tools) => {
  const seen = new Set<unknown>()
  return on('createRecord', async (request, next) => {
    const { code } = (await parsedBody(request)) ?? {}
    if (code !== undefined && seen.has(code))
      return fieldRejection(400, {
        code: { code: 'validation_not_unique', message: 'Value must be unique.' },
      })
    seen.add(code)
    return next(request)
  })(tools)
})

fault(
  'references to deleted records remain',
  { trips: ['delete.clears-reference'] },
  shows('one', (one) => (one === '' ? 'deleted00000000' : one), 'viewRecord'),
)
fault(
  'deleted ids remain in lists',
  { trips: ['delete.shortens-list'] },
  shows('many', (many) => [...(many as string[]), 'deleted00000000'], 'viewRecord'),
)
fault(
  'records with an empty cascading list remain',
  { trips: ['delete.cascades-empty-list'] },
  on('viewRecord', async (request, next, { table, id }) => {
    const response = await next(request)
    return table === 'conf_loose' && response.status === 404
      ? json(200, { id, collectionId: 'conf_loose_0001', collectionName: table, many: [] })
      : response
  }),
)
fault(
  'cascades are not carried out',
  { trips: ['delete.cascades', 'rules.cascade-passes'] },
  on('viewRecord', async (request, next, { table, id }) => {
    const response = await next(request)
    return table === 'conf_cascading' && response.status === 404
      ? json(200, { id, collectionId: 'conf_cascading_0001', collectionName: table })
      : response
  }),
)
fault(
  'a record with required references can be deleted',
  { trips: ['delete.required-refuses', 'delete.required-rolls-back'] },
  forgive('deleteRecord', 400, 204),
)
fault('a rejected delete removes the children', { trips: ['delete.required-rolls-back'] }, (tools) => {
  let rejected = false
  return on(['deleteRecord', 'viewRecord'], async (request, next, { operation, table }) => {
    if (operation === 'viewRecord' && table === 'conf_cascading' && rejected) return fieldRejection(404)
    const response = await next(request)
    rejected ||= operation === 'deleteRecord' && response.status === 400
    return response
  })(tools)
})
fault(
  'updated never changes',
  { trips: ['delete.touches-reference', 'record.updated-moves'] },
  tamperRecord(ALL_FIVE, (record) => ('updated' in record ? { ...record, updated: record.created } : record)),
)

/** Some updates leave `updated` as it was. @param turn of the update of its record, from 0 */
const leavesUpdated =
  (isLeft: (sent: JsonValue, turn: number, table: string) => boolean) =>
  (tools: FaultTools): Middleware => {
    const turns = new Map<string, number>()
    const left = new Map<unknown, unknown>()
    const keep = on('updateRecord', async (request, next, { id = '', table = '' }) => {
      const sent = (await parsedBody(request)) ?? {}
      const { updated } = (await (
        await next(another(request, 'GET', new URL(request.url).pathname))
      ).json()) as JsonValue
      const response = await next(request)
      const turn = turns.get(id) ?? 0
      turns.set(id, turn + 1)
      if (!isLeft(sent, turn, table)) left.delete(id)
      else if (!left.has(id)) left.set(id, updated)
      return response
    })
    const show = tamperRecord(ALL_FIVE, (record) =>
      left.has(record.id) && 'updated' in record ? { ...record, updated: left.get(record.id) } : record,
    )
    return all(show, keep)(tools)
  }
fault(
  'updated changes with the first update of a record only',
  { trips: ['record.updated-moves'] },
  leavesUpdated((_, turn) => turn > 0),
)
fault(
  'updated changes with updates of strings only',
  { trips: ['record.updated-moves'] },
  leavesUpdated((sent) => !Object.values(sent).some((value) => typeof value === 'string')),
)
fault(
  'updated does not change with updates that empty a field',
  { trips: ['record.updated-moves'] },
  leavesUpdated((sent) => Object.values(sent).every((value) => !value)),
)
fault(
  'updated does not change with updates of an account',
  { trips: ['record.updated-moves'] },
  leavesUpdated((_sent, _turn, table) => table === 'conf_members'),
)

fault(
  'errors have a code at the top level',
  { trips: ['error.envelope'] },
  tamperError('*', (body) => ({ ...body, code: body.status })),
)
fault(
  'data without field errors is null',
  { trips: ['error.data-empty', 'error.envelope'] },
  tamperError('*', (body) => ({
    ...body,
    data: Object.keys(body.data as object).length === 0 ? null : body.data,
  })),
)
fault(
  'field errors are plain strings',
  { trips: ['error.field-shape', 'text.min', 'unique.value'] },
  tamperError('*', ({ data, ...rest }) => ({
    ...rest,
    data: Object.fromEntries(Object.keys(data as object).map((field) => [field, 'is wrong'])),
  })),
)
fault(
  'errors omit the violated bound',
  { trips: ['error.params'] },
  tamperError(WRITES, ({ data, ...rest }) => ({
    ...rest,
    data: Object.fromEntries(
      Object.entries(data as Record<string, JsonValue>).map(([field, { code, message }]) => [
        field,
        { code, message },
      ]),
    ),
  })),
)
fault(
  'errors are problem details',
  { trips: ['error.media-type'] },
  on('*', async (request, next) => {
    const response = await next(request)
    return response.status < 400
      ? response
      : new Response(await response.text(), {
          status: response.status,
          headers: { 'content-type': 'application/problem+json' },
        })
  }),
)
fault(
  'a body that is too large returns 400',
  { trips: ['limit.body-size'] },
  tamperStatus('createRecord', 413, 400),
)
fault(
  'bodies are limited to 500 kB',
  { trips: ['limit.below-body-size'] },
  first('createRecord', (_request, text) => (text.length > 500_000 ? fieldRejection(413) : undefined)),
)
