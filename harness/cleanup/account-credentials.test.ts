import { expect, it } from 'vitest'
import { AccountCredentials } from './account-credentials.ts'

const first = { identity: 'ann@example.com', password: 'first' }

it('knows what has signed an account in, the newest first', () => {
  const accounts = new AccountCredentials()
  accounts.add('r1', first)
  accounts.add('r1', { password: 'second' })
  expect(accounts.signInsOf('r1')).toEqual([{ ...first, password: 'second' }, first])
  expect(accounts.idOf('ANN@example.com')).toBe('r1')
})

it('tries the password of a reset last: no response says whose it is', () => {
  const accounts = new AccountCredentials()
  accounts.reset('after a reset')
  expect(accounts.signInsOf('r1')).toEqual([])
  accounts.add('r1', first)
  expect(accounts.signInsOf('r1')).toEqual([first, { ...first, password: 'after a reset' }])
  accounts.add('r1', { password: 'after a reset' })
  expect(accounts.signInsOf('r1')).toEqual([{ ...first, password: 'after a reset' }, first])
})

it('tries an address that the owner of a token has asked for', () => {
  const accounts = new AccountCredentials()
  accounts.add('r1', first)
  accounts.tokens.set('r1', 'a token')
  accounts.asked('another token', 'bob@example.com')
  expect(accounts.signInsOf('r1')).toEqual([first])
  accounts.asked('a token', 'eve@example.com')
  expect(accounts.signInsOf('r1')).toEqual([{ ...first, identity: 'eve@example.com' }, first])
})
