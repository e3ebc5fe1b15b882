import { expect, it } from 'vitest'
import { Redactor } from '../../exchange/secrets/redactor.ts'
import { Actors } from './actors.ts'

const signIn = { table: '_superusers', identity: 'root@example.com', password: 'root-secret' }

it('goes on with the token of a refresh, and forgets tokens from sign-ins only', async () => {
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
