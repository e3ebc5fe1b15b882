/**
 * Recorded traffic of any of the known kinds, told by its content.
 *
 * @module
 */

import type { KnownRequest, PlainExchange } from '../vocabulary.ts'
import { exchangesInCurlDump, isCurlDump } from './curl-dump.ts'
import { exchangesInHar, isHar } from './har.ts'

export interface RecordedExchange {
  exchange: PlainExchange
  /** Entry or line, from 1. */
  number: number
}

/** @throws Error saying what is wrong, and where, when the content is of no known kind */
export function* readTraffic(content: string, known: KnownRequest = {}): Generator<RecordedExchange> {
  const text = content.replace(/^\ufeff/, '').trimStart()
  if (text === '') return
  if (isCurlDump(text)) {
    yield* numbered(exchangesInCurlDump(text, known))
    return
  }
  const whole = parsed(text)
  if (whole === undefined) yield* readLines(text, known)
  else if (isHar(whole)) yield* numbered(exchangesInHar(whole))
  else if (Array.isArray(whole))
    yield* numbered(whole.map((each, at) => exchangeOf(each, `entry ${at + 1}`, known)))
  else yield { exchange: exchangeOf(whole, 'entry 1', known), number: 1 }
}

function* readLines(text: string, known: KnownRequest): Generator<RecordedExchange> {
  let number = 0
  for (let from = 0; from < text.length; ) {
    const end = text.indexOf('\n', from)
    const line = text.slice(from, end < 0 ? undefined : end).trim()
    from = end < 0 ? text.length : end + 1
    number += 1
    if (line === '') continue
    const value = parsed(line)
    if (value === undefined)
      throw new Error(`line ${number} is no JSON, and the file no HAR and no output of curl -i`)
    yield { exchange: exchangeOf(value, `line ${number}`, known), number }
  }
}

function* numbered(exchanges: readonly PlainExchange[]): Generator<RecordedExchange> {
  for (const [at, exchange] of exchanges.entries()) yield { exchange, number: at + 1 }
}

function exchangeOf(value: unknown, place: string, known: KnownRequest): PlainExchange {
  const { request, response } = (value ?? {}) as { request?: unknown; response?: unknown }
  const { url } = { ...(request as object | undefined), ...known } as { url?: unknown }
  const { status } = (response ?? {}) as { status?: unknown }
  if (typeof url !== 'string' || typeof status !== 'number')
    throw new Error(`${place} is no exchange: it needs request.url and response.status`)
  return { ...(value as PlainExchange), request: { ...(request as object), ...known, url } }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
