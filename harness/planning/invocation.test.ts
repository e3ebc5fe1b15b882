import { expect, it } from 'vitest'
import { invocationOf } from './invocation.ts'

it('names the target of a run as a shell reads it, and nothing for the embedded reference', () => {
  expect(invocationOf({})).toBe('')
  expect(
    invocationOf({ baseUrl: 'http://127.0.0.1:1', profile: 'standard', prefix: '/api', runs: 0.5 }),
  ).toBe('--base-url http://127.0.0.1:1 --profile standard --prefix /api --runs 0.5')
  expect(invocationOf({ target: 'my target.json', headers: { 'x-gate': "it's" }, readOnly: true })).toBe(
    `--target 'my target.json' --read-only --header 'x-gate:it'\\''s'`,
  )
})
