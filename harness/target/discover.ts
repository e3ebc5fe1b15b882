/**
 * Writes a target file by asking a server what it can be asked: where its prefix is, which tables answer, how one signs
 * in. Sends GET only, and only to the address that it was given: no redirect is followed.
 *
 * @module
 */

import { isObject } from '../../exchange/json-object.ts'
import { commonFields } from '../../spec/common-fields.ts'
import { loadTables } from '../../spec/tables.ts'
import { ConfigurationError } from '../errors.ts'
import { redirectOf } from '../wire/redirect.ts'
import { createTransport, type Transport } from '../wire/transport.ts'
import { checkedUrl } from './base-url.ts'
import { type FoundTable, targetText } from './target-text.ts'

/** What was learned, and the file that it makes. */
export interface Discovery {
  prefix: string
  tables: FoundTable[]
  text: string
}

interface Answer {
  status: number
  /** Absent where it is no JSON. */
  body: unknown
  /** Address of another place that it leads to. */
  redirect?: string
}

type Ask = (path: string) => Promise<Answer>

const prefixes = ['/api/v1', '/api', '']
/** Names that are tried beside those that the tester gives. */
const usual = ['users', 'members', 'accounts', 'posts', 'notes', 'items', 'articles', 'tasks', 'documents']
const common = new Set<string>([...commonFields, 'expand'])

/**
 * @param names tables to ask for besides
 * @throws ConfigurationError when nobody answers, or when the server only redirects
 */
export async function discover(address: string, names: readonly string[] = []): Promise<Discovery> {
  const baseUrl = checkedUrl(address, '--base-url')
  const transport = createTransport(baseUrl)
  try {
    return await look(transport, baseUrl, names)
  } finally {
    await transport.close()
  }
}

async function look(transport: Transport, baseUrl: string, names: readonly string[]): Promise<Discovery> {
  const ask = asker(transport, baseUrl)
  const ours = new Map(loadTables().map(({ role, definition }) => [definition.name, role]))
  const candidates = [...new Set([...names, ...ours.keys(), ...usual])]
  const prefix = await findPrefix(ask, candidates)
  const tables: FoundTable[] = []
  const redirects: string[] = []
  for (const name of candidates) {
    const path = `${prefix}/collections/${encodeURIComponent(name)}`
    const list = await ask(`${path}/records?perPage=1`)
    // What goes on with the path that was asked for is another address of a whole server.
    if (list.redirect !== undefined) redirects.push(withoutEnd(list.redirect, `${path}/records`))
    const methods = await ask(`${path}/auth-methods`)
    const records = recordsOf(list)
    // Many a server answers 200 and a page to whatever it is asked.
    const auth = methods.status === 200 && isObject(methods.body)
    if (records === undefined && !auth) continue
    const role = ours.get(name)
    const fields = Object.entries(records?.find(isObject) ?? {}).flatMap(([field, value]) =>
      typeof value === 'string' && field !== '' && !common.has(field) ? [field] : [],
    )
    tables.push({ name, auth, fields, role })
  }
  const [elsewhere] = redirects
  if (elsewhere !== undefined && redirects.length === candidates.length)
    throw new ConfigurationError(
      `the server redirects to ${elsewhere}, and redirects are not followed`,
      baseUrl,
      `use --base-url ${elsewhere} if this is the server to test`,
    )
  return { prefix, tables, text: targetText(baseUrl, prefix, tables) }
}

/** @throws ConfigurationError where nobody answers */
function asker({ send }: Transport, baseUrl: string): Ask {
  return async (path) => {
    try {
      const { status, headers, bytes } = await send({
        method: 'GET',
        path,
        headers: { 'accept-encoding': 'identity' },
        patient: false,
      })
      const redirect = redirectOf({ status, headers }, baseUrl + path)
      return { status, body: parsed(bytes.toString('utf8')), redirect: redirect?.href }
    } catch (error) {
      const { cause, message } = error as Error & { cause?: { code?: string } }
      throw new ConfigurationError(
        `the server is not reachable (${cause?.code ?? message})`,
        baseUrl,
        'start the server, or correct --base-url',
      )
    }
  }
}

/** The first under which a table, or else anything JSON, answers. */
async function findPrefix(ask: Ask, names: readonly string[]): Promise<string> {
  let fallback: string | undefined
  for (const prefix of prefixes) {
    for (const name of names) {
      const list = await ask(`${prefix}/collections/${encodeURIComponent(name)}/records?perPage=1`)
      if (recordsOf(list) !== undefined) return prefix
    }
    const { status, body } = await ask(`${prefix}/health`)
    if (status === 200 && isObject(body)) fallback ??= prefix
  }
  return fallback ?? '/api/v1'
}

function withoutEnd(text: string, end: string): string {
  return text.endsWith(end) ? text.slice(0, -end.length) : text
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** What a page of a list holds; `undefined` where the answer is none. */
function recordsOf({ status, body }: Answer): readonly unknown[] | undefined {
  return status === 200 && isObject(body) && Array.isArray(body.items) ? body.items : undefined
}
