/**
 * One exchange on an undici connection, with the complete body. A run has thousands of them; collecting the chunks
 * avoids creating and reading a stream for each.
 *
 * @module
 */

import type { IncomingHttpHeaders } from 'node:http'
import type { Dispatcher } from 'undici'

/** A response as it was received. */
export interface WireResponse {
  status: number
  /** By lower-case name; repeated headers are joined by commas. */
  headers: Record<string, string>
  bytes: Buffer
  /** Milliseconds from sending to the last byte. */
  ms: number
}

export interface UnderWay {
  /** Rejects with the library's error, or with the reason of the abort. */
  response: Promise<WireResponse>
  /** Closes the connection. A request that still waits for one is never sent. */
  giveUp(reason: Error): void
}

/** Maximum size of a body in bytes, compressed or not: far more than any check needs, but still fits in one string. */
export const largestBody = 64 * 1024 * 1024

/** The body is larger than the maximum. The rest was not read. */
export class OversizedError extends Error {
  override name = 'OversizedError'
}

export function exchangeBytes(on: Dispatcher, options: Dispatcher.DispatchOptions): UnderWay {
  let controller: Dispatcher.DispatchController | undefined
  let givenUp: Error | undefined
  let rejectNow: (reason: Error) => void = () => {}
  const begin = performance.now()
  const response = new Promise<WireResponse>((resolve, reject) => {
    rejectNow = reject
    const pieces: Buffer[] = []
    let size = 0
    let status = 0
    let headers: IncomingHttpHeaders = {}
    on.dispatch(options, {
      onRequestStart(its) {
        controller = its
        if (givenUp !== undefined) its.abort(givenUp)
      },
      // Also called for informational responses: the last call is the final response.
      onResponseStart(_, itsStatus, itsHeaders) {
        status = itsStatus
        headers = itsHeaders
      },
      onResponseData(its, piece) {
        size += piece.length
        if (size <= largestBody) pieces.push(piece)
        else its.abort(new OversizedError(`a body of more than ${largestBody} bytes`))
      },
      onResponseEnd() {
        const ms = performance.now() - begin
        resolve({ status, headers: flat(headers), bytes: Buffer.concat(pieces), ms })
      },
      onResponseError(_, error) {
        reject(error)
      },
    })
  })
  return {
    response,
    giveUp(reason) {
      givenUp ??= reason
      if (controller === undefined) rejectNow(givenUp)
      else controller.abort(givenUp)
    },
  }
}

function flat(headers: IncomingHttpHeaders): Record<string, string> {
  const out: Record<string, string> = {}
  for (const [name, value] of Object.entries(headers)) {
    if (value !== undefined) out[name.toLowerCase()] = Array.isArray(value) ? value.join(', ') : value
  }
  return out
}
