/**
 * Fills a generated request and learns from its response.
 *
 * @module
 */

import { type Blanks, fillBlanks } from './blanks.ts'
import type { FuzzedRequest, FuzzRequest, ReceivedResponse } from './vocabulary.ts'

/** Header values as a client can send them: no line ends, nothing beyond Latin-1. */
const headerText = (text: string) => text.replace(/[^\t\x20-\x7e\x80-\xff]/g, '?')

/** A path as a client can send it. One that was cut may end in half a blank. */
const pathText = (text: string) => text.toWellFormed().replace(/[^\x21-\x7e]/gu, encodeURIComponent)

export function fillRequest({ method, path, headers, body }: FuzzRequest, blanks: Blanks): FuzzedRequest {
  const named = headers.map(([name, value]) => [name, headerText(fillBlanks(value, blanks))] as const)
  const bodiless = ['GET', 'HEAD'].includes(method.toUpperCase())
  return {
    method,
    path: pathText(fillBlanks(path, blanks)),
    headers: Object.fromEntries(named),
    ...(body !== undefined &&
      !bodiless && {
        body: Buffer.concat([Buffer.from(fillBlanks(body.text, blanks)), Buffer.from(body.tail ?? [])]),
      }),
  }
}

/** Ids and tokens that later requests of the session can use. */
export function learn(blanks: Blanks, sent: FuzzedRequest, { status, body }: ReceivedResponse): void {
  const relevant = (status === 200 || status === 401) && sent.method === 'POST' && body.byteLength < 100_000
  if (!relevant) return
  let parsed: unknown
  try {
    parsed = JSON.parse(Buffer.from(body).toString())
  } catch {
    return
  }
  if (typeof parsed !== 'object' || parsed === null) return
  const { id, token, otpId, mfaId } = parsed as Record<string, unknown>
  if (typeof id === 'string') blanks.created = encodeURIComponent(id)
  if (typeof token === 'string') blanks.session = token
  if (typeof otpId === 'string') blanks.otpId = otpId
  if (typeof mfaId === 'string') blanks.mfaId = mfaId
}

/** What the newest email says, where the request before was one that sends emails. */
export const mayHaveEmailed = ({ path }: FuzzedRequest): boolean => path.includes('/request-')
