/**
 * An ordinary small server with one open table and one auth table, as its author would write it with Hono, and seventeen
 * mistakes that such authors make. It knows nothing of the suite.
 *
 * @module
 */

import { createHash, randomUUID } from 'node:crypto'
import type { ServerResponse } from 'node:http'
import { serve } from '@hono/node-server'
import { Hono } from 'hono'

/** The mistakes, each with what it does. */
export const bugs = {
  'page-offset': 'the second page starts one record too late',
  'pages-floor': 'totalPages is rounded down',
  'total-of-page': 'totalItems counts the records of the page',
  'filter-ignored': 'filters are ignored',
  'sort-ignored': 'sort orders are ignored',
  'patch-replaces': 'an update resets the fields that it does not send',
  'delete-200': 'a delete returns 200 with a body',
  'create-201': 'a create returns 201',
  'content-type': 'JSON is sent as text/plain',
  'batch-not-atomic': 'a failed batch keeps what it wrote',
  'old-token': 'a token stays valid after a change of the password',
  'bad-json-500': 'invalid JSON is a server error',
  'hash-shown': 'records show the hash of the password',
  'any-password': 'any password signs in',
  'created-moves': 'an update changes created',
  'html-errors': 'errors are HTML pages',
  'local-time': 'times are of another time zone, and no response has a Date header',
} as const

export type Bug = keyof typeof bugs

type Row = Record<string, unknown> & { id: string }
type Body = Record<string, unknown>

const hash = (text: string) => createHash('sha256').update(text).digest('hex')
const emptyNote = { title: '', body: '', pinned: false, rating: 0 }

class Problem extends Error {
  readonly status: number
  constructor(status: number, message: string) {
    super(message)
    this.status = status
  }
}

function notesApp(bug?: Bug): Hono {
  let tables: Record<string, Map<string, Row>> = { notes: new Map(), users: new Map() }
  const sessions = new Map<string, string>()
  const ahead = bug === 'local-time' ? 2 * 60 * 60 * 1000 : 0
  const stamp = () => new Date(Date.now() + ahead).toISOString().replace('T', ' ')
  const idOf = (name: string) => hash(name).slice(0, 15)

  const nameOf = (segment: string) => Object.keys(tables).find((name) => idOf(name) === segment) ?? segment
  const rowsOf = (name: string) => tables[name] ?? fail(404, 'no such table')
  const rowOf = (name: string, id: string) => rowsOf(name).get(id) ?? fail(404, 'no such record')
  const mayWrite = (name: string, id: string, caller?: string) =>
    name === 'notes' || id === caller || fail(403, 'not your account')

  function noteFields(body: Body): Body {
    for (const [key, value] of Object.entries(body))
      if (!(key in emptyNote) || typeof value !== typeof emptyNote[key as 'title'])
        fail(400, `${key} is not a field, or has another type`)
    return body
  }

  function passwordIn({ password, passwordConfirm }: Body, id: string): Body {
    if (typeof password !== 'string' || password.length < 8) fail(400, 'the password is too short')
    if (passwordConfirm !== password) fail(400, 'the passwords differ')
    return { passwordHash: hash(id + password) }
  }

  function accountFields({ email, name = '', ...body }: Body, id: string): Body {
    if (typeof email !== 'string' || !email.includes('@')) fail(400, 'the email is invalid')
    if ([...rowsOf('users').values()].some((each) => each.email === email)) fail(400, 'the email is taken')
    return { name, email, emailVisibility: true, verified: false, ...passwordIn(body, id) }
  }

  function create(name: string, body: Body): Row {
    const id = randomUUID()
    const now = stamp()
    const fields = name === 'users' ? accountFields(body, id) : { ...emptyNote, ...noteFields(body) }
    const row = { id, collectionId: idOf(name), collectionName: name, created: now, updated: now, ...fields }
    rowsOf(name).set(id, row)
    return row
  }

  function update(name: string, id: string, body: Body): Row {
    const { password, passwordConfirm, ...rest } = body
    const reset = bug === 'patch-replaces' && name === 'notes' ? emptyNote : {}
    const fields = name === 'users' ? ('name' in rest ? { name: rest.name } : {}) : noteFields(body)
    const row: Row = { ...rowOf(name, id), ...reset, ...fields, updated: stamp() }
    if (bug === 'created-moves') row.created = row.updated
    if (name === 'users' && password !== undefined) {
      Object.assign(row, passwordIn({ password, passwordConfirm }, id))
      if (bug !== 'old-token') for (const [token, owner] of sessions) if (owner === id) sessions.delete(token)
    }
    rowsOf(name).set(id, row)
    return row
  }

  function list(name: string, query: Record<string, string>) {
    const page = Math.max(1, Number.parseInt(query.page ?? '1', 10) || 1)
    const perPage = Math.min(100, Math.max(1, Number.parseInt(query.perPage ?? '30', 10) || 30))
    const filter = bug === 'filter-ignored' ? '' : (query.filter ?? '')
    const found = sorted(
      [...rowsOf(name).values()].filter(conditionOf(filter)),
      bug === 'sort-ignored' ? '' : (query.sort ?? ''),
    )
    const start = (page - 1) * perPage + (bug === 'page-offset' && page > 1 ? 1 : 0)
    const items = found.slice(start, start + perPage).map(shown)
    const totalItems = bug === 'total-of-page' ? items.length : found.length
    const totalPages = (bug === 'pages-floor' ? Math.floor : Math.ceil)(found.length / perPage)
    return { page, perPage, totalItems, totalPages, items }
  }

  function shown(row: Row): Body {
    const { passwordHash: _, ...rest } = row
    return bug === 'hash-shown' ? row : rest
  }

  function session(row: Row) {
    const token = randomUUID()
    sessions.set(token, row.id)
    return { token, record: shown(row) }
  }

  function signIn({ identity, password }: Body) {
    const row = [...rowsOf('users').values()].find(({ email }) => email === identity)
    const isRight = row?.passwordHash === hash(`${row?.id}${password}`)
    if (row === undefined || typeof password !== 'string' || !(isRight || bug === 'any-password'))
      return fail(400, 'wrong email or password')
    return session(row)
  }

  function batch({ requests }: Body, caller?: string) {
    if (!Array.isArray(requests)) return fail(400, 'requests is not an array')
    const before = Object.fromEntries(Object.entries(tables).map(([name, rows]) => [name, new Map(rows)]))
    try {
      return requests.map((entry) => {
        const { method, url, body = {} } = entry ?? fail(400, 'a request is empty')
        const [, segment = '', id = ''] =
          /^\/api\/v1\/collections\/([^/]+)\/records(?:\/([^/?]+))?$/.exec(url) ?? fail(400, 'wrong url')
        return { status: 200, body: write(method, nameOf(segment), id, objectIn(body), caller) ?? null }
      })
    } catch (error) {
      if (bug !== 'batch-not-atomic') tables = before
      throw error
    }
  }

  function write(method: string, name: string, id: string, body: Body, caller?: string): Body | undefined {
    if (method === 'POST' && id === '') return shown(create(name, body))
    if (method !== 'PATCH' && method !== 'DELETE') return fail(405, 'no such method')
    rowOf(name, id)
    mayWrite(name, id, caller)
    if (method === 'PATCH') return shown(update(name, id, body))
    rowsOf(name).delete(id)
    return undefined
  }

  /** The account of the session; a token that belongs to none is a guest's. */
  function callerOf(token: string | undefined): string | undefined {
    const id = token === undefined ? undefined : sessions.get(token)
    return id !== undefined && rowsOf('users').has(id) ? id : undefined
  }

  const app = new Hono()
  const records = '/api/v1/collections/:table/records'
  const json = (value: unknown, status = 200) =>
    new Response(JSON.stringify(value), {
      status,
      headers: { 'content-type': bug === 'content-type' ? 'text/plain' : 'application/json' },
    })
  const bodyOf = async (request: Request) => objectIn(parsed(await request.text(), bug === 'bad-json-500'))

  app.get(records, (c) => json(list(nameOf(c.req.param('table')), c.req.query())))
  app.get(`${records}/:id`, (c) => json(shown(rowOf(nameOf(c.req.param('table')), c.req.param('id')))))
  app.on(['POST', 'PATCH', 'DELETE'], [records, `${records}/:id`], async (c) => {
    const { method } = c.req
    const body = method === 'DELETE' ? {} : await bodyOf(c.req.raw)
    const name = nameOf(c.req.param('table') ?? '')
    const done = write(method, name, c.req.param('id') ?? '', body, callerOf(c.req.header('authorization')))
    if (done === undefined && bug !== 'delete-200') return new Response(null, { status: 204 })
    return json(done ?? { deleted: true }, method === 'POST' && bug === 'create-201' ? 201 : 200)
  })
  app.post('/api/v1/batch', async (c) =>
    json(batch(await bodyOf(c.req.raw), callerOf(c.req.header('authorization')))),
  )
  const isUsers = (segment: string) => nameOf(segment) === 'users' || fail(404, 'not an auth table')
  app.get('/api/v1/collections/:table/auth-methods', (c) => {
    isUsers(c.req.param('table'))
    return json({ password: { enabled: true, identityFields: ['email'] } })
  })
  app.post('/api/v1/collections/:table/auth-with-password', async (c) => {
    isUsers(c.req.param('table'))
    return json(signIn(await bodyOf(c.req.raw)))
  })
  app.post('/api/v1/collections/:table/auth-refresh', (c) => {
    isUsers(c.req.param('table'))
    const caller = callerOf(c.req.header('authorization')) ?? fail(401, 'sign in first')
    return json(session(rowOf('users', caller)))
  })
  app.notFound(() => error(404, 'no such path'))
  app.onError((problem) => error(problem instanceof Problem ? problem.status : 500, problem.message))
  const error = (status: number, message: string) =>
    bug === 'html-errors'
      ? new Response(`<h1>${message}</h1>`, { status, headers: { 'content-type': 'text/html' } })
      : json({ ok: false, error: message }, status)

  create('notes', { title: 'A title', body: 'Some words', rating: 3 })
  create('users', { email: 'first@example.com', password: 'the first one', passwordConfirm: 'the first one' })
  return app
}

function fail(status: number, message: string): never {
  throw new Problem(status, message)
}

function objectIn(value: unknown): Body {
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as Body
  return fail(400, 'the body is not an object')
}

function parsed(text: string, careless: boolean): unknown {
  try {
    return JSON.parse(text === '' ? '{}' : text)
  } catch (error) {
    return careless ? fail(500, String(error)) : fail(400, 'the body is not JSON')
  }
}

/** `field = "value"` and other comparisons, joined by `&&` or `||`. */
function conditionOf(text: string): (row: Row) => boolean {
  if (text.trim() === '') return () => true
  const any = text.split('||').map((part) => part.split('&&').map(comparison))
  return (row) => any.some((all) => all.every((holds) => holds(row)))
}

function comparison(text: string): (row: Row) => boolean {
  const [, field = '', sign = '', value = ''] =
    /^[\s(]*(\w+)\s*(=|!=|~)\s*(.*?)[\s)]*$/.exec(text) ?? fail(400, 'the filter cannot be read')
  const wanted = value.replace(/^(['"])(.*)\1$/s, '$2').replaceAll(/\\(.)/g, '$1')
  return (row) => {
    const held = field in row ? String(row[field]) : fail(400, `there is no field ${field}`)
    return sign === '~' ? held.includes(wanted) : (held === wanted) === (sign === '=')
  }
}

function sorted(rows: Row[], order: string): Row[] {
  const [, sign = '', field = ''] = /^([+-]?)(\w+)/.exec(order) ?? []
  if (field === '') return rows
  const [up, down] = sign === '-' ? [1, -1] : [-1, 1]
  return rows.sort((one, other) => {
    const [left, right] = [one[field], other[field]] as [string, string]
    return left < right ? up : left > right ? down : 0
  })
}

export interface NotesServer {
  url: string
  close(): Promise<void>
}

/** Starts it on a free port. */
export async function startNotesServer(bug?: Bug): Promise<NotesServer> {
  return new Promise((resolve) => {
    const server = serve({ fetch: notesApp(bug).fetch, port: 0, hostname: '127.0.0.1' }, ({ port }) =>
      resolve({
        url: `http://127.0.0.1:${port}`,
        close: () => new Promise((closed) => server.close(() => closed())),
      }),
    )
    if (bug === 'local-time')
      server.prependListener('request', (_, response: ServerResponse) => {
        response.sendDate = false
      })
  })
}
