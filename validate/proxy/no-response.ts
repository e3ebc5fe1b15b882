/**
 * What a client gets, and what is reported, if the upstream sent nothing that can be passed on.
 *
 * @module
 */

import type { IncomingMessage, ServerResponse } from 'node:http'
import { isUntrusted, trustStep } from '../../exchange/is-untrusted.ts'

export const noResponse = JSON.stringify({
  status: 502,
  message: 'The upstream server did not respond.',
  data: {},
})

/** The query is left out: it may hold a secret. */
export function described(incoming: IncomingMessage, what: string, error: unknown): string {
  const { code, message } = error as NodeJS.ErrnoException
  const next = isUntrusted(code) ? `: ${trustStep}` : ''
  return `${incoming.method} ${incoming.url?.split('?', 1)[0]}: ${what} (${code ?? message})${next}`
}

export function rejectRequest(outgoing: ServerResponse): void {
  if (outgoing.headersSent) {
    outgoing.destroy()
    return
  }
  // The reason is named because an address that was rejected before would be used again.
  outgoing.writeHead(502, 'Bad Gateway', { 'content-type': 'application/json' })
  outgoing.end(noResponse)
}
