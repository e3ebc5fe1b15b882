/**
 * One exchange on a connection of undici, its body whole. A run has thousands of them, and each would first make a
 * stream that is then read to its end: this takes the pieces as they come.
 *
 * @module
 */

import type { IncomingHttpHeaders } from 'node:http'
import type { Dispatcher } from 'undici'

/** A response as it came over the wire. */
export interface WireResponse {
  status: number
  /** By their names in lower case; repeated ones joined by commas. */
  headers: Record<string, string>
  bytes: Buffer
  /** Milliseconds from sending to the last byte. */
  ms: number
}

export interface UnderWay {
  /** Rejects with the library's error, or with what it was given up for. */
  answer: Promise<WireResponse>
  /** Ends the connection; before there is one, as soon as there is. */
  giveUp(reason: Error): void
}

/** Bytes of the largest body that is taken, packed or not: far more than any check asks for, and still one text. */
export const largestBody = 64 * 1024 * 1024

/** More came than is taken. What came after that was not read. */
export class OversizedError extends Error {
  override name = 'OversizedError'
}

export function exchange(on: Dispatcher, options: Dispatcher.DispatchOptions): UnderWay {
  let controller: Dispatcher.DispatchController | undefined
  let givenUp: Error | undefined
  const begin = performance.now()
  const answer = new Promise<WireResponse>((resolve, reject) => {
    const pieces: Buffer[] = []
    let size = 0
    let status = 0
    let headers: IncomingHttpHeaders = {}
    on.dispatch(options, {
      onRequestStart(its) {
        controller = its
        if (givenUp !== undefined) its.abort(givenUp)
      },
      // Told of informational answers as well: the last one is the answer.
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
    answer,
    giveUp(reason) {
      givenUp ??= reason
      controller?.abort(givenUp)
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
