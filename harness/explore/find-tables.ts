/**
 * Which tables a server has: requested by usual names, by those that the responses mention and, with a token, by the
 * server's own list.
 *
 * @module
 */

import { isObject } from '../../exchange/json-object.ts'
import { isAboutBody, isAboutPermission } from '../../spec/status-range.ts'
import { NO_TABLE } from '../support/no-record.ts'
import { mentionedIn } from './mentioned.ts'
import { pageOf } from './page-of.ts'
import { methodsIn } from './reported-methods.ts'
import type { ExploredResponse, SendRequest } from './send-request.ts'

type Row = Readonly<Record<string, unknown>>

/** A table that responds. */
export interface FoundTable {
  name: string
  /** Accounts sign in with its records. */
  auth: boolean
  /** Whether it reports sign-in methods. Some servers do for each table. */
  methods?: boolean
  /** Whether a guest can list it. */
  open: boolean
  /** What its list is instead of a list, where that returned 200: the table is not closed. */
  unusable?: string
  /** Records that a guest, or else the owner of the token, is shown. */
  rows: readonly Row[]
}

/** `users (auth table) (closed to guests)` */
export function tableLabel({ name, auth, open }: Pick<FoundTable, 'name' | 'auth' | 'open'>): string {
  return `${name}${auth ? ' (auth table)' : ''}${open ? '' : ' (closed to guests)'}`
}

/** How often names that responses mention are followed, and how many each time. */
const mostRounds = 3
const mostMentioned = 30

export interface TablesFound {
  tables: FoundTable[]
  /** Where lists are redirected to, without the path that was requested. */
  redirects: string[]
  /**
   * Tables whose list returned 200 with a body that is not a list. They may be anything that the server sends at the path,
   * so they count only where no table has a list, and one has sign-in methods.
   */
  unusable: FoundTable[]
}

/**
 * @param names to request
 * @param token of a superuser or an account: it shows more than a guest sees
 */
export async function findTables(
  sendRequest: SendRequest,
  prefix: string,
  names: readonly string[],
  token?: string,
): Promise<TablesFound> {
  const collections = `${prefix}/collections`
  const pathOf = (name: string) => `${collections}/${encodeURIComponent(name)}`
  const [nowhere, noMethods, listed] = await Promise.all([
    sendRequest(`${pathOf(NO_TABLE)}/records`),
    sendRequest(`${pathOf(NO_TABLE)}/auth-methods`),
    sendRequest(collections, { token }),
  ])
  const requested = new Set<string>()
  const tables: FoundTable[] = []
  const redirects: string[] = []
  const unusable: FoundTable[] = []

  async function look(name: string): Promise<void> {
    const path = pathOf(name)
    const [first, methods] = await Promise.all([
      sendRequest(`${path}/records?perPage=20`),
      sendRequest(`${path}/auth-methods`),
    ])
    // A strict server rejects a parameter whose name it does not know.
    const list = isAboutBody(first.status) ? await sendRequest(`${path}/records`) : first
    if (list.redirect !== undefined) redirects.push(withoutEnd(list.redirect, `${path}/records`))
    const page = pageOf(list)
    const strange =
      list.status === 200 && page === undefined && !isAlike(list, nowhere)
        ? `${path}/records returned 200 with ${kindOf(list)}`
        : undefined
    const hasMethods = isObject(methods.body) && methods.status === 200 && !isAlike(methods, noMethods)
    const shown =
      page ?? (token === undefined ? undefined : pageOf(await sendRequest(`${path}/records`, { token })))
    const isClosed = isAboutPermission(list.status) && list.status !== nowhere.status
    const rows = (shown ?? []).filter(isObject)
    const auth = rows.some(isAccount) || (hasMethods && enablesAny(methods.body) && mayBeAccounts(rows))
    const table: FoundTable = {
      name,
      auth,
      ...(hasMethods && { methods: true }),
      open: page !== undefined || strange !== undefined,
      ...(strange !== undefined && { unusable: strange }),
      rows,
    }
    if (shown !== undefined || hasMethods || isClosed) tables.push(table)
    else if (strange !== undefined) unusable.push(table)
  }

  let round: readonly string[] = [...names, ...tableNames(listed.body)]
  for (let rounds = 0; round.length > 0 && rounds <= mostRounds; rounds += 1) {
    for (const name of round) requested.add(name)
    await Promise.all([...new Set(round)].map(look))
    round = mentionedIn(tables.flatMap(({ rows }) => rows))
      .filter((name) => !requested.has(name))
      .slice(0, mostMentioned)
  }
  // Responses come in any order; the names have theirs.
  const order = [...requested]
  for (const each of [tables, unusable])
    each.sort((one, other) => order.indexOf(one.name) - order.indexOf(other.name))
  return { tables, redirects, unusable }
}

function kindOf({ text, body }: ExploredResponse): string {
  if (text.startsWith('\uFEFF'))
    return 'a byte order mark before the JSON, which JSON does not have (RFC 8259, section 8.1)'
  if (text === '') return 'an empty body'
  return body === undefined ? 'a body that is not JSON' : 'a JSON body that has no list in `items`'
}

/** A record with an email that is or is not verified. */
export function isAccount(row: Row): boolean {
  return 'emailVisibility' in row || ('verified' in row && ('email' in row || 'username' in row))
}

/** Some servers return sign-in methods for each table. Only records of an auth table have these fields. */
function mayBeAccounts(rows: readonly Row[]): boolean {
  return rows.length === 0 || rows.some((row) => ['email', 'username', 'verified'].some((key) => key in row))
}

/** Whether a report of sign-in methods enables one. It may say so with booleans, or by what it lists. */
function enablesAny(methods: unknown): boolean {
  const { mfa: _, ...reported } = methodsIn(methods, {})
  if (Object.values(reported).includes(true)) return true
  const values = valuesIn(methods)
  const booleans = values.filter((value) => typeof value === 'boolean')
  return booleans.length > 0 ? booleans.includes(true) : values.length > 0
}

/** Strings, numbers and booleans at any depth. */
function valuesIn(value: unknown): unknown[] {
  if (typeof value !== 'object') return value === '' ? [] : [value]
  return value === null ? [] : Object.values(value).flatMap(valuesIn)
}

function isAlike(one: ExploredResponse, other: ExploredResponse): boolean {
  return one.status === other.status && one.text === other.text
}

/** Names in the server's own list of its tables; system tables begin with an underscore. */
function tableNames(body: unknown): string[] {
  const list = isObject(body) ? (body.items ?? body.collections ?? body.tables) : body
  if (!Array.isArray(list)) return []
  return list.flatMap((each: unknown) => {
    const name = isObject(each) ? each.name : each
    return typeof name === 'string' && /^[^_]/.test(name) ? [name] : []
  })
}

function withoutEnd(text: string, end: string): string {
  return text.endsWith(end) ? text.slice(0, -end.length) : text
}
