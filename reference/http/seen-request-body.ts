/**
 * Data about requests and responses for the log: bodies, and why a request was rejected. Nothing is read or copied for
 * it, and it is released with the request or response.
 *
 * @module
 */

import type { RejectionReason } from '../errors.ts'
import { responseTextIn } from './text-response.ts'

/** Larger bodies are not kept. Bytes of a request, or characters of a response. */
const largest = 1024 * 1024

const requests = new WeakMap<Request, Uint8Array>()
const responses = new WeakMap<Response, string>()
const reasons = new WeakMap<Response, RejectionReason>()
const tokenFaults = new WeakMap<Request, () => string | undefined>()

export function keepRequestBody(request: Request, bytes: Uint8Array): void {
  if (bytes.byteLength <= largest) requests.set(request, bytes)
}

/** Returns the response itself. */
export function keepResponseText(response: Response, text: string): Response {
  if (text.length <= largest) responses.set(response, text)
  return response
}

/** Undefined if the body was not read, as for a request that was rejected earlier. */
export function seenRequestBody(request: Request): Uint8Array | undefined {
  return requests.get(request)
}

export function seenResponseText(response: Response): string | undefined {
  const text = responses.get(response) ?? responseTextIn(response)
  return text !== undefined && text.length <= largest ? text : undefined
}

/** Returns the response itself. */
export function keepReason(response: Response, reason: RejectionReason): Response {
  reasons.set(response, reason)
  return response
}

export function seenReason(response: Response): RejectionReason | undefined {
  return reasons.get(response)
}

/** @param fault why the token of the request is not valid */
export function keepTokenFault(request: Request, fault: () => string | undefined): void {
  tokenFaults.set(request, fault)
}

export function seenTokenFault(request: Request): (() => string | undefined) | undefined {
  return tokenFaults.get(request)
}
