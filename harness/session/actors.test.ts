import { setTimeout as sleep } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { Redactor } from '../../exchange/secrets/redactor.ts'
import { Actors } from './actors.ts'

const signIn = { table: '_superusers', identity: 'root@example.com', password: 'root-secret' }

it('continues with the token of a refresh, and forgets tokens from sign-ins only', async () => {
  let signIns = 0
  const redactor = new Redactor()
  const actors = new Actors(
    {
      baseUrl: '',
      binding: {},
      tables: {},
      capabilities: {},
      credentials: { given: { token: 'first-token' }, made: { signIn } },
    },
    redactor,
    async () => ({ ok: true, status: 200, body: { token: `sign-in-${++signIns}` } }) as never,
  )
  expect([await actors.token('given'), await actors.token('made')]).toEqual(['first-token', 'sign-in-1'])
  actors.goOn('given', 'second-token')
  actors.goOn('made', 'third-token')
  expect([await actors.token('given'), await actors.token('made')]).toEqual(['second-token', 'third-token'])
  expect(redactor.message('with second-token')).toBe('with $TOKEN_GIVEN')
  actors.forget()
  expect([await actors.token('given'), await actors.token('made')]).toEqual(['second-token', 'sign-in-2'])
})

it('keeps the token of a refresh when an older sign-in fails', async () => {
  let fail = (_error: Error) => {}
  const actors = new Actors(
    { baseUrl: '', binding: {}, tables: {}, capabilities: {}, credentials: { made: { signIn } } },
    new Redactor(),
    () =>
      new Promise((_resolve, reject) => {
        fail = reject
      }),
  )
  const older = actors.token('made')
  actors.goOn('made', 'refreshed')
  fail(new Error('the connection was reset'))
  await expect(older).rejects.toThrow('reset')
  // A new sign-in would never end.
  expect(await Promise.race([actors.token('made'), sleep(50, 'signed in again')])).toBe('refreshed')
})

it.each<[string, boolean, unknown, RegExp]>([
  [
    'other keys',
    true,
    { access_token: 'x', record: {} },
    /the keys of the response are access_token and record\)/,
  ],
  ['no JSON', true, undefined, /the response is not a JSON object\)/],
  ['a rejection', false, { message: 'no' }, /returned no token \(status 400\)/],
])('says what a sign-in returned instead of a token: %s', async (_, ok, body, message) => {
  const target = { baseUrl: '', binding: {}, tables: {}, capabilities: {}, credentials: { made: { signIn } } }
  const response = { ok, status: ok ? 200 : 400, body } as never
  const actors = new Actors(target, new Redactor(), async () => response)
  await expect(actors.token('made')).rejects.toThrow(message)
})
