/**
 * Whether a response shows what only an email may contain: in its body, encoded or not, or in a header.
 *
 * @module
 */

import { percentDecoded } from '../../../exchange/percent-decoded.ts'
import type { ApiResponse } from '../../../harness/vocabulary/api.ts'
import { unusualHeaders } from '../unusual-headers.ts'

type Shown = Pick<ApiResponse, 'headers' | 'text'>

/** A proof of this length does not occur in another string by coincidence. */
const unmistakable = 16
/** Strings that may be encoded, for responses that are not unusually long. */
const mostEncoded = 500

/** Whether a response contains a code or a proof, as it is or encoded so that anyone can read it. */
export function reveals(response: Shown, proof: string): boolean {
  return plainText(response).includes(proof) || revealsWord(response, proof)
}

/** The same for a response with identifiers and times: a short code that is a part of one is not revealed. */
export function revealsWord(response: Shown, proof: string): boolean {
  const text = plainText(response)
  const values = Object.values(unusualHeaders(response)).flatMap((value) => [
    value,
    percentDecoded(value) ?? '',
  ])
  const shown = [text, ...values]
  return (
    shown.some((each) => holds(each, proof)) ||
    shown.some((each) => decodedIn(each).some((inner) => holds(inner, proof)))
  )
}

function plainText({ text }: Shown): string {
  return text.replaceAll('\\/', '/')
}

/** What a message shows of such a response. */
export function shownOf(response: Shown): string {
  const headers = Object.entries(unusualHeaders(response)).map(([name, value]) => `${name}: ${value}`)
  return [...headers, response.text].join('\n')
}

/** A short code counts as a whole word alone: it may be a part of a number, of a time or of an identifier. */
function holds(text: string, proof: string): boolean {
  if (proof.length >= unmistakable) return text.includes(proof)
  for (let at = text.indexOf(proof); at !== -1; at = text.indexOf(proof, at + 1))
    if (
      !/[\p{L}\p{N}][._-]*$/u.test(text.slice(0, at)) &&
      !/^[._-]*[\p{L}\p{N}]/u.test(text.slice(at + proof.length))
    )
      return true
  return false
}

/** What the strings of a text contain if they are base64 or hexadecimal digits. */
function decodedIn(text: string): string[] {
  const encoded = text.match(/[A-Za-z0-9+/_-]{6,}/g) ?? []
  return encoded.slice(0, mostEncoded).flatMap((each) => {
    const hex = /^(?:[0-9a-f]{2})+$/i.test(each) ? [Buffer.from(each, 'hex').toString('latin1')] : []
    return [...hex, Buffer.from(each, 'base64').toString('latin1')]
  })
}
