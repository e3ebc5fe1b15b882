/**
 * The identity that a sign-in sends, in any form that a body may have: JSON, and the two that HTML forms have.
 *
 * @module
 */

import { jsonObject } from '../../exchange/json-object.ts'
import type { WireRequest } from './transport.ts'

/** A part of a `multipart/form-data` body. */
const part = /(name="identity"\r\n\r\n)([^\r\n]*)/g
/** A parameter of a URL-encoded body. A report shows each part of a `multipart/form-data` body in such a line, too. */
const parameter = /((?:^|&)identity=)([^&\r\n]*)/gm
const member = /("identity"\s*:\s*)("(?:[^"\\]|\\.)*")/g

/** @returns the identity; undefined if the body has none, or one that is not a string */
export function sentIdentity({ headers, body }: Pick<WireRequest, 'headers' | 'body'>): string | undefined {
  const type = String(headers['content-type'])
  if (type.startsWith('application/x-www-form-urlencoded'))
    return new URLSearchParams(textOf(body)).get('identity') ?? undefined
  if (type.startsWith('multipart/form-data')) return [...textOf(body).matchAll(part)][0]?.[2]
  const { identity } = jsonObject(body) ?? {}
  return typeof identity === 'string' ? identity : undefined
}

/** The same body with another identity. It may be an unusual one, with a key twice: nothing else changes. */
export function withIdentity(body: string, before: string, now: string): string
export function withIdentity(body: WireRequest['body'], before: string, now: string): string | Uint8Array
export function withIdentity(body: WireRequest['body'], before: string, now: string): string | Uint8Array {
  const changed = textOf(body)
    .replaceAll(member, (whole, key: string, given: string) =>
      given === JSON.stringify(before) ? key + JSON.stringify(now) : whole,
    )
    .replaceAll(part, (whole, key: string, given: string) => (given === before ? key + now : whole))
    .replaceAll(parameter, (whole, key: string, given: string) =>
      given === before || given === encodeURIComponent(before) ? key + now : whole,
    )
  return typeof body === 'string' ? changed : Buffer.from(changed, 'latin1')
}

/** Bytes as characters of one byte each, which become the same bytes again. */
function textOf(body: WireRequest['body']): string {
  return typeof body === 'string' ? body : Buffer.from(body ?? '').toString('latin1')
}
