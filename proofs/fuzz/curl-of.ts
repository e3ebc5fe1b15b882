/**
 * Inputs as people can send them again.
 *
 * @module
 */

import type { FuzzedRequest } from './vocabulary.ts'

/** Bodies and hex beyond this many bytes are shown by their beginning. */
const longest = 2000

const quoted = (text: string) => `'${text.replaceAll("'", `'\\''`)}'`

/** A curl line; `$URL` is the origin of the server. A body that is not valid text is written by `printf`. */
export function curlOf({ method, path, headers, body }: FuzzedRequest): string {
  const parts = [`curl -sS -g --path-as-is -X ${quoted(method)} "$URL"${quoted(cut(path))}`]
  for (const [name, value] of Object.entries(headers))
    parts.push(`-H ${quoted(value === '' ? `${name};` : `${name}: ${cut(value)}`)}`)
  if (body === undefined) return parts.join(' ')
  const text = Buffer.from(body).toString()
  const plain = /^[\t\n\x20-\x7e\u00a0-\ud7ff]*$/.test(text.slice(0, longest))
  const rest =
    body.byteLength > longest ? ` # the first ${longest} of ${body.byteLength} bytes of the body` : ''
  if (plain) return `${parts.join(' ')} --data-raw ${quoted(text.slice(0, longest))}${rest}`
  const octal = [...body.subarray(0, longest / 4)]
    .map((byte) => `\\${byte.toString(8).padStart(3, '0')}`)
    .join('')
  return `printf '${octal}' | ${parts.join(' ')} --data-binary @-${rest}`
}

const cut = (text: string) => (text.length > 4000 ? `${text.slice(0, 4000)}…` : text)

/** Bytes for `xxd -r -p | nc HOST PORT`. */
export function hexOf(bytes: Uint8Array): string {
  const hex = Buffer.from(bytes.subarray(0, longest)).toString('hex')
  return bytes.byteLength > longest ? `${hex} # the first ${longest} of ${bytes.byteLength} bytes` : hex
}
