import { expect, test, vi } from 'vitest'
import { forumTables } from '../../test/support/forum-tables.ts'
import { call } from '../../test/support/reference-call.ts'
import { createReference } from '../reference.ts'

async function start() {
  const reference = createReference({
    tables: forumTables,
    superusers: [{ email: 'root@example.com', password: 'rootpass123' }],
    oauth2: { pretend: ['acme'] },
    passwordCost: 4,
    log: vi.fn(),
  })
  const [ann, bob] = await reference.make('members', 2)
  if (ann === undefined || bob === undefined) throw new Error('No members were made.')
  return { reference, ann, bob }
}

test('sends requests as a record, a guest or a superuser, each with its own rights', async () => {
  const { reference, ann, bob } = await start()
  const json = { 'content-type': 'application/json' }
  const body = JSON.stringify({ title: 'Mine', author: ann.id })
  const post = async (who: Parameters<typeof reference.as>[0]) =>
    (
      await (
        await reference.as(who)
      ).fetch('/api/v1/collections/posts/records', { method: 'POST', headers: json, body })
    ).status
  expect([await post(ann), await post(bob), await post('guest'), await post('superuser')]).toEqual([
    200, 400, 400, 200,
  ])
  expect(await post({ table: 'members', id: ann.id })).toBe(200)
  const { key } = await reference.apiKeys.create({ tables: ['posts'], actions: ['create'] })
  expect(await post({ token: key })).toBe(200)
  await expect(reference.tokenFor('posts', 'x')).rejects.toThrow(
    '"posts" is not an auth table. Auth tables are _superusers, members',
  )
  await expect(reference.tokenFor('members', 'x')).rejects.toThrow('has no record "x"')
  await expect(createReference().as('superuser')).rejects.toThrow('There is no superuser')
})

test('makes tokens of every kind', async () => {
  const { reference, ann } = await start()
  const sendRequest = (path: string, body?: unknown, token?: string) =>
    call(reference, `POST /collections/members/${path}`, body, { token })
  const verification = await reference.tokenFor('members', ann.id, { kind: 'verification' })
  expect((await sendRequest('confirm-verification', { token: verification })).status).toBe(204)
  const change = await reference.tokenFor('members', ann.id, {
    kind: 'emailChange',
    newEmail: 'new@example.com',
  })
  expect(
    (await sendRequest('confirm-email-change', { token: change, password: 'password1234' })).status,
  ).toBe(204)
  const reset = await reference.tokenFor('members', ann.id, { kind: 'passwordReset' })
  expect(
    (
      await sendRequest('confirm-password-reset', {
        token: reset,
        password: 'password9',
        passwordConfirm: 'password9',
      })
    ).status,
  ).toBe(204)
  const fixed = await reference.tokenFor('members', ann.id, { kind: 'static', duration: 60 })
  const refreshed = await sendRequest('auth-refresh', undefined, fixed)
  expect([refreshed.status, refreshed.body.token]).toEqual([200, fixed])
  const expired = await reference.tokenFor('members', ann.id, { duration: -1 })
  expect((await sendRequest('auth-refresh', undefined, expired)).status).toBe(401)
  await expect(reference.tokenFor('members', ann.id, { kind: 'emailChange' })).rejects.toThrow(
    'pass { newEmail }',
  )
})

test('signs in at a provider that exists in the test only', async () => {
  const { reference } = await start()
  const sign = (code: string, more: object = {}) =>
    call(reference, 'POST /collections/members/auth-with-oauth2', {
      provider: 'acme',
      code,
      redirectURL: 'http://app.example/back',
      createData: { role: 'reader' },
      ...more,
    })
  reference.oauth2.next({ sub: '1', email: 'ann@example.com', name: 'Ann' })
  const first = await sign('whatever')
  expect(first.body).toMatchObject({
    record: { email: 'ann@example.com', verified: true },
    meta: { isNew: true, name: 'Ann' },
  })
  const { code } = reference.oauth2.next({ sub: '1', email: 'ann@example.com' })
  expect((await sign(code)).body.record.id).toBe(first.body.record.id)
  expect((await sign(code)).status).toBe(400)
  reference.oauth2.next({ reject: 'user' })
  expect((await sign('x')).body.message).toContain('OAuth2 user')

  const { body } = await call(reference, 'GET /collections/members/auth-methods')
  const [provider] = body.oauth2.providers
  const visited = () =>
    reference.oauth2.visit(`${provider.authURL}${encodeURIComponent('http://app.example/back')}`, {
      sub: '2',
      email: 'b@example.com',
    })
  const back = visited()
  expect([back.origin, back.searchParams.get('state')]).toEqual(['http://app.example', provider.state])
  const right = { codeVerifier: provider.codeVerifier }
  expect((await sign(back.searchParams.get('code') ?? '', { codeVerifier: 'wrong' })).status).toBe(400)
  expect((await sign(visited().searchParams.get('code') ?? '', right)).body.record.email).toBe(
    'b@example.com',
  )
  expect(() => reference.oauth2.visit(provider.authURL, { sub: '3' })).toThrow(
    'append the address of the application',
  )
})

test('responds to an actor as `fetch` does: with a native response, and until the signal is aborted', async () => {
  const { reference, ann } = await start()
  const actor = await reference.as(ann)
  const response = await actor.fetch('/api/v1/collections/posts/records')
  expect(Response.prototype.clone.call(response).status).toBe(200)
  reference.fault({ delay: 2_000 })
  const late = actor.fetch('/api/v1/collections/posts/records', { signal: AbortSignal.timeout(20) })
  await expect(late).rejects.toThrow(/timeout/)
})
