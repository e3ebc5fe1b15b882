/**
 * HAR 1.2: how we write it, and what of it is read, written by a browser, a proxy, or this package.
 *
 * @module
 */

import { headerOf } from './header-of.ts'
import { isJson } from './is-json.ts'
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

/** @returns undefined for an entry without a response: it was blocked, or cut off */
export function exchangeInHar(entry: unknown): PlainExchange | undefined {
  const { request, response } = (entry ?? {}) as FoundEntry
  if (typeof request?.url !== 'string' || typeof response?.status !== 'number' || response.status === 0)
    return undefined
  const { text, encoding, mimeType } = response.content ?? {}
  const headers = headersOf(response)
  // The text is there decoded, whatever the header says.
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
