/** Accounts that sign in by username alone: the run gives them one, and what they can show is judged. */

import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import type { TableDefinition } from '../../spec/table-definition.ts'
import { runBy } from '../support/blog.ts'
import { type Front, startFronted } from '../support/fronted-reference.ts'
import { stamps } from '../support/open-rules.ts'
import { ownStateFolder } from '../support/own-state-folder.ts'
import { runConformance } from '../support/run-here.ts'

const folder = ownStateFolder()

const own = 'id = @request.auth.id'
const tables: TableDefinition[] = [
  {
    name: 'people',
    type: 'auth',
    listRule: own,
    viewRule: own,
    createRule: '',
    updateRule: own,
    deleteRule: own,
    fields: [
      { name: 'username', type: 'text', required: true, pattern: '^[A-Za-z0-9_]{3,40}$' },
      { name: 'name', type: 'text' },
      ...stamps,
    ],
    indexes: ['CREATE UNIQUE INDEX `idx_people_username` ON `people` (`username`)'],
    passwordAuth: { enabled: true, identityFields: ['username'] },
  },
]
const checks = [
  'auth.response-token',
  'auth.response-record',
  'auth.password-wrong',
  'auth.identity-username',
  'auth.identity-not-configured',
  'auth.identity-unknown',
  'auth.identity-email',
  'auth.user-token',
]

async function run(front: Front = (request, next) => next(request)) {
  const server = await startFronted({ tables }, front)
  onTestFinished(() => server.close())
  return runBy(server.url, checks)
}

const methods =
  (body: unknown): Front =>
  async (request, next) =>
    request.url.endsWith('/auth-methods') ? Response.json(body) : next(request)

/** Creates show nothing of what they made: only a sign-in shows the id of an account. */
const reticent: Front = async (request, next) => {
  const response = await next(request)
  const isCreate = request.method === 'POST' && request.url.endsWith('/records')
  return isCreate && response.ok ? new Response(null, { status: 204 }) : response
}

/** Sign-ins by a username, and by an address, as the requests show them. */
function counting(front: Front = (request, next) => next(request)) {
  const signIns = { accepted: 0, addresses: 0 }
  const counted: Front = async (request, next) => {
    const isSignIn = request.url.endsWith('/auth-with-password')
    const { identity = '' } = isSignIn ? ((await request.clone().json()) as { identity?: string }) : {}
    const response = await front(request, next)
    if (isSignIn && response.ok) signIns.accepted += 1
    if (String(identity).includes('@')) signIns.addresses += 1
    return response
  }
  return { signIns, counted }
}

it.each<[string, Front | undefined, string]>([
  ['that auth-methods reports', undefined, ''],
  [
    'that a rejected sign-up asks for',
    methods({ password: { enabled: true }, otp: { enabled: false } }),
    ', with {"username":"{unique}"} in addition to address and password',
  ],
  ['where only a sign-in shows an account', reticent, ''],
])('signs accounts in by the username %s', async (_, front, more) => {
  const { signIns, counted } = counting(front)
  const { statuses, notes, leftovers } = await run(counted)
  const note = `guests may sign up in people${more}, and sign in by "username" instead of the address; an account may view, update and delete itself`
  expect(notes).toContain(note)
  const { 'auth.identity-email': byEmail, ...others } = statuses
  expect(byEmail).toBe('untestable')
  expect(new Set(Object.values(others))).toEqual(new Set(['pass']))
  expect(leftovers).toEqual([])
  expect(signIns.accepted).toBeGreaterThan(signIns.addresses)
})

it('finds an address that signs in although only usernames should', async () => {
  const accepting: Front = async (request, next) => {
    if (!request.url.endsWith('/auth-with-password')) return next(request)
    const { identity, ...body } = (await request.clone().json()) as { identity?: string }
    const username = usernames.get(String(identity)) ?? identity
    return next(
      new Request(request.url, {
        method: 'POST',
        headers: request.headers,
        body: JSON.stringify({ ...body, identity: username }),
      }),
    )
  }
  const usernames = new Map<string, string>()
  const noting: Front = async (request, next) => {
    if (request.method === 'POST' && request.url.endsWith('/records')) {
      const { email, username } = (await request.clone().json()) as { email: string; username: string }
      usernames.set(email, username)
    }
    return accepting(request, next)
  }
  const { statuses, leftovers } = await run(noting)
  expect(statuses).toMatchObject({ 'auth.identity-not-configured': 'fail' })
  expect(leftovers).toEqual([])
})

it('judges a claimed profile, with forms and the fields that auth-methods reports', async () => {
  const server = await startFronted({ tables }, (request, next) => next(request))
  onTestFinished(() => server.close())
  const target = join(folder, 'claimed.json')
  const members = { name: 'people', identity: 'username' }
  writeFileSync(target, JSON.stringify({ baseUrl: server.url, profile: 'standard', tables: { members } }))
  const only = ['sign-in.forms', 'sign-in.identity-field', 'sign-in.id-no-identity']
  const { findings } = await runConformance({ target, seed: 7, only })
  expect(findings.map(({ requirement, status }) => [requirement, status]).sort()).toEqual(
    only.map((id) => [id, 'pass']).sort(),
  )
})

it('names the mapping as a cause where a table with the role for usernames accepts addresses, too', async () => {
  const both = tables.map((table) => ({
    ...table,
    passwordAuth: { enabled: true, identityFields: ['email', 'username'] },
  }))
  const server = await startFronted({ tables: both }, (request, next) => next(request))
  onTestFinished(() => server.close())
  const target = join(folder, 'both.json')
  const roles = { members: { name: 'people', values: { username: '{unique}' } }, named: { name: 'people' } }
  writeFileSync(target, JSON.stringify({ baseUrl: server.url, tables: roles }))
  const { findings } = await runConformance({ target, only: ['auth.identity-not-configured'], seed: 7 })
  expect(findings).toMatchObject([
    {
      status: 'fail',
      message: expect.stringContaining('if people accepts both by design, do not map the role "named" to it'),
    },
  ])
})
