/**
 * What the document says about every response of any operation (section 1).
 *
 * @module
 */

import { shownResponses } from '../spec/shown-responses.ts'
import { isSuccess } from '../spec/status-range.ts'
import type { OperationId } from '../spec/vocabulary.ts'
import type { Mismatch } from './mismatch.ts'
import type { ExchangeReading } from './reading/reading.ts'

const jsonType = /^\s*application\/(json|[\w.+-]+\+json)\s*(;|$)/i

type Take = (mismatch: Mismatch) => void

/** A status of 500 or above is always a server fault. */
export function judgeStatus(status: number, shown: string, take: Take): void {
  if (status < 500) return
  // 501 means "not implemented", not a failure.
  const broken = status === 501 ? ['wire.no-server-error'] : ['wire.no-server-error', 'wire.no-5xx']
  for (const requirement of broken)
    take({
      requirement,
      path: '',
      message: 'a request made the server fail',
      expected: 'a status below 500',
      received: `${status} ${shown}`,
    })
}

/**
 * @param operation undefined if the request matches none
 * @param shown the body for messages
 */
export function judgeWire(
  { status, contentType, text, body, utf8 }: ExchangeReading,
  operation: OperationId | undefined,
  shown: string,
  take: Take,
): void {
  const add = (requirement: string, message: string, expected: string, received: string) =>
    take({ requirement, path: '', message, expected, received })
  const empty = text === undefined ? body === undefined : text === ''
  if (!empty && body === undefined) {
    add('wire.json-bodies', `a body with status ${status} is not JSON`, 'a JSON body', shown)
    // The profile requires that an error response has a body.
    if (status >= 400)
      add(
        'wire.json-errors',
        `the body of an error response with status ${status} is not JSON`,
        'a JSON body',
        shown,
      )
  }
  if (status === 204 && !empty) add('wire.no-empty-success', 'status 204 came with a body', 'no body', shown)
  if (empty && owesBody(operation, status))
    add('wire.no-empty-success', `status ${status} came without a body`, 'a body', 'no body')
  if (!utf8) add('wire.json-utf8', 'a body is not well-formed UTF-8', 'UTF-8', shown)
  if (body !== undefined && contentType !== 'application/json' && !jsonType.test(contentType)) {
    add(
      'wire.json-media-type',
      'a JSON body has another content type',
      'application/json',
      contentType || 'no content type',
    )
  }
}

/** Whether the document shows the body. If so, a missing body is not valid JSON. */
export function owesBody(operation: OperationId | undefined, status: number): boolean {
  if (operation === undefined || !shownResponses.includes(operation)) return false
  return isSuccess(status) && status !== 204
}
