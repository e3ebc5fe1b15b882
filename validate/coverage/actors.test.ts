import { describe, expect, it } from 'vitest'
import { ActorsByToken } from './actors.ts'

const gives = (body: unknown, status = 200) => ({ response: { status, body } })
const given = { table: 'users', ...gives({ token: 't1' }) }

describe('Actors', () => {
  it('distinguishes guests from tokens that no response returned', () => {
    const actors = new ActorsByToken()
    expect(['', '  ', undefined].map((value) => actors.actorOf(value))).toEqual(['guest', 'guest', 'guest'])
    expect(actors.actorOf('t1')).toBe('unknown')
  })

  it.each(['authWithPassword', 'authWithOAuth2', 'authWithOtp'] as const)('learns from %s', (operation) => {
    const actors = new ActorsByToken()
    actors.learn({ ...given, operation }, 'guest')
    expect([actors.actorOf('t1'), actors.actorOf('Bearer t1'), actors.actorOf('t1x')]).toEqual([
      'user',
      'user',
      'unknown',
    ])
    actors.learn({ ...given, operation, table: '_superusers', ...gives({ token: 't2' }) }, 'guest')
    actors.learn(
      {
        ...given,
        operation,
        table: 'id',
        ...gives({ token: 't3', record: { collectionName: '_superusers' } }),
      },
      'guest',
    )
    expect([actors.actorOf('t2'), actors.actorOf('t3')]).toEqual(['superuser', 'superuser'])
  })

  it('knows superusers of another table', () => {
    const actors = new ActorsByToken('admins')
    actors.learn({ ...given, operation: 'authWithPassword', table: 'admins' }, 'guest')
    expect(actors.actorOf('t1')).toBe('superuser')
  })

  it('assigns a new token to the actor of the old one, and distinguishes impersonated sessions', () => {
    const actors = new ActorsByToken()
    actors.learn({ ...given, operation: 'authRefresh' }, 'superuser')
    actors.learn({ ...given, operation: 'impersonate', ...gives({ token: 't2' }) }, 'superuser')
    actors.learn({ ...given, operation: 'authRefresh', ...gives({ token: 't3' }) }, 'impersonated')
    expect(['t1', 't2', 't3'].map((token) => actors.actorOf(token))).toEqual([
      'superuser',
      'impersonated',
      'impersonated',
    ])
  })

  it('learns nothing from other operations, errors, and bodies without a token', () => {
    const actors = new ActorsByToken()
    actors.learn({ ...given, operation: 'viewRecord' }, 'guest')
    actors.learn({ ...given, operation: 'authRefresh' }, 'guest')
    actors.learn({ ...given, operation: 'authWithPassword', ...gives({ token: 't1' }, 400) }, 'guest')
    actors.learn({ ...given, operation: 'authWithPassword', ...gives([{ token: 't1' }]) }, 'guest')
    actors.learn({ ...given, operation: 'authWithPassword', ...gives({ token: 1 }) }, 'guest')
    expect(actors.actorOf('t1')).toBe('unknown')
  })

  it('takes no name in the place of a secret for a token, and forgets the oldest', () => {
    const actors = new ActorsByToken()
    actors.know('$TOKEN', 'user')
    expect(actors.actorOf('$TOKEN')).toBe('unknown')
    actors.know('first', 'apiKey')
    for (let count = 0; count < 10_000; count++) actors.know(`t${count}`, 'user')
    expect([actors.actorOf('first'), actors.actorOf('t0')]).toEqual(['unknown', 'user'])
    // One that is given again is no longer the oldest.
    actors.know('t0', 'user')
    actors.know('last', 'user')
    expect([actors.actorOf('t0'), actors.actorOf('t1')]).toEqual(['user', 'unknown'])
  })
})
