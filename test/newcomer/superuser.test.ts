/** An address and a superuser: a table that only the superuser may use is found, and shows whether its token is accepted. */

import { expect, it, onTestFinished, vi } from 'vitest'
import type { TableDefinition } from '../../spec/table-definition.ts'
import { runBy } from '../support/blog.ts'
import { type Front, startFronted } from '../support/fronted-reference.ts'
import { openRules, stamps } from '../support/open-rules.ts'
import { ownStateFolder } from '../support/own-state-folder.ts'

ownStateFolder()

const root = { email: 'root@example.com', password: 'a long password' }
const closed = { listRule: null, viewRule: null, createRule: null, updateRule: null, deleteRule: null }
const ofAccounts = {
  listRule: '@request.auth.id != ""',
  viewRule: '@request.auth.id != ""',
  createRule: '@request.auth.id != ""',
  updateRule: null,
  deleteRule: null,
}
const fields = [{ name: 'title', type: 'text', required: true }, ...stamps] as const

/** Notes are open, comments are for accounts, and orders for superusers. */
const tables: TableDefinition[] = [
  { name: 'notes', type: 'base', ...openRules, fields: [...fields] },
  { name: 'comments', type: 'base', ...ofAccounts, fields: [...fields] },
  { name: 'orders', type: 'base', ...closed, fields: [...fields] },
  { name: 'users', type: 'auth', ...openRules, fields: [] },
]

/** Notes that only their owner sees: who creates one owns it. */
const owned: TableDefinition[] = [
  {
    name: 'notes',
    type: 'base',
    listRule: 'owner = @request.auth.id',
    viewRule: 'owner = @request.auth.id',
    createRule: '@request.auth.id != ""',
    updateRule: 'owner = @request.auth.id',
    deleteRule: 'owner = @request.auth.id',
    fields: [...fields, { name: 'owner', type: 'text', required: true }],
  },
  { name: 'users', type: 'auth', ...openRules, fields: [] },
]

/** The id in a token of the reference. */
function senderOf({ headers }: Request): unknown {
  const [, payload = ''] = (headers.get('authorization') ?? '').split('.')
  return payload === '' ? undefined : JSON.parse(Buffer.from(payload, 'base64url').toString()).id
}

type Fields = Record<string, unknown>

/** Sets the owner of each note that a request creates. */
const withOwner: Front = async (request, next) => {
  const isBatch = request.url.endsWith('/batch')
  if (request.method !== 'POST' || !(isBatch || request.url.endsWith('/records'))) return next(request)
  const owner = senderOf(request)
  const owned = (fields: Fields): Fields => ('title' in fields ? { ...fields, owner } : fields)
  const sent = (await request.json()) as Fields
  const entries = (sent.requests ?? []) as { method: string; body?: Fields }[]
  const requests = entries.map((each) =>
    each.method === 'POST' && each.body ? { ...each, body: owned(each.body) } : each,
  )
  const body = JSON.stringify(isBatch ? { ...sent, requests } : owned(sent))
  return next(new Request(request.url, { method: 'POST', headers: request.headers, body }))
}

async function run(
  only: string[],
  front: Front = (request, next) => next(request),
  definitions: TableDefinition[] = tables,
) {
  const server = await startFronted({ tables: definitions, superusers: [root] }, front)
  onTestFinished(() => server.close())
  vi.stubEnv('CONFORMANCE_SUPERUSER_IDENTITY', root.email)
  vi.stubEnv('CONFORMANCE_SUPERUSER_PASSWORD', root.password)
  onTestFinished(() => void vi.unstubAllEnvs())
  return runBy(server.url, only)
}

it('finds the table that is closed to all others', async () => {
  const { statuses, notes, leftovers } = await run(['auth.superuser-token', 'batch.caller'])
  expect(notes).toContainEqual(expect.stringMatching(/^uses .*locked ← orders/))
  expect(statuses).toEqual({ 'auth.superuser-token': 'pass', 'batch.caller': 'pass' })
  expect(leftovers).toEqual([])
})

it('is of use: a batch of a guest must not do more than the guest may', async () => {
  const { statuses } = await run(['batch.caller'], async (request, next) => {
    if (!request.url.endsWith('/batch')) return next(request)
    const signIn = await next(
      new Request(new URL('/api/v1/collections/_superusers/auth-with-password', request.url), {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ identity: root.email, password: root.password }),
      }),
    )
    const { token } = (await signIn.json()) as { token: string }
    const headers = new Headers(request.headers)
    headers.set('authorization', token)
    return next(new Request(request, { headers }))
  })
  expect(statuses).toEqual({ 'batch.caller': 'fail' })
})

it('makes records as the account that sends the requests of guests, which sees no others', async () => {
  const checks = ['create.persists', 'list.filter-narrows', 'record.sequences']
  const { statuses, notes } = await run(checks, withOwner, owned)
  expect(notes).toContainEqual(expect.stringMatching(/^notes is closed to guests: .* as an account/))
  expect(statuses).toEqual({
    'create.persists': 'pass',
    'list.filter-narrows': 'pass',
    'record.sequences': 'pass',
  })
})
