/**
 * Proof by consumers: the description becomes types (openapi-typescript), a strict client compiles with them and uses
 * every operation and every typed part, and runs against `serve` (openapi-fetch).
 */

import { mkdtemp, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { exampleTables } from '../../scripts/openapi-examples/example-tables.ts'
import { type Serving, startServing } from '../../serve/serving.ts'
import { operationPaths } from '../../spec/generated/operations.ts'
import { compile } from '../support/compile.ts'
import { generatedTypes } from '../support/generated-types.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))
const MINUTE = 60_000
const password = 'correct-horse-battery'

const program = `
import createClient from 'openapi-fetch'
import type { components, paths } from './schema.js'

type Schemas = components['schemas']

export interface World {
  baseUrl: string
  /** What the next email contains: a code, or the token of a link. */
  mailed(what: 'code' | 'token'): Promise<string>
  superuser: { identity: string; password: string }
}

const password = '${password}'
const members = { path: { table: 'members' } }
const posts = { path: { table: 'posts' } }

function found<T>(value: T | undefined, what: string): T {
  if (value === undefined) throw new Error('no ' + what)
  return value
}

/** A generated type has no name for what tells an auth record from another one. */
const isAuthRecord = (record: Schemas['AnyRecord']): record is Schemas['AuthRecord'] =>
  typeof record.verified === 'boolean' && typeof record.emailVisibility === 'boolean'

/** Narrows what a sign-in returns, without a cast. */
function sessionIn(answer: Schemas['SignInResponse']): Schemas['AuthResponse'] {
  if (answer.token) return answer
  if ('mfaId' in answer) throw new Error('a second factor is needed: ' + answer.mfaId)
  throw new Error('rejected')
}

export async function useEveryOperation({ baseUrl, mailed, superuser }: World): Promise<string[]> {
  const client = createClient<paths>({ baseUrl })
  const lines: string[] = []
  const say = (operation: string, text: unknown) => lines.push(operation + ': ' + text)
  async function signIn(identity: string, secret: string, table = 'members'): Promise<Schemas['AuthResponse']> {
    const { data, error } = await client.POST('/api/v1/collections/{table}/auth-with-password', {
      params: { path: { table } },
      body: { identity, password: secret },
    })
    if (error) throw new Error('message' in error ? error.message : error.mfaId)
    return sessionIn(data)
  }

  const account = { email: 'ada@example.com', password, passwordConfirm: password, emailVisibility: true, name: 'Ada' }
  const member = found(
    (await client.POST('/api/v1/collections/{table}/records', { params: members, body: account })).data,
    'member',
  )
  const name: unknown = member.name
  say('createRecord', name)

  const methods = found(
    (await client.GET('/api/v1/collections/{table}/auth-methods', { params: members })).data,
    'methods',
  )
  const fields: string[] = methods.password.identityFields
  const seconds: number = methods.otp.duration
  say('listAuthMethods', [fields.join(), seconds, methods.oauth2.providers.map((each) => each.codeChallengeMethod)])

  const session = await signIn(account.email, password)
  const email: string = session.record.email
  const verified: boolean = session.record.verified
  say('authWithPassword', [email, verified])
  const headers = { authorization: session.token }

  const refused = await client.POST('/api/v1/collections/{table}/records', {
    params: posts,
    headers,
    body: { title: 'x'.repeat(61) },
  })
  const problem: Schemas['FieldError'] = found(refused.error?.data.title, 'problem')
  const most: number | undefined = problem.params?.max
  say('createRecord, rejected', [problem.code, most])

  const post = found(
    (await client.POST('/api/v1/collections/{table}/records', {
      params: { ...posts, query: { expand: 'author' } },
      headers,
      body: { title: 'On engines', status: 'draft', author: session.record.id, place: { lon: 1.5, lat: 2 } },
    })).data,
    'post',
  )
  const place = post.place as Schemas['GeoPointValue']
  const created: Schemas['RecordTime'] = post.created
  say('createRecord, a post', [post.title, place.lon + place.lat, created.length])
  const one = { path: { table: 'posts', id: post.id } }

  const changed = found(
    (await client.PATCH('/api/v1/collections/{table}/records/{id}', {
      params: one,
      headers,
      body: { status: 'published', 'views+': 2 },
    })).data,
    'changed post',
  )
  say('updateRecord', [changed.status, changed.views])

  const viewed = found(
    (await client.GET('/api/v1/collections/{table}/records/{id}', {
      params: { ...one, query: { expand: 'author', fields: '*,expand.author.email,expand.author.verified,expand.author.emailVisibility' } },
    })).data,
    'viewed post',
  )
  const author = viewed.expand?.author
  if (author === undefined || Array.isArray(author) || !isAuthRecord(author)) throw new Error('no author')
  const hidden: boolean | undefined = author.emailVisibility
  say('viewRecord', [author.email, hidden])

  const page = found(
    (await client.GET('/api/v1/collections/{table}/records', {
      params: { ...posts, query: { page: 1, perPage: 1, filter: 'views > 1', sort: '-created', skipTotal: false } },
    })).data,
    'page',
  )
  const count: number = page.totalItems + page.totalPages + page.page + page.perPage
  for (const item of page.items) say('listRecords', [count, item.id === post.id, item.collectionName])
  // @ts-expect-error There are no spellings of true in the types.
  client.GET('/api/v1/collections/{table}/records', { params: { ...posts, query: { skipTotal: 'T' } } })
  // @ts-expect-error A page is a number.
  client.GET('/api/v1/collections/{table}/records', { params: { ...posts, query: { page: 'one' } } })

  const batch = found(
    (await client.POST('/api/v1/batch', {
      headers,
      body: {
        requests: [
          { method: 'POST', url: '/api/v1/collections/posts/records', body: { title: 'On looms' } },
          { method: 'PATCH', url: '/api/v1/collections/posts/records/' + post.id, body: { 'views+': 1 } },
          { method: 'DELETE', url: '/api/v1/collections/posts/records/' + post.id },
        ],
      },
    })).data,
    'batch',
  )
  for (const entry of batch)
    if (entry.status === 200) say('batch', [entry.body.title, entry.body.id.length])
    else say('batch', entry.status satisfies 204)
  await client.POST('/api/v1/batch', {
    headers,
    // @ts-expect-error Not a method of a batch.
    body: { requests: [{ method: 'GET', url: '/api/v1/collections/posts/records' }] },
  })
  const failed = (await client.POST('/api/v1/batch', {
    headers,
    body: {
      requests: [
        { method: 'POST', url: '/api/v1/collections/posts/records', body: { title: 'On cards' } },
        { method: 'POST', url: '/api/v1/collections/posts/records', body: { title: 'x'.repeat(61) } },
      ],
    },
  })).error
  const entry = failed?.data.requests?.['1']
  if (entry === undefined || !('response' in entry)) throw new Error('no failed write')
  say('batch, failed', [entry.code, entry.response.data.title?.params?.max])

  const gone = await client.DELETE('/api/v1/collections/{table}/records/{id}', { params: one, headers })
  const status: number | undefined = gone.error?.status
  say('deleteRecord', status)

  const code = found(
    (await client.POST('/api/v1/collections/{table}/request-otp', { params: members, body: { email } })).data,
    'code request',
  )
  const byCode = found(
    (await client.POST('/api/v1/collections/{table}/auth-with-otp', {
      params: members,
      body: { otpId: code.otpId, password: await mailed('code') },
    })).data,
    'session by code',
  )
  say('requestOtp, authWithOtp', byCode.record.verified)

  const refreshed = found(
    (await client.POST('/api/v1/collections/{table}/auth-refresh', {
      params: members,
      headers: { authorization: byCode.token },
    })).data,
    'renewed session',
  )
  say('authRefresh', refreshed.record.id === member.id)

  const root = await signIn(superuser.identity, superuser.password, '_superusers')
  const impersonated = found(
    (await client.POST('/api/v1/collections/{table}/impersonate/{id}', {
      params: { path: { table: 'members', id: member.id } },
      headers: { authorization: root.token },
      body: { duration: 60 },
    })).data,
    'session of another',
  )
  say('impersonate', impersonated.record.email)

  const worker = { email: 'grace@example.com', password, passwordConfirm: password }
  await client.POST('/api/v1/collections/{table}/records', {
    params: { path: { table: 'staff' } },
    headers: { authorization: root.token },
    body: worker,
  })
  const first = await client.POST('/api/v1/collections/{table}/auth-with-password', {
    params: { path: { table: 'staff' } },
    body: { identity: worker.email, password },
  })
  if (first.error === undefined || !('mfaId' in first.error)) throw new Error('one factor was enough')
  const mfaId: string = first.error.mfaId
  const second = found(
    (await client.POST('/api/v1/collections/{table}/request-otp', {
      params: { path: { table: 'staff' } },
      body: { email: worker.email },
    })).data,
    'second factor',
  )
  const both = await client.POST('/api/v1/collections/{table}/auth-with-otp', {
    params: { path: { table: 'staff' }, query: { mfaId } },
    body: { otpId: second.otpId, password: await mailed('code') },
  })
  say('two factors', found(both.data, 'session by two factors').record.email)

  const provider = await client.POST('/api/v1/collections/{table}/auth-with-oauth2', {
    params: members,
    body: { provider: 'nowhere', code: 'x', codeVerifier: 'y', redirectURL: 'https://example.com/' },
  })
  const nameThere: string | undefined = provider.data?.meta.username
  if (provider.error === undefined || 'mfaId' in provider.error) throw new Error('an unknown provider')
  say('authWithOAuth2', [nameThere, provider.error.status])

  const sent = await client.POST('/api/v1/collections/{table}/request-verification', {
    params: { path: { table: 'staff' } },
    body: { email: worker.email },
  })
  say('requestVerification', sent.response.status)
  const proof = await client.POST('/api/v1/collections/{table}/confirm-verification', {
    params: { path: { table: 'staff' } },
    body: { token: 'x' },
  })
  say('confirmVerification', proof.error?.data.token?.code)

  await client.POST('/api/v1/collections/{table}/request-password-reset', { params: members, body: { email } })
  const reset = await client.POST('/api/v1/collections/{table}/confirm-password-reset', {
    params: members,
    body: { token: await mailed('token'), password: 'another-password', passwordConfirm: 'another-password' },
  })
  say('requestPasswordReset, confirmPasswordReset', reset.response.status)

  const fresh = await signIn(email, 'another-password')
  await client.POST('/api/v1/collections/{table}/request-email-change', {
    params: members,
    headers: { authorization: fresh.token },
    body: { newEmail: 'countess@example.com' },
  })
  const moved = await client.POST('/api/v1/collections/{table}/confirm-email-change', {
    params: members,
    body: { token: await mailed('token'), password: 'another-password' },
  })
  say('requestEmailChange, confirmEmailChange', moved.response.status)
  return lines
}
`

let folder: string
let serving: Serving

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'typed-client-'))
  await symlink(join(root, 'node_modules'), join(folder, 'node_modules'))
  await writeFile(join(folder, 'package.json'), '{"private":true,"type":"module"}')
  await writeFile(join(folder, 'schema.d.ts'), await generatedTypes())
  await writeFile(join(folder, 'client.ts'), program)
  serving = await startServing({
    data: { tables: exampleTables, records: {}, superusers: [], keys: [], inferred: [] },
    seed: 1,
    superuser: { id: 'superuser000001', email: 'root@example.com', password, tokenKey: 'k'.repeat(50) },
  })
})
afterAll(async () => {
  await serving?.close()
  await rm(folder, { recursive: true, force: true })
})

it('every operation is in the program', () => {
  expect(operationPaths.length).toBeGreaterThan(10)
  for (const { segments } of operationPaths) expect(program).toContain(`'/api/v1/${segments.join('/')}'`)
})

it(
  'compiles strictly, and runs against serve',
  async () => {
    expect(await compile(folder, ['client.ts'])).toBe('')

    const { useEveryOperation } = await import(pathToFileURL(join(folder, 'client.js')).href)
    const lines = await useEveryOperation({
      baseUrl: serving.url,
      superuser: { identity: 'root@example.com', password },
      async mailed(what: 'code' | 'token') {
        const { text } = await serving.reference.mail.waitFor()
        serving.reference.mail.clear()
        return (what === 'code' ? /\b(\d{8})\b/ : /\/confirm-[a-z-]+\/([\w.-]+)/).exec(text)?.[1]
      },
    })
    expect(lines).toMatchInlineSnapshot(`
      [
        "createRecord: Ada",
        "listAuthMethods: email,180,",
        "authWithPassword: ada@example.com,false",
        "createRecord, rejected: validation_max_text_constraint,60",
        "createRecord, a post: On engines,3.5,24",
        "updateRecord: published,2",
        "viewRecord: ada@example.com,true",
        "listRecords: 4,true,posts",
        "batch: On looms,15",
        "batch: On engines,15",
        "batch: 204",
        "batch, failed: batch_request_failed,60",
        "deleteRecord: 404",
        "requestOtp, authWithOtp: true",
        "authRefresh: true",
        "impersonate: ada@example.com",
        "two factors: grace@example.com",
        "authWithOAuth2: ,403",
        "requestVerification: 204",
        "confirmVerification: validation_invalid_token_claims",
        "requestPasswordReset, confirmPasswordReset: 204",
        "requestEmailChange, confirmEmailChange: 204",
      ]
    `)
  },
  3 * MINUTE,
)
