/**
 * What some servers take together with an emailed proof: the address that the email went to, as with a short code, or
 * another part of the link in it, which often says whose proof it is.
 *
 * @module
 */

import { jsonObject } from '../../exchange/json-object.ts'
import { namedFields } from '../explore/named-fields.ts'
import { otherParameters, segmentBefore } from '../services/email-reading.ts'
import type { TakenProof } from '../services/proof-book.ts'
import type { ApiResponse } from '../vocabulary/api.ts'

/** A word of an email to an address. */
export type EmailedWord = Pick<TakenProof, 'email' | 'word' | 'to'>

/** Keys of a body with their values. */
export type ProofParts = Readonly<Record<string, string>>

const address = /mail|address|identity|login/i
/** Names of who proves something. In the path of a link, nothing names a part. */
const account = /id(b64)?$|^(user|account|member)$/i

/** Whether the run looks for the value of such a key by itself, in the email of a proof. */
export function isPartOfProof(key: string): boolean {
  return address.test(key) || /^(?:(?:user|account|member)?_?u?id(?:b64)?|user|account|member)$/i.test(key)
}

/** Those of the keys whose values the email of a proof shows. */
export function partsOfProof({ email, word, to }: EmailedWord, keys: readonly string[]): ProofParts {
  if (keys.length === 0) return {}
  const linked = otherParameters(email, word)
  return Object.fromEntries(
    keys.flatMap((key) => {
      const unnamed = account.test(key) ? segmentBefore(email, word) : undefined
      const value = linked[key] ?? (address.test(key) ? to : unnamed)
      return value === undefined ? [] : [[key, value]]
    }),
  )
}

/** What a rejection asks for that the email shows and the request does not have. */
export function partsAskedFor(
  proof: EmailedWord,
  sent: unknown,
  { body, text }: Pick<ApiResponse, 'body' | 'text'>,
): ProofParts {
  return lacking(sent, partsOfProof(proof, namedFields(body ?? text)))
}

/** The parts that a body does not have yet. */
export function lacking(body: unknown, parts: ProofParts): ProofParts {
  const has = jsonObject(body) ?? {}
  return Object.fromEntries(Object.entries(parts).filter(([key]) => !(key in has)))
}

/** A JSON body with the parts that it does not have; any other body unchanged. */
export function bodyWithParts<T>(body: T, parts: ProofParts): T | string {
  const values = typeof body === 'string' ? jsonObject(body) : undefined
  return values === undefined ? body : JSON.stringify({ ...parts, ...values })
}
