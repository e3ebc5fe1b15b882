import { describe, expect, it } from 'vitest'
import { ActorsByToken } from './actors.ts'

const given = { status: 200, table: 'users', actor: 'guest' as const, body: { token: 't1' } }

describe('Actors', () => {
  it('distinguishes guests from tokens that no response returned', () => {
    const actors = new ActorsByToken()
    expect(['', '  ', undefined].map((value) => actors.actorOf(value))).toEqual(['guest', 'guest', 'guest'])
    expect(actors.actorOf('t1')).toBe('unknown')
  })

  it.each(['authWithPassword', 'authWithOAuth2', 'authWithOtp'] as const)('learns from %s', (operation) => {
    const actors = new ActorsByToken()
    actors.learn({ ...given, operation })
    expect([actors.actorOf('t1'), actors.actorOf('Bearer t1'), actors.actorOf('t1x')]).toEqual([
      'user',
      'user',
      'unknown',
    ])
    actors.learn({ ...given, operation, table: '_superusers', body: { token: 't2' } })
    actors.learn({
      ...given,
      operation,
      table: 'id',
      body: { token: 't3', record: { collectionName: '_superusers' } },
    })
    expect([actors.actorOf('t2'), actors.actorOf('t3')]).toEqual(['superuser', 'superuser'])
  })

  it('knows superusers of another table', () => {
    const actors = new ActorsByToken('admins')
    actors.learn({ ...given, operation: 'authWithPassword', table: 'admins' })
    expect(actors.actorOf('t1')).toBe('superuser')
  })

  it('assigns a new token to the actor of the old one, and distinguishes impersonated sessions', () => {
    const actors = new ActorsByToken()
    actors.learn({ ...given, operation: 'authRefresh', actor: 'superuser' })
    actors.learn({ ...given, operation: 'impersonate', actor: 'superuser', body: { token: 't2' } })
    actors.learn({ ...given, operation: 'authRefresh', actor: 'impersonated', body: { token: 't3' } })
    expect(['t1', 't2', 't3'].map((token) => actors.actorOf(token))).toEqual([
      'superuser',
      'impersonated',
      'impersonated',
    ])
  })

  it('learns nothing from other operations, errors, and bodies without a token', () => {
    const actors = new ActorsByToken()
    actors.learn({ ...given, operation: 'viewRecord' })
    actors.learn({ ...given, operation: undefined })
    actors.learn({ ...given, operation: 'authWithPassword', status: 400 })
    actors.learn({ ...given, operation: 'authWithPassword', body: [{ token: 't1' }] })
    actors.learn({ ...given, operation: 'authWithPassword', body: { token: 1 } })
    expect(actors.actorOf('t1')).toBe('unknown')
  })

  it('takes no name in the place of a secret for a token, and forgets the oldest', () => {
    const actors = new ActorsByToken()
    actors.know('$TOKEN', 'user')
    expect(actors.actorOf('$TOKEN')).toBe('unknown')
    actors.know('first', 'apiKey')
    for (let count = 0; count < 10_000; count++) actors.know(`t${count}`, 'user')
    expect([actors.actorOf('first'), actors.actorOf('t0')]).toEqual(['unknown', 'user'])
  })
})
