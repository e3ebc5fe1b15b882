/**
 * HAR 1.2: how we write it, and what of it is read, whoever wrote it: browsers, proxies, and we.
 *
 * @module
 */

import { headerOf } from './header-of.ts'
import { isJson } from './is-json.ts'
import type { HeaderBag, PlainExchange } from './plain-exchange.ts'

export interface NameValue {
  name: string
  value: string
}

interface HarEntry {
  startedDateTime: string
  /** Milliseconds. */
  time: number
  request: {
    method: string
    url: string
    httpVersion: string
    cookies: never[]
    headers: NameValue[]
    queryString: NameValue[]
    postData?: { mimeType: string; text: string; comment?: string }
    headersSize: -1
    bodySize: number
  }
  response: {
    status: number
    statusText: string
    httpVersion: string
    cookies: never[]
    headers: NameValue[]
    content: { size: number; mimeType: string; text?: string; comment?: string }
    redirectURL: string
    headersSize: -1
    bodySize: number
    comment?: string
  }
  cache: Record<string, never>
  timings: { send: 0; wait: number; receive: 0 }
  comment?: string
}

export interface HttpArchive {
  log: { version: '1.2'; creator: { name: string; version: string }; entries: HarEntry[] }
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
    /** Bytes that came; -1 where nobody counted. */
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

/** An entry of others: nothing in it can be relied on. */
interface FoundMessage {
  headers?: { name?: unknown; value?: unknown }[]
}
interface FoundContent {
  text?: string
  encoding?: string
  mimeType?: string
  size?: number
}
interface FoundEntry {
  request?: FoundMessage & { method?: string; url?: string; postData?: { text?: string } }
  response?: FoundMessage & { status?: number; bodySize?: number; content?: FoundContent }
}

export function isHar(content: unknown): content is { log: { entries: unknown[] } } {
  const { log } = (content ?? {}) as { log?: { entries?: unknown } }
  return Array.isArray(log?.entries)
}

/** @returns undefined for an entry without an answer: it was blocked, or cut off */
export function exchangeInHar(entry: unknown): PlainExchange | undefined {
  const { request, response } = (entry ?? {}) as FoundEntry
  if (typeof request?.url !== 'string' || typeof response?.status !== 'number' || response.status === 0)
    return undefined
  const { text, encoding, mimeType } = response.content ?? {}
  const headers = headersOf(response)
  // The text stands there unpacked, whatever the header says.
  delete headers['content-encoding']
  headers['content-type'] ??= mimeType
  const missing = missingBody(response)
  return {
    request: {
      method: request.method,
      url: request.url,
      headers: headersOf(request),
      body: request.postData?.text,
    },
    response: {
      status: response.status,
      headers,
      body: encoding === 'base64' && text !== undefined ? Buffer.from(text, 'base64') : text,
    },
    ...(missing !== undefined && { unjudged: missing }),
  }
}

/** Recorders leave bodies out, or cut them: what was not recorded is not judged. */
function missingBody({
  content = {},
  bodySize = 0,
  ...message
}: FoundMessage & NonNullable<FoundEntry['response']>) {
  const { text, size = 0, encoding } = content
  const announced = Number(headersOf(message)['content-length'] ?? 0)
  if (text === undefined)
    return size !== 0 || bodySize > 0 || announced > 0 ? 'the recording has no body' : undefined
  const cut = encoding !== 'base64' && size > Buffer.byteLength(text) && !isJson(text)
  return cut ? 'the recording has only the beginning of the body' : undefined
}

function headersOf({ headers }: FoundMessage): Record<string, string | undefined> & HeaderBag {
  const list = Array.isArray(headers) ? headers : []
  return Object.fromEntries(list.map((each) => [String(each?.name).toLowerCase(), String(each?.value)]))
}
