/**
 * A server as it is after each of its author's steps: every step adds operations, and everything else gets one and the same
 * 404. It can also do one thing wrong.
 *
 * @module
 */

import { randomBytes } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { startTestServer, type TestServer } from './test-server.ts'

type Row = Record<string, unknown> & { id: string }

/** In the order in which they are written. */
const steps = ['list', 'view', 'create', 'update', 'delete', 'sign-in'] as const

export type BuildStep = (typeof steps)[number]

/** What it does wrong. */
export type Mistake =
  /** A PATCH gets no response. */
  | 'patch-hangs'
  /** A PATCH closes the connection. */
  | 'patch-drops'
  /** A list is `{ data, total }`. */
  | 'list-data'
  /** A list is an array. */
  | 'list-array'

/** @param last the last step that is done */
export function startHalfBuiltServer(last: BuildStep, mistake?: Mistake): Promise<TestServer> {
  const done = (step: BuildStep) => steps.indexOf(step) <= steps.indexOf(last)
  const tables: Record<string, Map<string, Row>> = { users: new Map(), notes: new Map() }
  const passwords = new Map<string, unknown>()
  const sessions = new Map<string, string>()

  function created(name: string, body: Record<string, unknown>): Row | undefined {
    const now = new Date().toISOString().replace('T', ' ')
    const base = {
      id: randomBytes(8).toString('hex'),
      collectionId: `c_${name}`,
      collectionName: name,
      created: now,
      updated: now,
    }
    if (name === 'notes') return { ...base, title: body.title ?? '' }
    if (!body.email || !body.password) return undefined
    passwords.set(base.id, body.password)
    return { ...base, email: body.email, name: body.name ?? '', verified: false }
  }

  function list(rows: readonly Row[], query: URLSearchParams): unknown {
    const page = Number(query.get('page') ?? 1)
    const perPage = Number(query.get('perPage') ?? 30)
    const items = rows.slice((page - 1) * perPage, page * perPage)
    if (mistake === 'list-array') return items
    if (mistake === 'list-data') return { data: items, total: rows.length }
    return { page, perPage, totalItems: rows.length, totalPages: Math.ceil(rows.length / perPage), items }
  }

  return startTestServer(async (request: IncomingMessage, response: ServerResponse) => {
    const { method = 'GET', url = '' } = request
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk as Buffer)
    const send = (status: number, body?: unknown) =>
      response
        .writeHead(status, { 'content-type': 'application/json' })
        .end(body === undefined ? undefined : JSON.stringify(body))
    const nothing = () => send(404, { status: 404, message: 'not found', data: {} })
    const { pathname, searchParams } = new URL(url, 'http://localhost')
    const [, name = '', rest = ''] = /^\/api\/v1\/collections\/([^/]+)\/(.+)$/.exec(pathname) ?? []
    const rows = tables[name]
    if (rows === undefined) return nothing()
    let body: Record<string, unknown>
    try {
      body = JSON.parse(Buffer.concat(chunks).toString() || '{}')
    } catch {
      return send(400, { status: 400, message: 'not JSON', data: {} })
    }
    if (name === 'users' && done('sign-in') && rest === 'auth-methods')
      return send(200, { password: { enabled: true, identityFields: ['email'] } })
    if (name === 'users' && done('sign-in') && rest === 'auth-with-password') {
      const row = [...rows.values()].find(({ email }) => email === body.identity)
      if (row === undefined || passwords.get(row.id) !== body.password)
        return send(400, { status: 400, message: 'wrong email or password', data: {} })
      const token = randomBytes(16).toString('hex')
      sessions.set(token, row.id)
      return send(200, { token, record: row })
    }
    const [, id] = /^records(?:\/([^/]+))?$/.exec(rest) ?? []
    if (!rest.startsWith('records')) return nothing()
    if (method === 'PATCH' && mistake === 'patch-hangs') return undefined
    if (method === 'PATCH' && mistake === 'patch-drops') return void request.socket.destroy()
    if (id === undefined) {
      if (method === 'GET') return send(200, list([...rows.values()], searchParams))
      if (method !== 'POST' || !done('create')) return nothing()
      const row = created(name, body)
      if (row === undefined)
        return send(400, { status: 400, message: 'email and password are required', data: {} })
      rows.set(row.id, row)
      return send(200, row)
    }
    const row = rows.get(id)
    const isOwner = name === 'notes' || sessions.get(request.headers.authorization ?? '') === id
    if (method === 'GET' && done('view')) return row === undefined ? nothing() : send(200, row)
    if (method === 'PATCH' && done('update')) {
      if (row === undefined || !isOwner)
        return send(404, { status: 404, message: 'no such record', data: {} })
      if ('title' in body && name === 'notes') row.title = body.title
      row.updated = new Date().toISOString().replace('T', ' ')
      return send(200, row)
    }
    if (method === 'DELETE' && done('delete')) {
      if (row === undefined || !isOwner)
        return send(404, { status: 404, message: 'no such record', data: {} })
      rows.delete(id)
      return send(204)
    }
    return nothing()
  })
}
