/**
 * Maps the names of the description, which the suites use, to the names of the target, in requests and responses.
 *
 * @module
 */

import { isObject, jsonObject } from '../../exchange/json-object.ts'
import { standardBinding } from '../../spec/gaps.ts'
import type { Binding, OperationId } from '../../spec/vocabulary.ts'
import { extraKeys } from './extra-keys.ts'
import { asHeaderValue } from './header-value.ts'

/** Prefixes of the bindings for the keys of an operation's body. */
const namesOf: Partial<Record<OperationId, readonly string[]>> = {
  requestOtp: ['otp.'],
  authWithPassword: ['mfa.'],
  authWithOtp: ['otp.', 'mfa.'],
  authWithOAuth2: ['oauth2.', 'mfa.'],
  impersonate: ['impersonate.'],
  requestVerification: ['flow.'],
  confirmVerification: ['flow.', 'verification.'],
  requestPasswordReset: ['flow.'],
  confirmPasswordReset: ['flow.', 'passwordReset.'],
  requestEmailChange: ['emailChange.'],
  confirmEmailChange: ['flow.', 'emailChange.'],
}

/** A body with the target's names instead of the description's, and with the keys that the target requires in addition. */
export function targetNames(operation: OperationId | undefined, body: unknown, binding: Binding): unknown {
  if (operation === undefined || !isObject(body)) return body
  const target = new Map(namesIn(operation, binding).map(({ ours, theirs }) => [ours, theirs]))
  return withExtra(renamed(body, target), extraKeys(operation, binding))
}

/** @param extra keys that are added at the end where the body does not have them */
export function withExtra(
  body: Readonly<Record<string, unknown>>,
  extra: Readonly<Record<string, unknown>>,
): Record<string, unknown> {
  return { ...body, ...Object.fromEntries(Object.entries(extra).filter(([key]) => !(key in body))) }
}

const HEADER = 'header:'
const LIST = 'list.'
/** Names the proof in each email flow that has no name of its own for it. */
const ALL_PROOFS = 'flow.token'

/** Moves body values to headers where the target's name begins with `header:`. What no header can carry is percent-encoded. */
export function moveToHeaders(body: unknown, headers: Record<string, string>): unknown {
  if (!isObject(body)) return body
  const moved = Object.keys(body).filter((key) => key.startsWith(HEADER))
  for (const key of moved) headers[key.slice(HEADER.length).toLowerCase()] = asHeaderValue(String(body[key]))
  return moved.length === 0
    ? body
    : Object.fromEntries(Object.entries(body).filter(([key]) => !moved.includes(key)))
}

/**
 * The target's response with the names of the description: the keys of `data` in an error response are those of the
 * body, and the identifier of a code has the same name as in the request that uses it.
 */
export function standardResponse(
  operation: OperationId | undefined,
  body: unknown,
  binding: Binding,
): unknown {
  if (operation === undefined || !isObject(body)) return body
  const names = namesIn(operation, binding).filter(({ ours, theirs }) => ours !== theirs)
  if (names.length === 0) return body
  const standard = new Map(names.map(({ ours, theirs }) => [theirs, ours]))
  if (operation === 'requestOtp' && !('data' in body)) {
    const inner = Object.entries(body).map(([key, value]) => [
      key,
      isObject(value) ? renamed(value, standard) : value,
    ])
    return renamed(Object.fromEntries(inner), standard)
  }
  return isObject(body.data) ? { ...body, data: renamed(body.data, standard) } : body
}

/**
 * The response to a request for a code, with what identifies the code. If the target has one name for the identifier and the
 * address, the address is the identifier.
 *
 * @param sent the body of the request, as the target receives it
 */
export function withIdentifier(body: unknown, sent: unknown, binding: Binding): unknown {
  const { 'otp.id': id, 'otp.email': email } = { ...standardBinding(), ...binding }
  const address = id === email && email !== undefined ? jsonObject(sent)?.[email] : undefined
  if (typeof address !== 'string') return body
  if (body === undefined || body === null) return { otpId: address }
  return isObject(body) ? { otpId: address, ...body } : body
}

/**
 * The parts of a request to the target, by the names of the description: `query.limit` is `query.perPage`, and
 * `header.x-second-factor` may be `body.mfaId`. Equal names are omitted.
 */
export function serverNames(operation: OperationId, binding: Binding): ReadonlyMap<string, string> {
  const query = Object.entries(standardBinding()).flatMap(([key, ours]) =>
    key.startsWith(LIST) ? [[`query.${binding[key] ?? ours}`, `query.${ours}`] as const] : [],
  )
  const body = namesIn(operation, binding).map(({ ours, theirs }) => {
    const inHeader = theirs.startsWith(HEADER)
    const sent = inHeader ? `header.${theirs.slice(HEADER.length).toLowerCase()}` : `body.${theirs}`
    return [sent, `body.${ours}`] as const
  })
  return new Map([...query, ...body].filter(([theirs, ours]) => theirs !== ours && theirs !== 'query.'))
}

function namesIn(operation: OperationId, binding: Binding): { ours: string; theirs: string }[] {
  const starts = namesOf[operation] ?? []
  if (starts.length === 0) return []
  return Object.keys(standardBinding())
    .filter((key) => key !== ALL_PROOFS && starts.some((start) => key.startsWith(start)))
    .map((key) => ({ ours: ourName(key), theirs: theirName(key, binding) }))
}

/** What the target calls the parameter of a key of the binding. Without a name for one flow, the proof has that of all flows. */
export function theirName(key: string, binding: Binding): string {
  if (isProof(key)) return binding[key] || (binding[ALL_PROOFS] ?? ourName(key))
  return binding[key] ?? ourName(key)
}

/** What the description calls the parameter. */
function ourName(key: string): string {
  return standardBinding()[isProof(key) ? ALL_PROOFS : key] ?? ''
}

/** Whether the key names the proof in one email flow. */
function isProof(key: string): boolean {
  return key.endsWith('.token') && key !== ALL_PROOFS
}

function renamed(
  body: Readonly<Record<string, unknown>>,
  names: ReadonlyMap<string, string>,
): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(body)
      .map(([name, value]): [string, unknown] => [names.get(name) ?? name, value])
      // An empty name represents a key that the target does not have.
      .filter(([name]) => name !== ''),
  )
}
