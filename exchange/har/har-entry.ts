/**
 * Writes HAR 1.2.
 *
 * @module
 */

import { headerOf } from '../header-of.ts'
import type { HarEntry, NameValue } from './http-archive.ts'

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
