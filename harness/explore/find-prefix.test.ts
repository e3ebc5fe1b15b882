import { expect, it } from 'vitest'
import { findPrefix } from './find-prefix.ts'
import type { ExploredResponse, SendRequest } from './send-request.ts'

type Words = (table: string, path: string) => string

/** Everything is hidden with a 404. Below `/api/v1`, `notes` exists, and `/health` is elsewhere. */
function hiding(words: Words): SendRequest {
  return async (path) => {
    const table = /^\/api\/v1\/collections\/(\w+)\//.exec(path)?.[1]
    const isHealth = path === '/health'
    const body = isHealth ? { ok: true } : { message: words(table ?? '', path) }
    return { status: isHealth ? 200 : 404, body, text: JSON.stringify(body) } as ExploredResponse
  }
}

it.each<[string, Words, string]>([
  [
    'in other words',
    (table) => (table === 'notes' || table === '' ? 'Not found.' : 'There is no such table.'),
    '/api/v1',
  ],
  ['in the same words', () => 'Not found.', ''],
  ['in words that name the path', (_, path) => `Cannot GET ${path}`, ''],
])('a table that is hidden %s', async (_, words, prefix) => {
  expect(await findPrefix(hiding(words), [['users', 'notes']])).toBe(prefix)
})
