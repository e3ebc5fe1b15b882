/**
 * A small server as its author might write it: notes for everyone, users with sign-in, ids and errors of its own making.
 * It knows nothing of the suite, and the suite nothing of it: `harness/explore` has to find out.
 *
 * @module
 */

import { createHash, randomUUID } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { startTestServer, type TestServer } from './test-server.ts'

type Row = Record<string, unknown> & { id: string }

/** What differs between two such servers. */
export interface SmallServerOptions {
  /** @default '/api/v1' */
  prefix?: string
  /** Names of the two tables. @default notes and users */
  names?: { notes: string; users: string }
  /** Fields of a note with an example of each. @default slug, title, body, pinned, rating */
  fields?: Readonly<Record<string, unknown>>
  /**
   * Whether writing notes takes a session, `lists`: reading them also does, `superuser`: both take `superuserToken`.
   * @default false
   */
  closed?: boolean | 'lists' | 'superuser'
  /** Whether the two tables have a record each when it starts. @default true */
  filled?: boolean
  /** How lists are requested. @default 'usual' */
  lists?: keyof typeof listWords
  /** Whether the notes also have sign-in methods, none of them enabled. @default false */
  methodsOfNotes?: boolean
  /** Fields of a note that the server sets automatically at every write. @default none */
  sets?: (note: Readonly<Record<string, unknown>>, isNew: boolean) => Record<string, unknown>
  /** Fields of a note that no update changes: one that sends them is rejected. @default none */
  fixed?: readonly string[]
  /** Fields in which no two notes have the same value. @default none */
  unique?: readonly string[]
  /** Whether only the superuser creates accounts. @default false */
  noSignUps?: boolean
  /** Whether only verified accounts sign in. @default false */
  verifiedOnly?: boolean
  /** Whether a password is only the first of two factors. @default false */
  secondFactor?: boolean
  /** Whether no password signs in, and the sign-in methods say so. @default false */
  codesOnly?: boolean
  /** Whether creates return no record. @default false */
  returnsNoRecord?: boolean
  /** Whether fields that a note does not have are ignored. @default false they are rejected */
  ignoresUnknown?: boolean
  /** Whether an account can be seen only by itself. @default false */
  hidesAccounts?: boolean
  /** The text of an account that it may change. @default 'name' */
  accountText?: string
  /** Whether no account can be deleted. @default false */
  keepsAccounts?: boolean
  /** Whether a batch accepts updates of accounts, and changes nothing. @default false */
  idleBatch?: boolean
  /** Milliseconds before each response. @default 0 */
  delay?: number
  /** @default 0 a free one */
  port?: number
}

export interface SmallServer extends TestServer {
  /** `METHOD path` of each request, oldest first. */
  log: string[]
  /** How many records both tables have. */
  count(): number
}

/** What lists call their parameters. */
const listWords = {
  usual: { page: 'page', perPage: 'perPage', filter: 'filter', sort: 'sort' },
  /** A parameter of the name of the field is a filter. */
  own: { page: 'page', perPage: 'limit', filter: undefined, sort: 'orderBy' },
  /** Words that no one can guess. */
  foreign: { page: 'seite', perPage: 'anzahl', filter: 'bedingung', sort: 'reihenfolge' },
  /** No one can guess what a page is called. */
  unpaged: { page: 'seite', perPage: 'limit', filter: 'filter', sort: 'sort' },
  /** The field of a sort, and its direction in `order`, which also applies to the order without a sort. */
  directed: { page: 'page', perPage: 'perPage', filter: 'filter', sort: 'rank_by' },
  /** A filter has no effect. */
  unfiltered: { page: 'page', perPage: 'perPage', filter: '', sort: 'sort' },
} as const

const note = { slug: 'a-b-c', title: 'A title', body: 'Some words of a note', pinned: false, rating: 3 }
const mostPerPage = 100
/** Of the only superuser. */
export const superuserToken = 'a token of the superuser'
const stamp = () => new Date().toISOString().replace('T', ' ')
const hash = (text: string) => createHash('sha256').update(text).digest('hex')

class Problem extends Error {
  readonly status: number
  readonly body: object

  constructor(status: number, error: string, facts: object = {}) {
    super(error)
    this.status = status
    this.body = { ok: false, error, ...facts }
  }
}

export async function startSmallServer({
  prefix = '/api/v1',
  names = { notes: 'notes', users: 'users' },
  fields = note,
  closed = false,
  filled = true,
  lists = 'usual',
  methodsOfNotes = false,
  sets = () => ({}),
  fixed = [],
  unique = [],
  noSignUps = false,
  verifiedOnly = false,
  secondFactor = false,
  codesOnly = false,
  returnsNoRecord = false,
  ignoresUnknown = false,
  hidesAccounts = false,
  accountText = 'name',
  keepsAccounts = false,
  idleBatch = false,
  delay = 0,
  port = 0,
}: SmallServerOptions = {}): Promise<SmallServer> {
  const log: string[] = []
  const sessions = new Map<string, string>()
  let tables = new Map<string, Map<string, Row>>([
    [names.notes, new Map()],
    [names.users, new Map()],
  ])
  const idOf = (name: string) => hash(name).slice(0, 15)
  /** A path names a table by its name or its id. */
  const nameOf = (segment: string) => [...tables.keys()].find((name) => idOf(name) === segment) ?? segment
  const rowsOf = (name: string) => tables.get(name) ?? fail(404, 'no_such_table')
  const rowOf = (name: string, id: string) => rowsOf(name).get(id) ?? fail(404, 'no_such_record')

  function create(name: string, body: Record<string, unknown>): Row {
    const id = randomUUID()
    const now = stamp()
    const given = name === names.users ? account(id, body) : setIn(noteOf(body), true)
    const isTaken = (field: string) =>
      [...rowsOf(name).values()].some((each) => each[field] !== '' && each[field] === body[field])
    if (name === names.notes && unique.some(isTaken)) throw new Problem(409, 'taken')
    const row = { id, collectionId: idOf(name), collectionName: name, created: now, updated: now, ...given }
    rowsOf(name).set(id, row)
    return row
  }

  function account(id: string, { email, password, passwordConfirm, ...others }: Record<string, unknown>) {
    if (typeof email !== 'string' || !email.includes('@')) throw new Problem(400, 'email_invalid')
    if ([...rowsOf(names.users).values()].some((each) => each.email === email && each.id !== id))
      throw new Problem(400, 'email_taken')
    if (typeof password !== 'string' || password.length < 8) throw new Problem(400, 'password_too_short')
    if (passwordConfirm !== undefined && passwordConfirm !== password)
      throw new Problem(400, 'passwords_differ')
    const text = { [accountText]: others[accountText] ?? '' }
    return { ...text, email, emailVisibility: true, verified: false, passwordHash: hash(id + password) }
  }

  function noteOf(body: Record<string, unknown>, before: Readonly<Record<string, unknown>> = emptyNote()) {
    const unknown = Object.keys(body).find((key) => !(key in fields))
    if (unknown !== undefined && !ignoresUnknown) throw new Problem(400, `unknown_field_${unknown}`)
    const known = Object.entries(body).filter(([key]) => key in fields)
    for (const [key, value] of known)
      if (typeof value !== typeof fields[key]) throw new Problem(400, `wrong_type_${key}`)
    return { ...before, ...Object.fromEntries(known) }
  }

  const setIn = (written: Record<string, unknown>, isNew: boolean) => ({
    ...written,
    ...sets(written, isNew),
  })

  const emptyNote = () =>
    Object.fromEntries(
      Object.entries(fields).map(([key, value]) => [
        key,
        typeof value === 'string' ? '' : typeof value === 'number' ? 0 : false,
      ]),
    )

  function update(name: string, id: string, body: Record<string, unknown>): Row {
    const row = rowOf(name, id)
    if (name === names.notes && fixed.some((key) => key in body)) throw new Problem(400, 'cannot_be_changed')
    const kept = Object.fromEntries(Object.keys(fields).map((key) => [key, row[key]]))
    const changed =
      name === names.notes
        ? setIn(noteOf(body, kept), false)
        : {
            ...(accountText in body ? { [accountText]: body[accountText] } : {}),
            ...passwordChange(row, body),
          }
    const next = { ...row, ...changed, updated: stamp() }
    rowsOf(name).set(id, next)
    return next
  }

  function passwordChange(row: Row, { password, passwordConfirm }: Record<string, unknown>) {
    if (password === undefined) return {}
    if (password !== passwordConfirm) throw new Problem(400, 'passwords_differ')
    for (const [token, id] of sessions) if (id === row.id) sessions.delete(token)
    return { passwordHash: hash(`${row.id}${password}`) }
  }

  function list(name: string, query: URLSearchParams, shows: (row: Row) => boolean = () => true) {
    const words = listWords[lists]
    const page = numberIn(query, words.page, 1)
    const perPage = numberIn(query, words.perPage, 30)
    const equal = [...query].filter(
      ([key]) => key in fields || key === 'id' || key === 'email' || key === accountText,
    )
    const matches =
      words.filter === undefined
        ? (row: Row) => equal.every(([key, text]) => String(row[key]) === text)
        : filterOf(query.get(words.filter) ?? '')
    const found = sorted(
      [...rowsOf(name).values()].filter((row) => shows(row) && matches(row)),
      query.get(words.sort) ?? '',
    )
    if (lists === 'directed' && query.get('order') === 'desc') found.reverse()
    const size = Math.min(perPage, mostPerPage)
    const items = found.slice((page - 1) * size, page * size).map(shown)
    return {
      page,
      perPage: size,
      totalItems: found.length,
      totalPages: Math.ceil(found.length / size),
      items,
    }
  }

  function signIn({ identity, password }: Record<string, unknown>) {
    if (codesOnly) throw new Problem(403, 'no_passwords')
    const row = [...rowsOf(names.users).values()].find(({ email }) => email === identity)
    if (row === undefined || row.passwordHash !== hash(`${row.id}${password}`))
      throw new Problem(400, 'wrong_sign_in')
    if (verifiedOnly && row.verified !== true) throw new Problem(403, 'verify_your_address')
    if (secondFactor) throw new Problem(401, 'second_factor', { mfaId: randomUUID() })
    return session(row)
  }

  function session(row: Row) {
    const token = randomUUID()
    sessions.set(token, row.id)
    return { token, record: shown(row) }
  }

  function batch({ requests }: Record<string, unknown>, caller: string | undefined) {
    if (!Array.isArray(requests)) throw new Problem(400, 'no_requests')
    const before = new Map([...tables].map(([name, rows]) => [name, new Map(rows)]))
    try {
      return requests.map((entry) => {
        const { method, url, body = {} } = entry ?? fail(400, 'empty_request')
        const path = String(url).slice(prefix.length)
        if (typeof body !== 'object' || body === null) throw new Problem(400, 'body_is_not_an_object')
        const isIdle = idleBatch && method === 'PATCH' && path.includes(`/${names.users}/`)
        return {
          status: 200,
          body: records(method, path, new URLSearchParams(), isIdle ? {} : body, caller) ?? null,
        }
      })
    } catch (error) {
      tables = before
      throw error
    }
  }

  function records(
    method: string,
    path: string,
    query: URLSearchParams,
    body: Record<string, unknown>,
    caller?: string,
  ) {
    const [, segment = '', id] =
      /^\/collections\/([^/]+)\/records(?:\/([^/]+))?$/.exec(path) ?? fail(404, 'no_such_path')
    const name = nameOf(segment)
    rowsOf(name)
    const isSuperuser = caller === superuserToken
    const isShut = closed !== false && (method !== 'GET' || closed !== true)
    if (name === names.notes && isShut && caller === undefined) throw new Problem(401, 'sign_in_first')
    if (name === names.notes && closed === 'superuser' && !isSuperuser) throw new Problem(403, 'not_yours')
    if (method === 'GET' && name === names.users && hidesAccounts)
      return id === undefined
        ? list(name, query, ({ id: own }) => own === caller)
        : shown(rowOf(name, id === caller ? id : ''))
    if (method === 'GET') return id === undefined ? list(name, query) : shown(rowOf(name, id))
    if (name === names.users && id !== undefined && rowOf(name, id).id !== caller && !isSuperuser)
      throw new Problem(403, 'not_yours')
    if (name === names.users && method === 'POST' && noSignUps && !isSuperuser)
      throw new Problem(403, 'no_sign_ups')
    if (method === 'POST' && id === undefined) {
      const created = shown(create(name, body))
      return returnsNoRecord ? { done: true } : created
    }
    if (method === 'PATCH' && id !== undefined) return shown(update(name, id, body))
    if (method !== 'DELETE' || id === undefined) throw new Problem(405, 'no_such_method')
    if (name === names.users && keepsAccounts) throw new Problem(403, 'accounts_are_kept')
    rowOf(name, id)
    rowsOf(name).delete(id)
    return undefined
  }

  async function respond(request: IncomingMessage): Promise<unknown> {
    const { pathname, searchParams } = new URL(request.url ?? '', 'http://small')
    if (!pathname.startsWith(`${prefix}/`)) throw new Problem(404, 'no_such_path')
    const path = decodeURIComponent(pathname.slice(prefix.length))
    const caller = callerOf(request.headers.authorization)
    const method = request.method ?? ''
    const body = method === 'GET' || method === 'DELETE' ? {} : await bodyOf(request)
    if (path === '/batch' && method === 'POST') return batch(body, caller)
    const action = `${method} ${path.replace(idOf(names.users), names.users)}`
    if (action === `GET /collections/${names.users}/auth-methods`)
      return { password: { enabled: !codesOnly, identityFields: ['email'] }, otp: { enabled: codesOnly } }
    if (methodsOfNotes && action === `GET /collections/${names.notes}/auth-methods`)
      return { password: { enabled: false, identityFields: ['email'] } }
    if (action === `POST /collections/${names.users}/auth-with-password`) return signIn(body)
    if (action === `POST /collections/${names.users}/auth-refresh`)
      return session(rowOf(names.users, caller ?? fail(401, 'sign_in_first')))
    return records(method, path, searchParams, body, caller)
  }

  /** An account whose session it is; a token that is not a session is rejected. */
  function callerOf(token: string | undefined): string | undefined {
    if (token === undefined || token === superuserToken) return token
    const id = sessions.get(token)
    return id !== undefined && rowsOf(names.users).has(id) ? id : undefined
  }

  if (filled) {
    create(names.notes, { ...fields })
    create(names.users, { email: 'first@example.com', password: 'the first password', name: 'First' })
  }
  const server = await startTestServer(async (request, response) => {
    log.push(`${request.method} ${request.url}`)
    if (delay > 0) await sleep(delay)
    const [status, body] = await respond(request).then(
      (body): [number, unknown] => [body === undefined ? 204 : 200, body],
      (error: unknown): [number, unknown] => {
        const { status, body } = error instanceof Problem ? error : new Problem(500, String(error))
        return [status, body]
      },
    )
    response.writeHead(status, { 'content-type': 'application/json' })
    response.end(body === undefined ? undefined : JSON.stringify(body))
  }, port)
  return { ...server, log, count: () => [...tables.values()].reduce((sum, rows) => sum + rows.size, 0) }
}

function fail(status: number, error: string): never {
  throw new Problem(status, error)
}

function shown({ passwordHash: _, ...row }: Row): Row {
  return row
}

function numberIn(query: URLSearchParams, name: string, fallback: number): number {
  const value = Number(query.get(name) ?? fallback)
  return Number.isInteger(value) && value > 0 ? value : fallback
}

/** `field = "text"`, with other comparisons, `&&` and `||`; no brackets. */
function filterOf(text: string): (row: Row) => boolean {
  if (text.trim() === '') return () => true
  const any = text.split('||').map((part) => part.split('&&').map(comparison))
  return (row) => any.some((all) => all.every((holds) => holds(row)))
}

function comparison(text: string): (row: Row) => boolean {
  const [, field = '', sign = '', value = ''] =
    /^[\s(]*(\w+)\s*(=|!=|~|<=|>=|<|>)\s*(.*?)[\s)]*$/.exec(text) ?? fail(400, 'bad_filter')
  const wanted = value.replace(/^(['"])(.*)\1$/s, '$2').replaceAll(/\\(.)/g, '$1')
  const compare: Record<string, (held: string) => boolean> = {
    '=': (held) => held === wanted,
    '!=': (held) => held !== wanted,
    '~': (held) => held.includes(wanted),
    '<': (held) => held < wanted,
    '>': (held) => held > wanted,
    '<=': (held) => held <= wanted,
    '>=': (held) => held >= wanted,
  }
  return (row) => (field in row ? (compare[sign]?.(String(row[field])) ?? false) : fail(400, 'bad_filter'))
}

function sorted(rows: Row[], sort: string): Row[] {
  const keys = sort.split(',').filter((key) => key !== '')
  return rows.sort((one, other) => {
    for (const key of keys) {
      const [field, sign] = key.startsWith('-') ? [key.slice(1), -1] : [key.replace('+', ''), 1]
      const [left, right] = [String(one[field]), String(other[field])]
      if (left !== right) return left < right ? -sign : sign
    }
    return 0
  })
}

async function bodyOf(request: IncomingMessage): Promise<Record<string, unknown>> {
  const parts: Buffer[] = []
  for await (const part of request) parts.push(part as Buffer)
  try {
    const body: unknown = JSON.parse(Buffer.concat(parts).toString('utf8') || '{}')
    if (typeof body === 'object' && body !== null && !Array.isArray(body))
      return body as Record<string, unknown>
  } catch {}
  throw new Problem(400, 'body_is_not_an_object')
}
