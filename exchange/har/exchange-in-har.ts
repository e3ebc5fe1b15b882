/**
 * Reads HAR 1.2, written by a browser, a proxy, or this package.
 *
 * @module
 */

import { isBytes } from '../is-bytes.ts'
import { isJson } from '../is-json.ts'
import { isObject } from '../json-object.ts'
import type { HeaderBag, PlainExchange } from '../plain-exchange.ts'

export function isHar(content: unknown): content is { log: { entries: unknown[] } } {
  const { log } = (content ?? {}) as { log?: { entries?: unknown } }
  return Array.isArray(log?.entries)
}

/** Why an entry cannot be read. */
class Unreadable extends Error {}

/**
 * An entry of any program: nothing in it can be relied on.
 *
 * @returns `trouble`: what of it is not HAR; undefined for an entry without a response: it was blocked, or cut off
 */
export function exchangeInHar(
  entry: Found,
): { exchange: PlainExchange; trouble?: undefined } | { trouble: string } | undefined {
  try {
    const exchange = exchangeOf(entry)
    return exchange && { exchange }
  } catch (error) {
    if (error instanceof Unreadable) return { trouble: error.message }
    throw error
  }
}

function exchangeOf(entry: Found): PlainExchange | undefined {
  const request = objectAt(entry, 'request', '')
  const response = objectAt(entry, 'response', '')
  if (isAbsent(request.url) || isAbsent(response.status)) return undefined
  if (typeof response.status !== 'number') throw mustBe('response.status', 'a number', response.status)
  // Some recorders have a negative one.
  if (response.status <= 0) return undefined
  const content = response.content === undefined ? {} : objectAt(response, 'content', 'response.')
  const body = bodyIn(content)
  const headers = headersOf(response.headers)
  // The body is there decoded, whatever the header says; a few recorders keep the bytes as they came.
  const packed = isBytes(body) && body[0] === 0x1f && body[1] === 0x8b
  if (!packed) delete headers['content-encoding']
  headers['content-type'] ??= textAt(content, 'mimeType', 'response.content.')
  const missing = missingBody(body, {
    status: response.status,
    size: packed ? undefined : numberOf(content.size),
    length: numberOf(headers['content-length']),
    bodySize: numberOf(response.bodySize),
    // Chrome and mitmproxy have the first, Playwright the second.
    failed: wordsOf(response._error) ?? wordsOf(response._failureText),
    comment: wordsOf(content.comment),
  })
  return {
    request: {
      method: textAt(request, 'method', 'request.'),
      url: textAt(request, 'url', 'request.') ?? '',
      headers: headersOf(request.headers),
      body: isAbsent(request.postData)
        ? undefined
        : textAt(objectAt(request, 'postData', 'request.'), 'text', 'request.postData.'),
    },
    response: {
      status: response.status,
      headers,
      body,
    },
    ...(missing !== undefined && { unjudged: missing }),
  }
}

const isAbsent = (value: unknown): value is null | undefined => value === undefined || value === null

type Found = Record<string, unknown>

/** @throws Unreadable */
function objectAt(holder: Found, key: string, place: string): Found {
  const value = holder[key]
  if (!isObject(value)) throw mustBe(place + key, 'an object', value)
  return value
}

/** Some recorders write null for what is absent. @throws Unreadable */
function textAt(holder: Found, key: string, place: string): string | undefined {
  const value = holder[key]
  if (isAbsent(value)) return undefined
  if (typeof value !== 'string') throw mustBe(place + key, 'a string', value)
  return value
}

function mustBe(place: string, wanted: string, found: unknown): Unreadable {
  const kind = found === null ? 'null' : Array.isArray(found) ? 'array' : typeof found
  return new Unreadable(`${place} must be ${wanted}; found ${kind}`)
}

/** Undefined for a number that is missing, or is not one. */
function numberOf(value: unknown): number | undefined {
  const number = isAbsent(value) || value === '' ? Number.NaN : Number(value)
  return Number.isNaN(number) ? undefined : number
}

function wordsOf(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined
}

/** @throws Unreadable */
function bodyIn(content: Found): string | Buffer | undefined {
  const text = textAt(content, 'text', 'response.content.')
  const encoding = textAt(content, 'encoding', 'response.content.')
  return encoding?.toLowerCase() === 'base64' && text !== undefined ? Buffer.from(text, 'base64') : text
}

/** What an entry says about a body other than the body itself. Undefined: it says nothing. */
interface BodyFacts {
  status: number
  /** Of the decoded body in bytes. Negative: unknown. */
  size: number | undefined
  /** As the server announced it. */
  length: number | undefined
  /** Bytes that came. Some recorders add those of the headers, and 0 may mean that the body came from a cache. */
  bodySize: number | undefined
  /** Why the response did not come whole. */
  failed: string | undefined
  /** Why the body was left out. */
  comment: string | undefined
}

/** Recorders leave bodies out, or cut them: what was not recorded is not judged. */
function missingBody(body: string | Buffer | undefined, facts: BodyFacts): string | undefined {
  const { status, size = -1, length, bodySize = 0, failed, comment } = facts
  const bytes = Buffer.byteLength(body ?? '')
  const broken = failed === undefined ? undefined : `the response did not arrive completely (${failed})`
  if (bytes > 0) {
    if ((broken === undefined && size <= bytes) || isJson(String(body))) return undefined
    return broken ?? 'the recording has only the beginning of the body'
  }
  const none = 'the recording has no body'
  // Few recorders say anything of a body that HTTP excludes.
  if (status === 204) return size > 0 ? none : undefined
  if (broken !== undefined) return broken
  if (size > 0 || (length ?? 0) > 0 || comment !== undefined) return none
  if (body !== undefined) return undefined
  const isEmpty = (size === 0 && bodySize <= 0) || length === 0
  return isEmpty ? undefined : none
}

function headersOf(headers: unknown): Record<string, string | undefined> & HeaderBag {
  const list: unknown[] = Array.isArray(headers) ? headers : []
  return Object.fromEntries(
    list.map((each) => {
      const { name, value } = (each ?? {}) as { name?: unknown; value?: unknown }
      return [String(name).toLowerCase(), String(value)]
    }),
  )
}
