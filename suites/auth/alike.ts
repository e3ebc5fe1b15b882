import type { Reply } from '../../harness/vocabulary/api.ts'

/** Headers that differ between any two answers. */
const PASSING = new Set(['date', 'age', 'x-request-id', 'etag', 'keep-alive', 'connection'])

/**
 * What an answer tells a stranger: status, headers, and the body with each text replaced by its length, since
 * identifiers are new each time.
 */
export function answersOf(reply: Reply): { status: number; headers: Record<string, string>; body: unknown } {
  const headers = Object.fromEntries(
    Object.entries(reply.headers).filter(([name]) => !PASSING.has(name.toLowerCase())),
  )
  return { status: reply.status, headers, body: shapeOf(reply.body) }
}

function shapeOf(value: unknown): unknown {
  if (typeof value === 'string') return `${value.length} characters`
  if (Array.isArray(value)) return value.map(shapeOf)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, shapeOf(inner)]))
}
