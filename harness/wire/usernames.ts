/**
 * Sign-ins to tables whose accounts sign in by username alone (document, section 2.2), as `TableRef.identity` says. Checks
 * know accounts by their addresses: the run gives each account a username, and sends that instead of the address.
 * docs/decisions/034.
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
import type { Send } from './send-as.ts'
import type { WireRequest } from './transport.ts'

/** What a run knows of the usernames of its accounts. Tables are given by their names. */
export class Usernames {
  /** By table and address: the accounts that were given the address, or may have it by now, in this order. */
  readonly #byAddress = new Map<string, string[]>()
  /** By table and username: its addresses in small letters, in the order in which they were given to it. */
  readonly #addresses = new Map<string, string[]>()
  /** By table and id, and by token. */
  readonly #byHolder = new Map<string, string>()

  /** An account was given this address, or asks for it. */
  add(table: string, address: string, username: string): void {
    const low = address.toLowerCase()
    addTo(this.#byAddress, keyOf(table, low), username)
    addTo(this.#addresses, keyOf(table, username), low)
  }

  /** Accounts that have the address, may have it by now, or had it. */
  of(table: string, address: string): readonly string[] {
    return this.#byAddress.get(keyOf(table, address.toLowerCase())) ?? []
  }

  /** The address under which a username became known; undefined for a username that is not known. */
  addressOf(table: string, username: string): string | undefined {
    return this.#addresses.get(keyOf(table, username))?.[0]
  }

  /** Whether an account has another one of its addresses now: the one that its record shows. */
  hasMoved(table: string, username: string, address: string, shown: unknown): boolean {
    if (typeof shown !== 'string' || shown.toLowerCase() === address.toLowerCase()) return false
    return this.#addresses.get(keyOf(table, username))?.includes(shown.toLowerCase()) === true
  }

  /** @param holder the id of a record, or a token */
  hold(table: string, holder: unknown, username: string): void {
    if (typeof holder === 'string') this.#byHolder.set(keyOf(table, holder), username)
  }

  heldBy(table: string, holder: string): string | undefined {
    return this.#byHolder.get(keyOf(table, holder))
  }

  /** An account has another username: it has the addresses of the one before. */
  rename(table: string, before: string, now: string): void {
    for (const address of this.#addresses.get(keyOf(table, before)) ?? []) this.add(table, address, now)
  }
}

const keyOf = (table: string, name: string) => `${table} ${name}`

function addTo(map: Map<string, string[]>, key: string, value: string): void {
  const all = map.get(key) ?? []
  if (!all.includes(value)) map.set(key, [...all, value])
}

type Naming = Pick<Wire, 'target' | 'binding'> & Pick<CleanUp, 'ownership' | 'usernames'>

/** A table whose accounts sign in by a username. */
type NamedTable = TableRef & { identity: string }

function namedTable({ ownership }: Naming, segment: string): NamedTable | undefined {
  const table = ownership.mapped(segment)
  return table?.identity === undefined ? undefined : { ...table, identity: table.identity }
}

const hasNamed = ({ target }: Naming) =>
  Object.values(target.tables).some(({ identity }) => identity !== undefined)

const emailField = ({ fields }: TableRef) => fields?.email ?? 'email'

/** Notes who an account is, whose create is about to be sent. @param body with the names of the target */
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
  const { method, path: url, headers = {}, body } = request
  const what = operation ?? matchOperation(method, url, prefix)?.operation.id
  if (what === 'requestEmailChange') {
    const table = namedTable(session, matchOperation(method, url, prefix)?.params.table ?? '')
    const username = table && session.usernames.heldBy(table.name, headers.authorization ?? '')
    if (username === undefined) return
    for (const value of [...Object.values(jsonObject(body) ?? {}), ...Object.values(headers)])
      if (typeof value === 'string' && value.includes('@'))
        session.usernames.add(table?.name ?? '', value, username)
  }
  const updates = what === 'batch' ? (batchEntries(body) ?? []) : [{ method, url, body: jsonObject(body) }]
  for (const each of updates) {
    const match = matchEntry(each, prefix)
    if (match?.operation.id === 'updateRecord' && isObject(each?.body))
      noteUpdate(session, match.params, each.body)
  }
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

/** Learns from a response whose the ids and tokens are that it shows, and usernames that the server has chosen. */
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

/**
 * Sends sign-ins by an address that the run knows with the username instead. An address that an account had before signs no
 * one in there, as in a table that signs in by addresses: it is sent as it is, like one that is not known.
 */
export function withUsernames(session: Naming, send: Send): Send {
  return async (operation, request, shown) => {
    const { params } = matchOperation(request.method, request.path, makePaths(session.binding).prefix) ?? {}
    const table = operation === 'authWithPassword' ? namedTable(session, params?.table ?? '') : undefined
    const { identity: address } = jsonObject(request.body) ?? {}
    if (table === undefined || typeof address !== 'string') return send(operation, request, shown)
    let rejection: ApiResponse | undefined
    for (const username of session.usernames.of(table.name, address)) {
      const named = (text: string) => JSON.stringify({ ...jsonObject(text), identity: username })
      const headers = { ...request.headers }
      const response = await send(
        operation,
        { ...request, headers, body: named(String(request.body)) },
        named(shown),
      )
      const { token, record } = isObject(response.body) ? response.body : {}
      if (token === undefined) rejection = response
      else {
        const { id, [emailField(table)]: email } = isObject(record) ? record : {}
        session.usernames.hold(table.name, id, username)
        session.usernames.hold(table.name, token, username)
        if (!session.usernames.hasMoved(table.name, username, address, email)) return response
      }
    }
    return rejection ?? send(operation, request, shown)
  }
}
