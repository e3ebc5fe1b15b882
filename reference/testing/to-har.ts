/**
 * The request log as an HTTP Archive 1.2. It contains no tokens, passwords or codes.
 *
 * @module
 */

import { type HarFacts, harEntry } from '../../exchange/har/har-entry.ts'
import type { HttpArchive } from '../../exchange/har/http-archive.ts'
import { blankBody, blankHeaders, blankUrl } from '../../exchange/secrets/blank.ts'
import type { LoggedRequest } from './logged-request.ts'

function factsOf(logged: LoggedRequest): HarFacts {
  const sent = blankBody(logged.requestText, 'request')
  const received = blankBody(logged.responseText, 'response')
  const size = Buffer.byteLength(logged.responseText ?? '')
  return {
    started: new Date(logged.at),
    ms: logged.took ?? 0,
    request: {
      method: logged.method,
      url: new URL(blankUrl(logged.url)).href,
      headers: blankHeaders(logged.requestHeaders),
      size: Buffer.byteLength(logged.requestText ?? ''),
      body: sent ? { text: sent } : undefined,
    },
    response: {
      status: logged.status ?? 0,
      statusText: '',
      headers: blankHeaders(logged.responseHeaders),
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
