/**
 * The request log as an HTTP Archive 1.2. It contains no tokens, passwords or codes.
 *
 * @module
 */

import { type HarFacts, type HttpArchive, harEntry, type NameValue } from '../../exchange/har.ts'
import { mayAdmit } from '../../exchange/secrets/secret-names.ts'
import type { LoggedRequest } from './logged-request.ts'

const hidden = '[redacted]'

/** An object under such a name in a response is an error, or the settings of a method. */
function isSecret(value: unknown, sent: boolean): boolean {
  if (typeof value === 'object' && value !== null) return sent || Array.isArray(value)
  return typeof value === 'number' || (typeof value === 'string' && value !== '')
}

/** JSON without its secrets. Any other body is left out, because secrets can only be found in JSON. */
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

/** A URL, or a path as entries of a batch have it. */
function safeAddress(text: string): string {
  const [path = '', ...rest] = text.split('?')
  const query = new URLSearchParams(rest.join('?'))
  const secrets = [...query.keys()].filter((name) => mayAdmit(name))
  for (const name of secrets) query.set(name, hidden)
  return secrets.length === 0 ? text : `${path}?${query}`
}

function factsOf(logged: LoggedRequest): HarFacts {
  const sent = safeText(logged.requestText, true)
  const received = safeText(logged.responseText, false)
  const size = Buffer.byteLength(logged.responseText ?? '')
  return {
    started: new Date(logged.at),
    ms: logged.took ?? 0,
    request: {
      method: logged.method,
      url: new URL(safeAddress(logged.url)).href,
      headers: headerList(logged.requestHeaders),
      size: Buffer.byteLength(logged.requestText ?? ''),
      body: sent ? { text: sent } : undefined,
    },
    response: {
      status: logged.status ?? 0,
      statusText: '',
      headers: headerList(logged.responseHeaders),
      size,
      body: { size, ...(received !== undefined && { text: received }) },
      comment: logged.fault,
    },
  }
}

export function toHar(requests: Iterable<LoggedRequest>): HttpArchive {
  const creator = { name: 'record-auth-conformance', version: '1' }
  return {
    log: { version: '1.2', creator, entries: [...requests].map((logged) => harEntry(factsOf(logged))) },
  }
}
