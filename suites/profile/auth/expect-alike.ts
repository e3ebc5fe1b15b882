import { expectEqual } from '../../../harness/judging/expect.ts'
import type { ApiResponse } from '../../../harness/vocabulary/api.ts'

/** Headers that differ between any two responses, including the usual ones of gateways. */
const PASSING =
  /^(?:date|age|x-request-id|etag|keep-alive|connection|server-timing|trace(?:parent|state)|x-runtime|(?:x-)?ratelimit.*)$/i

/**
 * Headers that differ between two responses to the same request: what a gateway counts, measures or chooses at random.
 */
export function passingOf(one: ApiResponse, again: ApiResponse): ReadonlySet<string> {
  const names = Object.keys({ ...one.headers, ...again.headers })
  return new Set(names.filter((name) => one.headers[name] !== again.headers[name]))
}

/**
 * What a response reveals to a stranger: status, headers, and the body with each string replaced by its length, since
 * identifiers are new each time.
 */
export function responsesOf(
  response: ApiResponse,
  passing: ReadonlySet<string> = new Set(),
): { status: number; headers: Record<string, string>; body: unknown } {
  const headers = Object.fromEntries(
    Object.entries(response.headers).filter(([name]) => !PASSING.test(name) && !passing.has(name)),
  )
  return { status: response.status, headers, body: shapeOf(response.body) }
}

/** @param again the response to the same request as `unknown` */
export function expectAlike(
  unknown: ApiResponse,
  again: ApiResponse,
  known: ApiResponse,
  what: string,
): void {
  const passing = passingOf(unknown, again)
  expectEqual(responsesOf(unknown, passing), responsesOf(known, passing), what)
}

function shapeOf(value: unknown): unknown {
  if (typeof value === 'string') return `${value.length} characters`
  if (Array.isArray(value)) return value.map(shapeOf)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, shapeOf(inner)]))
}
