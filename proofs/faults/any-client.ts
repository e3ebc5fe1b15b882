/** Defects that only some clients meet, or only the identifier of a table, or only a second write. */

import { matchOperation } from '../../exchange/operation.ts'
import {
  claimsIn,
  hasAccountToken,
  hasImpersonationToken,
  hasMemberToken,
  tokenIn,
} from './combinators/auth.ts'
import { noTransaction } from './combinators/batch.ts'
import {
  another,
  dropQuery,
  isIdentifier,
  isJsonObject,
  type JsonValue,
  json,
  on,
  only,
  parsedBody,
  rewriteBody,
  rewriteEntries,
  rewriteQuery,
} from './combinators/combinators.ts'
import { fieldRejection, WRITES } from './combinators/field.ts'
import { fault } from './fault.ts'

const isSuperuser = (request: Request) =>
  !hasAccountToken(request) && claimsIn(tokenIn(request))?.collectionId !== undefined
const isKey = (request: Request) => tokenIn(request) !== '' && claimsIn(tokenIn(request)) === undefined
const isById = (request: Request, prefix: string) =>
  isIdentifier(matchOperation(request.method, new URL(request.url).pathname, prefix)?.params.table ?? '')

/** Of the fields of `related`, only the first one that was sent. */
const firstField = rewriteBody(WRITES, (body, { table = '' }) =>
  table.startsWith('conf_related') ? Object.fromEntries(Object.entries(body).slice(0, 1)) : body,
)

for (const [who, isMet] of [
  ['a user', hasMemberToken],
  ['a superuser', isSuperuser],
  ['a key', isKey],
  ['an impersonated user', hasImpersonationToken],
] as const)
  fault(`writes of ${who} keep only one field`, { trips: ['record.sequences'] }, only(isMet, firstField))
fault(
  'writes by the identifier keep only one field',
  { trips: ['record.sequences'] },
  only(isById, firstField),
)

const isEntryById = (entry: JsonValue) =>
  isIdentifier(/collections\/([^/]*)\//.exec(String(entry.url))?.[1] ?? '')
fault(
  'a batch by the identifier of a table is not a transaction',
  { trips: ['record.sequences'] },
  noTransaction((entries) => entries.some((entry) => isJsonObject(entry) && isEntryById(entry))),
)
fault(
  'updates by the identifier of a table have no effect in a batch',
  { trips: ['record.sequences'] },
  rewriteEntries((entry) =>
    entry.method === 'PATCH' && isEntryById(entry) ? { ...entry, body: {} } : entry,
  ),
)
fault(
  'the identifier leads to a table only to read it, except for plain',
  { trips: ['record.sequences'] },
  on([...WRITES, 'deleteRecord'], async (request, next, { table = '' }) =>
    isIdentifier(table) && !table.includes('plain') ? fieldRejection(404) : next(request),
  ),
)

const idIn = ({ url }: JsonValue) => String(url).split('/').at(-1)
fault(
  'of two updates of one record in a batch, the second counts',
  { trips: ['record.sequences'] },
  rewriteEntries((entry, index, all) =>
    entry.method === 'PATCH' &&
    all.slice(index + 1).some((each) => each.method === 'PATCH' && idIn(each) === idIn(entry))
      ? { ...entry, body: {} }
      : entry,
  ),
)
fault(
  'a batch does not update what it creates',
  { trips: ['record.sequences'] },
  rewriteEntries((entry, index, all) => {
    const isNew = all
      .slice(0, index)
      .some(({ method, body }) => method === 'POST' && isJsonObject(body) && body.id === idIn(entry))
    return entry.method === 'PATCH' && isNew ? { ...entry, body: {} } : entry
  }),
)
fault(
  'a batch does not create again what it deletes',
  { trips: ['record.sequences'] },
  rewriteEntries((entry, index, all) => {
    const isGone = all
      .slice(0, index)
      .some((each) => each.method === 'DELETE' && isJsonObject(entry.body) && idIn(each) === entry.body.id)
    return entry.method === 'POST' && isGone ? undefined : entry
  }),
)
fault('records that a batch creates are never updated', { trips: ['record.sequences'] }, (tools) => {
  const made = new Set<string>()
  const remember = on('batch', async (request, next) => {
    const response = await next(request)
    if (response.ok)
      for (const { body } of (await response.clone().json()) as JsonValue[])
        if (isJsonObject(body)) made.add(String(body.id))
    return response
  })(tools)
  const ignore = on('updateRecord', async (request, next, { id = '' }) =>
    made.has(id) ? next(another(request, 'PATCH', new URL(request.url).pathname, {})) : next(request),
  )(tools)
  return (request, next) => remember(request, (passed) => ignore(passed, next))
})
fault('a record with the id of a deleted one is not shown', { trips: ['record.sequences'] }, (tools) => {
  const gone = new Set<string>()
  const remember = on('deleteRecord', async (request, next, { id = '' }) => {
    const response = await next(request)
    if (response.ok) gone.add(id)
    return response
  })(tools)
  const hide = on('viewRecord', async (request, next, { id = '' }) =>
    gone.has(id) ? fieldRejection(404) : next(request),
  )(tools)
  return (request, next) => remember(request, (passed) => hide(passed, next))
})
fault(
  'a relation is never cleared',
  { trips: ['record.sequences'] },
  on('updateRecord', async (request, next, { table }) => {
    const body = await parsedBody(request)
    if (table !== 'conf_related' || body?.parent !== '') return next(request)
    const { parent: _, ...others } = body
    return next(another(request, 'PATCH', new URL(request.url).pathname, others))
  }),
)
fault(
  'a delete with a token is only noted',
  { trips: ['record.sequences'] },
  only(
    hasMemberToken,
    on('deleteRecord', async (request, next, { table = '' }) =>
      table.startsWith('conf_related') ? json(204) : next(request),
    ),
  ),
)

for (const [who, isMet] of [
  ['a user', hasMemberToken],
  ['a key', isKey],
  ['an impersonated user', hasImpersonationToken],
] as const) {
  const trips = { trips: ['list.any-caller'] }
  fault(`lists of ${who} ignore filters`, trips, only(isMet, dropQuery('listRecords', 'filter')))
  fault(`lists of ${who} ignore the order`, trips, only(isMet, dropQuery('listRecords', 'sort')))
  fault(`lists of ${who} ignore the page`, trips, only(isMet, dropQuery('listRecords', 'page')))
  fault(`lists of ${who} expand nothing`, trips, only(isMet, dropQuery('listRecords', 'expand')))
}
fault(
  'lists by the identifier of a table expand nothing',
  { trips: ['list.any-caller'] },
  only(isById, dropQuery('listRecords', 'expand')),
)
fault(
  'a list in an order expands nothing',
  { trips: ['list.any-caller'] },
  rewriteQuery('listRecords', (query) => {
    if (query.has('sort')) query.delete('expand')
  }),
)
