import { expect, it } from 'vitest'
import { scopeOf, uniqueNames } from '../ownership/scopes.ts'
import { intentOf } from './intent.ts'

const scopes = new Set([scopeOf('run', 'a.check')])
const name = uniqueNames('run', 'a.check')('title')

it.each<[string, Record<string, unknown>, string | undefined]>([
  ['a text that only this run writes', { rank: 1, title: name }, 'title'],
  ['an address', { email: `${name}@example.com` }, 'email'],
  ['no everyday word', { title: 'hello' }, undefined],
  ['no text of another run', { title: uniqueNames('other', 'a.check')('title') }, undefined],
  ['no secret', { password: name, tokenKey: name }, undefined],
  ['a string of several lines, which a journal takes as it is', { title: `${name}\n+` }, 'title'],
])('takes %s', (_, body, field) => {
  expect(intentOf('notes', body, scopes)?.field).toBe(field)
})

it('knows an account by its address, whatever else its table requires', () => {
  const body = { name: 'own-abcdef001', email: 'm-abcdef002@example.com' }
  expect(intentOf('users', body, new Set(['abcdef']))).toMatchObject({ field: 'email' })
})
