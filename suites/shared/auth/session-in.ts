/**
 * What the response to a sign-in or a refresh contains: a token, a record, an `mfaId`.
 *
 * @module
 */

import { isObject, objectsOf } from '../../../exchange/json-object.ts'
import { expectSuccess, expectThat, objectBody, UntestableError } from '../../../harness/judging/expect.ts'
import type { ApiResponse, WireRecord } from '../../../harness/vocabulary/api.ts'

/** The token of a response; undefined if it has none. */
export function sessionToken(response: ApiResponse): string | undefined {
  const token = (response.body as { token?: unknown } | undefined)?.token
  return isToken(token, response.ok) ? token : undefined
}

/**
 * A rejection may say under the name of a key what is wrong with it: of the key `token`, that it is `required`. The form of
 * errors is left open (document, section 7).
 */
function isToken(value: unknown, ok: boolean): value is string {
  if (typeof value !== 'string' || value === '') return false
  return ok || !/\s|^[a-z]{3,}(?:[_.-][a-z]+)*$/i.test(value)
}

/**
 * The session in a response whose form the document leaves open: every sign-in endpoint except the one for
 * passwords (sections 2.5, 4.2). It is searched for in the body, and in the one object that the body contains.
 */
export function sessionIn({ body, ok }: Pick<ApiResponse, 'body' | 'ok'>): {
  token?: string
  recordId?: string
} {
  const found: { token?: string; recordId?: string } = {}
  for (const { token, record } of objectsOf(body)) {
    if (isToken(token, ok)) found.token ??= token
    if (isObject(record) && typeof record.id === 'string') found.recordId ??= record.id
  }
  return found
}

/** The record of a response, wherever in it; empty if there is none. */
export function shownIn({ body }: Pick<ApiResponse, 'body'>): Record<string, unknown> {
  const { record } = objectsOf(body).find((each) => isObject(each.record)) ?? {}
  return isObject(record) ? record : {}
}

/** A token that cannot be found cannot be checked. */
export function hidden(what: string, part: 'token' | 'record'): UntestableError {
  return new UntestableError(
    `${what} returns a response in an unknown form (allowed); no ${part} was found in it`,
  )
}

/** The token of the account that was signed in. @throws UntestableError if the form of the response is not known */
export function givenToken(response: ApiResponse, what: string): string {
  expectSuccess(response, what)
  const { token } = sessionIn(response)
  if (token === undefined) throw hidden(what, 'token')
  return token
}

/** The id of the record that was signed in. @throws UntestableError if the form of the response is not known */
export function signedInId(response: ApiResponse, what: string): string {
  expectSuccess(response, what)
  const { recordId } = sessionIn(response)
  if (recordId === undefined) throw hidden(what, 'record')
  return recordId
}

/** Every string in a response. */
export function stringsIn(value: unknown): string[] {
  return scalarsIn(value).filter((each) => typeof each === 'string')
}

/** Every string and number in a response, as a client would send it back. */
export function sentBackIn(value: unknown): string[] {
  return scalarsIn(value).map(String)
}

/** Strings and numbers, at any depth. */
function scalarsIn(value: unknown): (string | number)[] {
  if (typeof value === 'string' || typeof value === 'number') return [value]
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(scalarsIn) : []
}

/** A string that a client could send in a header, and that no one could guess: no address of a page, for example. */
export function isLikeToken(text: string): boolean {
  return /^(?!(?:https?|about|urn):)[\x21-\x7e]{8,}$/.test(text)
}

/** The record in the response to a sign-in or a refresh. */
export function recordIn(response: ApiResponse, what: string): WireRecord {
  expectSuccess(response, what)
  const { record } = objectBody(response)
  expectThat(
    typeof record === 'object' && record !== null,
    `${what} returns no record`,
    'an object',
    response.text,
  )
  return record as WireRecord
}
