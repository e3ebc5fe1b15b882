/**
 * Which secret an exchange sent, and which its response issued. Redaction removes the values, so two tokens look the same
 * afterwards. Fingerprints differ and reveal neither.
 *
 * @module
 */

import { createHash } from 'node:crypto'
import type { Exchange } from '../exchange.ts'
import { sentToken } from '../sent-token.ts'

/** Fingerprints of the secrets of one exchange. */
export interface PassedSecrets {
  /** Of the token in the request header. */
  authorization?: string
  /** Of the values in the request body that may come from an email or a sign-in, by key. */
  body: Readonly<Record<string, string>>
  /** Of the first `token` in the response. */
  issued?: string
}

/** What an exchange has of secrets before redaction. */
export interface Unredacted {
  authorization?: string
  body?: string
  response?: string
}

/** Not a property of the exchange: reports must not contain it. */
const passed = new WeakMap<Exchange, PassedSecrets>()
const none: PassedSecrets = { body: {} }
/** Longer bodies contain no sign-in. */
const longestBody = 10_000

export function keepPassedSecrets(
  exchange: Exchange,
  { authorization, body = '', response }: Unredacted,
): void {
  const token = sentToken(authorization)
  const sent = body.length > longestBody ? [] : [...body.matchAll(/"(token|password|code)": *"([^"]+)"/g)]
  const issued = response === undefined ? undefined : /"token": *"([^"]+)"/.exec(response)?.[1]
  if (!token && sent.length === 0 && issued === undefined) return
  passed.set(exchange, {
    ...(token && { authorization: fingerprint(token) }),
    body: Object.fromEntries(sent.map(([, key = '', value = '']) => [key, fingerprint(value)])),
    ...(issued !== undefined && { issued: fingerprint(issued) }),
  })
}

export function passedSecrets(exchange: Exchange): PassedSecrets {
  return passed.get(exchange) ?? none
}

function fingerprint(secret: string): string {
  return createHash('sha256').update(secret).digest('base64url').slice(0, 16)
}
