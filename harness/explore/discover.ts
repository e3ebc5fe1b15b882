/**
 * Explores a server at a known address: its prefix, its tables, and which of them fit the roles of the
 * suite. Sends GET only, but to sign in a superuser, and only to the address that it was given: no redirect is followed.
 *
 * @module
 */

import { documentPrefix } from '../../spec/prefix.ts'
import { loadTables } from '../../spec/tables.ts'
import { ConfigurationError } from '../errors.ts'
import { defined } from '../support/defined.ts'
import type { Credential, TableRef } from '../vocabulary/target.ts'
import { redirectHint } from '../wire/redirect.ts'
import { silenceAfter } from '../wire/silence.ts'
import { createTransport, type TransportOptions } from '../wire/transport.ts'
import { findPrefix, usualPrefixes } from './find-prefix.ts'
import { type FoundTable, findTables, tableLabel } from './find-tables.ts'
import { accountNames, type FittingTables, fittingTables } from './fitting-tables.ts'
import { expectDifferences } from './same-for-all.ts'
import { requestSender, type SenderOptions, type SendRequest } from './send-request.ts'
import { wrongPrefixError } from './wrong-prefix-error.ts'

/** What was learned of a server. */
export interface Discovery extends FittingTables {
  prefix: string
  found: FoundTable[]
  /** Names that were requested. */
  asked: readonly string[]
}

export interface DiscoverOptions extends Omit<TransportOptions, 'exchange'>, Pick<SenderOptions, 'count'> {
  /** The prefix, if it is known. @default usual ones are tried */
  prefix?: string
  /** Names of tables to look for, in addition to usual ones. */
  names?: readonly string[]
  /** Shows more. */
  superuser?: Credential
}

const listForm = 'a list is a JSON object with its records in `items` (document, section 2.4)'

/** Requested under each prefix. */
const first = ['conf_plain', 'users', 'posts', 'notes', 'items', 'tasks']
const others = [
  ...accountNames.filter((name) => !first.includes(name)),
  ...['articles', 'documents', 'todos', 'comments', 'messages', 'products', 'orders', 'categories', 'tags'],
  ...['order_items', 'line_items', 'blog_posts', 'user_profiles'],
  ...['projects', 'events', 'pages', 'books', 'entries', 'records', 'teams', 'companies', 'contacts', 'demo'],
]

/**
 * @param baseUrl without a slash at its end
 * @throws ConfigurationError when nothing responds, when the server only redirects, and when it sends the same to
 * everything
 * @throws StoppedError if `count` allows no more requests
 */
export async function discover(baseUrl: string, options: DiscoverOptions = {}): Promise<Discovery> {
  const { names = [], superuser, prefix: given, count, ...sending } = options
  const stop = sending.stop?.()
  const transport = createTransport(baseUrl, { ...sending, silence: stop && silenceAfter(stop) })
  try {
    const sendRequest = requestSender(transport, baseUrl, { timeout: options.timeout, count })
    await expectDifferences(sendRequest, baseUrl, given === undefined ? usualPrefixes : [given], [
      ...names,
      ...first,
    ])
    const prefix = given ?? (await findPrefix(sendRequest, [[...names, ...first], others]))
    const token = superuser === undefined ? undefined : await tokenOf(sendRequest, prefix, superuser)
    const ours = loadTables().map(({ definition }) => definition.name)
    const candidates = [...new Set([...names, ...ours, ...first, ...others])]
    const { tables, redirects, unusable } = await findTables(sendRequest, prefix, candidates, token)
    const hasNoList = tables.length > 0 && tables.every((table) => table.unusable !== undefined)
    const found = hasNoList ? [...tables, ...unusable] : tables
    if (found.length === 0 && given !== undefined)
      await expectNoOther(sendRequest, baseUrl, given, [...names, ...first])
    const [elsewhere] = redirects
    if (elsewhere !== undefined && redirects.length >= candidates.length)
      throw new ConfigurationError(
        `the server redirects to ${elsewhere}, and redirects are not followed`,
        baseUrl,
        redirectHint(elsewhere, `use --base-url ${elsewhere}`),
      )
    const [strange] = unusable
    if (found.length === 0 && strange !== undefined)
      throw new ConfigurationError(`no table was found: ${strange.unusable}`, baseUrl, listForm)
    return { prefix, found, asked: candidates, ...fittingTables(found) }
  } finally {
    await transport.close()
  }
}

/** @throws ConfigurationError if tables respond under another prefix than the one that was given */
async function expectNoOther(
  sendRequest: SendRequest,
  baseUrl: string,
  given: string,
  names: readonly string[],
): Promise<void> {
  const prefix = await findPrefix(sendRequest, [names, others])
  if (prefix === given) return
  const { tables } = await findTables(sendRequest, prefix, names)
  if (tables.length === 0) return
  throw wrongPrefixError({
    given,
    found: prefix,
    names: tables.map(({ name }) => name),
    place: `--prefix, at ${baseUrl}`,
    next: (shown) => `use --prefix ${shown}, or omit it`,
  })
}

/** A credential that does not work is reported by the run: here it shows nothing more. */
async function tokenOf(
  sendRequest: SendRequest,
  prefix: string,
  { token, signIn }: Credential,
): Promise<string | undefined> {
  if (token !== undefined || signIn === undefined) return token
  const { table, identity, password } = signIn
  const { body } = await sendRequest(
    `${prefix}/collections/${encodeURIComponent(table)}/auth-with-password`,
    { operation: 'authWithPassword', method: 'POST', body: { identity, password } },
  )
  const issued = (body as { token?: unknown } | null | undefined)?.token
  return typeof issued === 'string' ? issued : undefined
}

/** What was found, one line each. */
export function foundNotes({ prefix, found }: Pick<Discovery, 'prefix' | 'found'>): string[] {
  const all = found.map(tableLabel)
  const strange = found.find(({ unusable }) => unusable !== undefined)
  return [
    ...(prefix === documentPrefix
      ? []
      : [`the path prefix is ${prefix === '' ? 'empty' : prefix}; the document says ${documentPrefix}`]),
    ...(all.length === 0 ? [] : [`found the tables ${all.join(', ')}`]),
    ...(strange === undefined ? [] : [`${strange.unusable}: ${listForm}`]),
  ]
}

/** `plain ← notes (title ← headline)` */
export function usedAs({ role, name, fields }: TableRef): string {
  const mapped = Object.entries(defined(fields ?? {})).filter(([ours, theirs]) => ours !== theirs)
  const names = mapped.map(([ours, theirs]) => `${ours} ← ${theirs}`).join(', ')
  return `${role} ← ${name}${names === '' ? '' : ` (${names})`}`
}
