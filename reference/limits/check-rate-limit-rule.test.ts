import { expect, it } from 'vitest'
import { createReference } from '../reference.ts'
import type { RateLimitRule } from '../services.ts'
import { checkRateLimitRule, rateLimitNotices } from './check-rate-limit-rule.ts'

const rule = { label: 'posts:list', duration: 10, maxRequests: 3 }

it.each<Partial<RateLimitRule>>([
  {},
  { label: '*:authWithPassword', audience: '@guest' },
  { label: '*:file' },
  { label: 'POST /api/batch' },
  { label: '/api/' },
  { label: '/' },
])('accepts %j', (changes) => {
  expect(() => checkRateLimitRule({ ...rule, ...changes })).not.toThrow()
})

it.each<[object, RegExp]>([
  [{ label: 'posts:lst' }, /names no action\. Did you mean "list"/],
  [{ label: 'posts' }, /no valid label: write "table:action"/],
  [{ audience: '@gues' }, /the audience "@gues"\. Did you mean "@guest"/],
  [{ duration: 0 }, /the duration 0: expected seconds/],
  [{ duration: '10s' }, /the duration "10s"/],
  [{ maxRequests: 0 }, /the maxRequests 0: expected a whole number/],
  [{ maxRequests: 1.5 }, /the maxRequests 1.5: expected a whole number/],
  [{ maxRequest: 3 }, /Did you mean "maxRequests"/],
])('rejects %j', (changes, message) => {
  expect(() => checkRateLimitRule({ ...rule, ...changes } as RateLimitRule)).toThrow(message)
})

it('reports rules that match no request', () => {
  const labels = [
    'posts:list',
    'postz:list',
    '*:list',
    '/',
    '/api/v1/',
    '/api/v1/batch',
    '/api/batch',
    'GET /x',
  ]
  const notices = rateLimitNotices(
    labels.map((label) => ({ ...rule, label })),
    '/api/v1',
    ['posts'],
  )
  expect(notices).toEqual([
    'The rate limit "postz:list" is for a table that does not exist. Did you mean "posts"?',
    'The rate limit "/api/batch" never applies: paths start with the prefix "/api/v1".',
    'The rate limit "GET /x" never applies: paths start with the prefix "/api/v1".',
  ])
})

it('reports them for the tables that there are, also after an import', async () => {
  const tables = [{ name: 'posts', fields: [{ name: 'title', type: 'text' }] }] as const
  const rateLimits = { enabled: true, rules: [{ ...rule }] }
  const reference = createReference({ rateLimits })
  expect(reference.notices).toEqual(['The rate limit "posts:list" is for a table that does not exist.'])
  await reference.importState(await createReference({ tables }).exportState())
  expect(reference.notices).toEqual([])
})
