/**
 * The body in a curl dump: which bytes are from the server, and whether curl has decoded them.
 *
 * @module
 */

import { isJson } from '../../exchange/is-json.ts'
import type { ResponseFacts } from '../../exchange/plain-exchange.ts'

/** @param body one character per byte */
export function bodyOfDump(
  { 'content-encoding': encoding, ...headers }: Record<string, string>,
  body: string,
): Pick<ResponseFacts, 'headers' | 'body'> {
  // `--compressed` decodes the body and keeps the header.
  if (encoding !== undefined && body !== '' && !isJson(body))
    return { headers: { ...headers, 'content-encoding': encoding }, body: Buffer.from(body, 'latin1') }
  return { headers, body: Buffer.from(body.slice(0, lengthOf(body)), 'latin1') }
}

/** Why the body is not there, or not all of it: the connection broke, or the dump was cut. Undefined if it is. */
export function missingInDump(
  { 'content-length': length = '', 'content-encoding': encoding }: Record<string, string>,
  body: string,
): string | undefined {
  if (encoding !== undefined || !(Number(length) > body.length) || isJson(body)) return undefined
  return body.trim() === '' ? 'the dump has no body' : 'the dump has only the beginning of the body'
}

/** Whether the lines of a body form a complete JSON text. */
export function endsJson(lines: readonly string[]): boolean {
  return isJson(lines.join('\n'))
}

/** Removes the line feeds that the terminal or the user added at the end. */
function lengthOf(body: string): number {
  let length = body.length
  while (length > 0 && (body[length - 1] === '\n' || body[length - 1] === '\r')) length -= 1
  return length
}
