/**
 * Exchanges as curl lines. What redaction replaced appears as a shell variable, outside the quotes.
 *
 * @module
 */

import { placeholder } from './redact.ts'
import type { Exchange } from './vocabulary.ts'

/** What curl sends by itself, or what makes no difference. */
const unsaid = ['accept', 'connection', 'content-length', 'host', 'user-agent']

export function curlLines(exchanges: readonly Exchange[]): string[] {
  return exchanges.map(curlLine)
}

export function curlLine({ request }: Exchange): string {
  const parts = ['curl -sS']
  if (request.method !== 'GET') parts.push(`-X ${quoted(request.method)}`)
  parts.push(quoted(request.url))
  const form = request.headers['content-type']?.startsWith('multipart/form-data') === true
  for (const [name, value] of Object.entries(request.headers)) {
    if (!unsaid.includes(name) && !(form && name === 'content-type'))
      parts.push(`-H ${quoted(`${name}: ${value}`)}`)
  }
  if (form)
    for (const line of request.body.split('\n'))
      parts.push(`-F ${quoted(line.replace(/ \(\d+ bytes, ([^)]*)\)$/, ';type=$1'))}`)
  else if (request.body !== '') parts.push(`--data-raw ${quoted(request.body)}`)
  return parts.join(' ')
}

/** One shell word. Single quotes, but for the names of secrets, which the shell shall fill in. */
export function quoted(text: string): string {
  if (/^[\w./:@=-]+$/.test(text)) return text
  let out = ''
  let at = 0
  for (const match of text.matchAll(placeholder)) {
    out += `${single(text.slice(at, match.index))}"${match[0]}"`
    at = match.index + match[0].length
  }
  return out + single(text.slice(at))
}

function single(text: string): string {
  return text === '' ? '' : `'${text.replaceAll("'", `'\\''`)}'`
}
