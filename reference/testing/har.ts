/**
 * The request log as an HTTP Archive 1.2. Tokens, passwords and codes do not get into it.
 *
 * @module
 */

import { mayAdmit } from '../../exchange/secrets/secret-names.ts'
import type { LoggedRequest } from './request-log.ts'

interface NameValue {
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
    postData?: { mimeType: string; text: string }
    headersSize: -1
    bodySize: number
  }
  response: {
    status: number
    statusText: string
    httpVersion: string
    cookies: never[]
    headers: NameValue[]
    content: { size: number; mimeType: string; text?: string }
    redirectURL: ''
    headersSize: -1
    bodySize: number
    comment?: string
  }
  cache: Record<string, never>
  timings: { send: 0; wait: number; receive: 0 }
}

export interface HttpArchive {
  log: { version: '1.2'; creator: { name: string; version: string }; entries: HarEntry[] }
}

const hidden = '[redacted]'

/** An object under such a name is an error, or the settings of a method, when the server says it. */
function isSecret(value: unknown, sent: boolean): boolean {
  if (typeof value === 'object' && value !== null) return sent || Array.isArray(value)
  return typeof value === 'number' || (typeof value === 'string' && value !== '')
}

/** JSON without its secrets; of anything else only JSON could be told apart, so it is left out. */
function safeText(text: string | undefined, sent: boolean): string | undefined {
  if (text === undefined || text === '') return text
  try {
    return JSON.stringify(JSON.parse(text), (name, value: unknown) => {
      if (mayAdmit(name) && isSecret(value, sent)) return hidden
      return name === 'url' && typeof value === 'string' ? safeAddress(value) : value
    })
  } catch {
    return hidden
  }
}

function headerList(headers: Headers | undefined): NameValue[] {
  return [...(headers ?? [])].map(([name, value]) => ({
    name,
    value: mayAdmit(name) ? hidden : value,
  }))
}

/** An address, or a path as entries of a batch have it. */
function safeAddress(text: string): string {
  const [path = '', ...rest] = text.split('?')
  const query = new URLSearchParams(rest.join('?'))
  const secrets = [...query.keys()].filter((name) => mayAdmit(name))
  for (const name of secrets) query.set(name, hidden)
  return secrets.length === 0 ? text : `${path}?${query}`
}

function toEntry(logged: LoggedRequest): HarEntry {
  const url = new URL(safeAddress(logged.url))
  const sent = safeText(logged.requestText, true)
  const received = safeText(logged.responseText, false)
  const httpVersion = 'HTTP/1.1'
  const time = logged.took ?? 0
  return {
    startedDateTime: new Date(logged.at).toISOString(),
    time,
    request: {
      method: logged.method,
      url: url.href,
      httpVersion,
      cookies: [],
      headers: headerList(logged.requestHeaders),
      queryString: [...url.searchParams].map(([name, value]) => ({ name, value })),
      ...(sent && { postData: { mimeType: logged.requestHeaders.get('content-type') ?? '', text: sent } }),
      headersSize: -1,
      bodySize: Buffer.byteLength(logged.requestText ?? ''),
    },
    response: {
      status: logged.status ?? 0,
      statusText: '',
      httpVersion,
      cookies: [],
      headers: headerList(logged.responseHeaders),
      content: {
        size: Buffer.byteLength(logged.responseText ?? ''),
        mimeType: logged.responseHeaders?.get('content-type') ?? '',
        ...(received !== undefined && { text: received }),
      },
      redirectURL: '',
      headersSize: -1,
      bodySize: Buffer.byteLength(logged.responseText ?? ''),
      ...(logged.fault !== undefined && { comment: logged.fault }),
    },
    cache: {},
    timings: { send: 0, wait: time, receive: 0 },
  }
}

export function toHar(requests: Iterable<LoggedRequest>): HttpArchive {
  const creator = { name: 'record-auth-conformance', version: '1' }
  return { log: { version: '1.2', creator, entries: [...requests].map(toEntry) } }
}
