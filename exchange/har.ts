/**
 * HAR 1.2: how we write it, and what of it is read, written by a browser, a proxy, or this package.
 *
 * @module
 */

import { headerOf } from './header-of.ts'
import { isBytes } from './is-bytes.ts'
import { isJson } from './is-json.ts'
import { isObject } from './json-object.ts'
import type { HeaderBag, PlainExchange } from './plain-exchange.ts'

/** A header or a query parameter. */
export interface NameValue {
  /** Name as it was sent. */
  name: string
  /** Value as it was sent, or the name of the secret that it was. */
  value: string
}

/** A body in an HTTP Archive. */
export interface HarBody {
  /** Value of the `content-type` header. */
  mimeType: string
  /** The body as text, without secrets. */
  text: string
  /** What was left out, and why. */
  comment?: string
}

/** The request of an entry. */
export interface HarRequest {
  /** In capitals: `GET`. */
  method: string
  /** Full address, without secrets. */
  url: string
  /** Such as `HTTP/1.1`. */
  httpVersion: string
  /** Empty: cookies are among the headers. */
  cookies: never[]
  /** In the order in which they were sent. */
  headers: NameValue[]
  /** Parameters of the address, decoded. */
  queryString: NameValue[]
  /** The body. Absent when there was none. */
  postData?: HarBody
  /** Always -1, which means unknown. */
  headersSize: -1
  /** Bytes of the body. */
  bodySize: number
}

/** The response of an entry. */
export interface HarResponse {
  /** Status code. */
  status: number
  /** Reason phrase. */
  statusText: string
  /** Such as `HTTP/1.1`. */
  httpVersion: string
  /** Empty: cookies are among the headers. */
  cookies: never[]
  /** In the order in which they came. */
  headers: NameValue[]
  /** The body. Its text is absent if nothing was recorded. */
  content: Partial<HarBody> & {
    /** Value of the `content-type` header, or empty. */
    mimeType: string
    /** Bytes. */
    size: number
  }
  /** Value of the `location` header, or empty. */
  redirectURL: string
  /** Always -1, which means unknown. */
  headersSize: -1
  /** Bytes of the body; -1 when unknown. */
  bodySize: number
  /** What happened to the response, if it did not come whole. */
  comment?: string
}

/** One exchange of an HTTP Archive. */
export interface HarEntry {
  /** When the request began, in ISO 8601. */
  startedDateTime: string
  /** Milliseconds. */
  time: number
  /** What was sent. */
  request: HarRequest
  /** What came back. */
  response: HarResponse
  /** Empty: no cache was used. */
  cache: Record<string, never>
  /** Milliseconds of each phase. */
  timings: {
    /** Not measured. */
    send: 0
    /** From the request to the response. */
    wait: number
    /** Not measured. */
    receive: 0
  }
  /** What is particular about the exchange. */
  comment?: string
}

/** An HTTP Archive 1.2, without secrets. */
export interface HttpArchive {
  /** The only key of an archive. */
  log: {
    /** Version of the format. */
    version: '1.2'
    /** This package. */
    creator: {
      /** Name of the package. */
      name: string
      /** Version of the package. */
      version: string
    }
    /** Exchanges, oldest first. */
    entries: HarEntry[]
  }
}

/** What an entry is made of. Secrets are replaced by then: each writer knows which it may keep. */
export interface HarFacts {
  started: Date
  ms: number
  request: {
    method: string
    url: string
    headers: NameValue[]
    /** Bytes of the body. */
    size: number
    /** Absent: there was none. */
    body?: { text: string; comment?: string } | undefined
  }
  response: {
    status: number
    statusText: string
    headers: NameValue[]
    /** Bytes that came; -1 if they were not counted. */
    size: number
    body: { size: number; text?: string; comment?: string }
    comment?: string | undefined
  }
  comment?: string
}

export function harEntry({ started, ms, request, response, comment = '' }: HarFacts): HarEntry {
  const { searchParams } = new URL(request.url, 'http://x')
  return {
    startedDateTime: started.toISOString(),
    time: ms,
    request: {
      method: request.method,
      url: request.url,
      httpVersion: 'HTTP/1.1',
      cookies: [],
      headers: request.headers,
      queryString: [...searchParams].map(([name, value]) => ({ name, value })),
      headersSize: -1,
      bodySize: request.size,
      ...(request.body && {
        postData: { mimeType: headerOf(request.headers, 'content-type') ?? '', ...request.body },
      }),
    },
    response: {
      status: response.status,
      statusText: response.statusText,
      httpVersion: 'HTTP/1.1',
      cookies: [],
      headers: response.headers,
      content: { mimeType: headerOf(response.headers, 'content-type') ?? '', ...response.body },
      redirectURL: headerOf(response.headers, 'location') ?? '',
      headersSize: -1,
      bodySize: response.size,
      ...(response.comment !== undefined && { comment: response.comment }),
    },
    cache: {},
    timings: { send: 0, wait: ms, receive: 0 },
    ...(comment !== '' && { comment }),
  }
}

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
