/**
 * Learns the usernames of accounts from requests and responses.
 *
 * @module
 */

import { batchEntries, matchEntry } from '../../exchange/batch-entries.ts'
import { isObject, jsonObject } from '../../exchange/json-object.ts'
import { matchOperation } from '../../exchange/operation.ts'
import type { OperationId } from '../../spec/vocabulary.ts'
import type { ApiResponse, Body } from '../vocabulary/api.ts'
import type { CleanUp } from '../vocabulary/session.ts'
import type { TableRef } from '../vocabulary/target.ts'
import type { Wire } from '../vocabulary/wire.ts'
import { makePaths } from './paths.ts'
import type { WireRequest } from './transport.ts'

export type Naming = Pick<Wire, 'target' | 'binding'> & Pick<CleanUp, 'ownership' | 'usernames'>

/** A table whose accounts sign in by a username. */
type NamedTable = TableRef & { identity: string }

/** The table that a path segment names, if its accounts sign in by a username. */
function namedTable({ ownership }: Naming, segment: string): NamedTable | undefined {
  const table = ownership.mapped(segment)
  return table?.identity === undefined ? undefined : { ...table, identity: table.identity }
}

const hasNamed = ({ target }: Naming) =>
  Object.values(target.tables).some(({ identity }) => identity !== undefined)

export const emailField = ({ fields }: TableRef) => fields?.email ?? 'email'

/**
 * Notes the username of an account that is about to be created.
 *
 * @param body with the names of the target
 */
export function noteAccount({ usernames }: Naming, table: TableRef, body: Body | FormData): void {
  const { identity, name } = table
  if (identity === undefined) return
  const [address, username] = [emailField(table), identity].map((field) =>
    body instanceof FormData ? body.get(field) : body[field],
  )
  if (typeof address === 'string' && typeof username === 'string') usernames.add(name, address, username)
}

/** Notes the addresses and usernames that a request gives to accounts, or asks for. Whether it succeeds does not matter. */
export function noteChanges(
  session: Naming,
  operation: OperationId | undefined,
  request: Pick<WireRequest, 'method' | 'path' | 'headers' | 'body'>,
): void {
  if (!hasNamed(session)) return
  const { prefix } = makePaths(session.binding)
  const { method, path: url, body } = request
  const match = matchOperation(method, url, prefix)
  const what = operation ?? match?.operation.id
  if (what === 'requestEmailChange') noteRequest(session, match?.params.table ?? '', request)
  const updates = what === 'batch' ? (batchEntries(body) ?? []) : [{ method, url, body: jsonObject(body) }]
  for (const each of updates) {
    const { operation: its, params = {} } = matchEntry(each, prefix) ?? {}
    if (its?.id === 'updateRecord' && isObject(each?.body)) noteUpdate(session, params, each.body)
  }
}

/** The new address may be in a header: the target file may say so. */
function noteRequest(
  session: Naming,
  segment: string,
  { headers = {}, body }: Pick<WireRequest, 'headers' | 'body'>,
): void {
  const { usernames } = session
  const table = namedTable(session, segment)
  const username = table && usernames.heldBy(table.name, headers.authorization ?? '')
  if (table === undefined || username === undefined) return
  for (const value of [...Object.values(jsonObject(body) ?? {}), ...Object.values(headers)])
    if (typeof value === 'string' && value.includes('@')) usernames.add(table.name, value, username)
}

function noteUpdate(
  session: Naming,
  { table: segment = '', id = '' }: Readonly<Record<string, string>>,
  sent: Body,
): void {
  const { usernames } = session
  const table = namedTable(session, segment)
  const username = table && usernames.heldBy(table.name, id)
  if (table === undefined || username === undefined) return
  const [address, now] = [sent[emailField(table)], sent[table.identity]]
  if (typeof now === 'string') usernames.rename(table.name, username, now)
  if (typeof address === 'string')
    for (const each of [username, ...(typeof now === 'string' ? [now] : [])])
      usernames.add(table.name, address, each)
}

/** Learns from a response to whom its ids and tokens belong, and which usernames the server has chosen. */
export function learnUsernames(
  session: Naming,
  { method, path }: Pick<WireRequest, 'method' | 'path'>,
  { body }: ApiResponse,
): void {
  if (!hasNamed(session) || !isObject(body)) return
  const segment = matchOperation(method, path, makePaths(session.binding).prefix)?.params.table
  const table = segment === undefined ? undefined : namedTable(session, segment)
  if (table === undefined) return
  const { usernames } = session
  for (const record of [body, body.record, ...(Array.isArray(body.items) ? body.items : [])]) {
    if (!isObject(record) || typeof record.id !== 'string') continue
    const [address, username] = [record[emailField(table)], record[table.identity]]
    if (typeof username !== 'string' || username === '') continue
    usernames.hold(table.name, record.id, username)
    if (typeof address === 'string' && usernames.of(table.name, address).length > 0)
      usernames.add(table.name, address, username)
  }
  const holder = isObject(body.record) ? body.record.id : undefined
  const username = typeof holder === 'string' ? usernames.heldBy(table.name, holder) : undefined
  if (username !== undefined) usernames.hold(table.name, body.token, username)
}
