/**
 * The body in a dump of curl: which of its bytes are the server's, and whether curl has unpacked them.
 *
 * @module
 */

import { isJson } from '../../exchange/is-json.ts'
import type { ResponseFacts } from '../../exchange/plain-exchange.ts'

/** @param body a character for each byte */
export function bodyOfDump(
  { 'content-encoding': encoding, ...headers }: Record<string, string>,
  body: string,
): Pick<ResponseFacts, 'headers' | 'body'> {
  // `--compressed` unpacks the body and leaves the header as it was.
  if (encoding !== undefined && body !== '' && !isJson(body))
    return { headers: { ...headers, 'content-encoding': encoding }, body: Buffer.from(body, 'latin1') }
  return { headers, body: Buffer.from(body.slice(0, lengthOf(body)), 'latin1') }
}

/** Whether lines of a body make a whole JSON text. */
export function endsJson(lines: readonly string[]): boolean {
  return isJson(lines.join('\n'))
}

/** Without the line feeds that the terminal or the user has put behind it. */
function lengthOf(body: string): number {
  let length = body.length
  while (length > 0 && (body[length - 1] === '\n' || body[length - 1] === '\r')) length -= 1
  return length
}
