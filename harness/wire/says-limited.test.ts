import { expect, it } from 'vitest'
import type { OperationId } from '../../spec/vocabulary.ts'
import { saysLimited } from './says-limited.ts'

const request = {
  path: '/api/v1/x',
  body: JSON.stringify({ identity: 'ann@example.com', password: 'secret' }),
}

function isSaid(message: string, status = 401, operation: OperationId = 'authWithPassword', sent = request) {
  const body = { code: status, message }
  return saysLimited(operation, sent, { status, body, text: JSON.stringify(body) })
}

it.each([
  'Too many failed login attempts, please try again in 1 minute.',
  'Too many requests',
  'TOO_MANY_ATTEMPTS_TRY_LATER : Access was disabled.',
  'over_email_send: rate_limit_exceeded',
  'You are being rate limited.',
  'Please try again in 30 seconds.',
  'Your account is temporarily locked.',
])('a rejection says that there were too many requests: %s', (message) => {
  expect(isSaid(message)).toBe(true)
  expect(isSaid(message, 400)).toBe(true)
  expect(isSaid(message, 403)).toBe(true)
  // Another status does not say it.
  expect(isSaid(message, 404)).toBe(false)
  expect(isSaid(message, 200)).toBe(false)
})

it.each([
  'Invalid credentials.',
  'Something went wrong, please try again.',
  'Too many fields',
  'The field rateLimit is unknown',
  'Your account is blocked.',
])('a rejection of the credentials: %s', (message) => {
  expect(isSaid(message)).toBe(false)
})

it('what the response repeats of the request says nothing', () => {
  const title = 'Too many attempts, try again in 1 minute'
  const sent = { path: '/api/v1/x', body: JSON.stringify({ title }) }
  expect(isSaid(`${title} is no title`, 400, 'createRecord', sent)).toBe(false)
  const query = { path: `/api/v1/x?filter=${encodeURIComponent(title)}`, body: '' }
  expect(isSaid(`Invalid filter: ${title}`, 400, 'listRecords', query)).toBe(false)
  expect(isSaid(title, 400, 'createRecord', sent)).toBe(false)
})

it('too many attempts may end a code, which is a rejection of the code', () => {
  expect(isSaid('Too many attempts', 400, 'authWithOtp')).toBe(false)
  expect(isSaid('Too many requests', 400, 'authWithOtp')).toBe(true)
})

it.each<[OperationId, string]>([
  ['batch', 'Too many requests in the batch: at most 50'],
  ['updateRecord', 'This record is temporarily locked by another user'],
])('of %s, another limit: %s', (operation, message) => {
  expect(isSaid(message, 400, operation)).toBe(false)
})

it('a request may be nested deeply', () => {
  const depth = 20_000
  const sent = { path: '/api/v1/x', body: `{"a":${'['.repeat(depth)}"x"${']'.repeat(depth)}}` }
  expect(isSaid('Too many requests', 400, 'createRecord', sent)).toBe(true)
})
