/** Sign-ins to a table whose accounts sign in by username alone, by a client that knows only their addresses. */

import { afterEach, beforeEach, expect, it } from 'vitest'
import { startTestServer, type TestServer } from '../../test/support/test-server.ts'
import { cleanEnd } from '../cleanup/clean-end.ts'
import { scopeOf, uniqueNames } from '../ownership/scopes.ts'
import { createSession } from '../session/create-session.ts'
import type { Body } from '../vocabulary/api.ts'
import type { Session } from '../vocabulary/session.ts'

type Account = Body & { id: string }

const members = { role: 'members', name: 'people', identity: 'login', fields: { username: 'login' } }
const password = 'Brisk-Heron-No.4'
let server: TestServer
let session: Session
let accounts: Map<string, Account>
/** Identities of the sign-ins that the server received. */
let received: string[]
/** Whether updates and creates show what they have written. */
let shows: boolean
let unique: (prefix?: string) => string

/** A body as JSON, or as one of the two forms. */
function read(text: string): Body {
  if (text.startsWith('{')) return JSON.parse(text) as Body
  const parts = [...text.matchAll(/name="(\w+)"\r\n\r\n(.*)\r\n/g)].map(([, key = '', value = '']) => [
    key,
    value,
  ])
  return Object.fromEntries(parts.length > 0 ? parts : new URLSearchParams(text))
}

beforeEach(async () => {
  accounts = new Map()
  received = []
  shows = true
  unique = uniqueNames('run', 'a.check')
  server = await startTestServer(async (request, response) => {
    let text = ''
    for await (const chunk of request) text += chunk
    const send = (status: number, body?: unknown) => {
      response.writeHead(status, { 'content-type': 'application/json' })
      response.end(body === undefined ? undefined : JSON.stringify(body))
    }
    const { pathname } = new URL(request.url ?? '', 'http://127.0.0.1')
    const me = request.headers.authorization?.replace('token-of-', '')
    const make = (sent: Body) => {
      const account = { ...sent, id: `r${accounts.size}` }
      accounts.set(account.id, account)
      return account
    }
    if (pathname.endsWith('/auth-with-password')) {
      const sent = read(text)
      received.push(String(sent.identity))
      const found = [...accounts.values()].find(
        (each) => each.login === sent.identity && each.password === sent.password,
      )
      return found === undefined ? send(400, {}) : send(200, { token: `token-of-${found.id}`, record: found })
    }
    if (pathname.endsWith('/batch')) {
      const { requests } = JSON.parse(text) as { requests: { body: Body }[] }
      return send(
        200,
        requests.map(({ body }) => ({ status: 200, body: make(body) })),
      )
    }
    if (request.method === 'POST') {
      const made = make(read(text))
      return shows ? send(201, made) : send(204)
    }
    const own = accounts.get(pathname.split('/').at(-1) ?? '')
    if (own === undefined || own.id !== me) return send(404, {})
    if (request.method === 'DELETE') return send(accounts.delete(own.id) ? 204 : 404)
    if (request.method === 'PATCH') Object.assign(own, JSON.parse(text))
    return request.method === 'PATCH' && !shows ? send(204) : send(200, own)
  })
  session = createSession(
    {
      baseUrl: server.url,
      binding: { prefix: '/api/v1' },
      capabilities: {},
      tables: { members },
      credentials: {},
    },
    { requirements: new Map() },
    { seed: 1 },
  )
  session.scopes.add(scopeOf('run', 'a.check'))
})
afterEach(async () => {
  await cleanEnd(session)
  expect(session.cleanup.leftovers.all).toEqual([])
  expect(accounts.size).toBe(0)
  await session.close()
  await server.close()
})

const newBody = () => ({ email: `${unique('m')}@example.com`, password })
const signIn = (email: string, api = session.api('guest')) =>
  api.authWithPassword(members, { identity: email, password })

it('signs an account in by the username that its create got', async () => {
  const body = newBody()
  await session.api('guest').create(members, body)
  expect((await signIn(body.email)).ok).toBe(true)
  expect((await signIn(body.email.toUpperCase())).ok).toBe(true)
  expect(received).toEqual(Array(2).fill([...accounts.values()][0]?.login))
})

it('signs in what a form, a batch and a request as it is have created', async () => {
  const api = session.api('guest')
  const [one, two, three] = [newBody(), newBody(), newBody()]
  const form = new FormData()
  for (const [key, value] of Object.entries(one)) form.append(key, value)
  const path = api.path.records(members)
  await api.create(members, form)
  await api.batch([{ method: 'POST', url: path, body: two }])
  await api.raw({ method: 'POST', path, json: three })
  for (const { email } of [one, two, three]) expect((await signIn(email)).ok).toBe(true)
  const json = { identity: one.email, password }
  const { body } = await api.raw({ method: 'POST', path: api.path.auth(members, 'auth-with-password'), json })
  const { token, record } = body as { token: string; record: Account }
  // The clean-up does not read forms: it knows no password of this account.
  await api.withToken(token).view(members, record.id)
  await api.withToken(token).delete(members, record.id)
})

it('signs in by a form', async () => {
  const body = newBody()
  const api = session.api('guest')
  await api.create(members, body)
  const path = api.path.auth(members, 'auth-with-password')
  const form = new FormData()
  form.set('identity', body.email)
  form.set('password', password)
  const encoded = new URLSearchParams({ password, identity: body.email }).toString()
  const headers = { 'content-type': 'application/x-www-form-urlencoded' }
  expect((await api.raw({ method: 'POST', path, body: form })).ok).toBe(true)
  expect((await api.raw({ method: 'POST', path, headers, body: encoded })).ok).toBe(true)
  expect(received).toEqual(Array(2).fill([...accounts.values()][0]?.login))
})

it('keeps the username that a check has sent', async () => {
  const body = { ...newBody(), username: 'mine_abc' }
  await session.api('guest').create(members, body)
  await signIn(body.email)
  await signIn('mine_abc')
  expect(received).toEqual(['mine_abc', 'mine_abc'])
})

it.each([true, false])('follows a change of the address, where updates show it: %s', async (isShown) => {
  const body = newBody()
  await session.api('guest').create(members, body)
  const { body: session1 } = await signIn(body.email)
  const { token, record } = session1 as { token: string; record: Account }
  shows = isShown
  const email = `${unique('n')}@example.com`
  expect((await signIn(email)).ok).toBe(false)
  await session.api('guest').withToken(token).update(members, record.id, { email })
  expect((await signIn(email)).ok).toBe(true)
  expect((await signIn(body.email)).ok).toBe(false)
  expect(received.at(-1)).toBe(body.email)
})

it('sends an address that it does not know as it is, and any address where a check wants that', async () => {
  const body = newBody()
  await session.api('guest').create(members, body)
  await signIn('x@example.com')
  await signIn(body.email, session.api('guest').literal())
  expect(received).toEqual(['x@example.com', body.email])
})

it('deletes an account whose id no response to its create has shown', async () => {
  shows = false
  await session.api('guest').create(members, newBody())
  expect(accounts.size).toBe(1)
})
