/**
 * Formats exchanges as curl commands that repeat the request. Redacted values appear as shell variables, outside the
 * quotes.
 *
 * @module
 */

import type { Exchange } from './exchange.ts'
import { longestShown } from './exchange.ts'
import { isVariable, placeholder } from './secrets/secret-names.ts'
import { hasInvisible } from './visible.ts'

/** Headers that curl sends by default, or that make no difference. */
const unsaid = ['connection', 'content-length', 'host', 'user-agent']

/** Values for which a server returns what it returns to curl: JSON comes first, or anything is accepted. */
const usualAccept = /^(?:application\/json(?=\s*(?:,|$))|\*\/\*$)/

export interface CurlOptions {
  /** Variable with the file of a certificate that the system does not trust: `$NODE_EXTRA_CA_CERTS`. */
  caFile?: string
  /** Names of what only an email says, in the form `$CODE`: the shell asks for those that are not set. */
  emailed?: ReadonlySet<string>
}

export function curlLine(
  { request, response }: Exchange,
  { caFile, emailed = new Set() }: CurlOptions = {},
): string {
  const { method, url, headers, body, octets } = request
  const parts = ['curl -sS']
  if (caFile !== undefined && url.startsWith('https:')) parts.push(`--cacert "${caFile}"`)
  // Otherwise curl expands brackets to a list of addresses, and resolves dot segments.
  if (/[[\]{}]/.test(url)) parts.push('-g')
  if (/\/\.\.?(?:\/|$|\?)/.test(url)) parts.push('--path-as-is')
  if (method === 'HEAD') parts.push('-I')
  else if (method !== 'GET' || body !== '') parts.push(`-X ${shellQuoted(method)}`)
  parts.push(shellQuoted(url))
  for (const [name, value] of Object.entries(headers)) {
    if (unsaid.includes(name) || (name === 'accept' && usualAccept.test(value))) continue
    // The default of curl. It matters only if the server compresses a response without a request header for it.
    if (
      name === 'accept-encoding' &&
      value === 'identity' &&
      response?.headers['content-encoding'] === undefined
    )
      continue
    if (isVariable(value)) parts.push(`-H '${name}: '"${value}"`)
    else parts.push(`-H ${shellQuoted(value === '' ? `${name};` : `${name}: ${value}`)}`)
  }
  if (body === '' || octets === '') return parts.join(' ')
  if (headers['content-type'] === undefined) parts.push(`-H 'content-type:'`)
  if (octets === undefined && isPartial(request))
    return `${parts.join(' ')} --data-binary @body # ${request.bytes} bytes, too long for a report`
  if (octets !== undefined || isControlled(body))
    return `printf ${printed(octets ?? body, octets !== undefined)} | ${parts.join(' ')} --data-binary @-`
  parts.push(`--data-raw ${shellQuoted(body, emailed)}`)
  return parts.join(' ')
}

/** Whether the body is a summary or truncated. The lines of a form are not its parts: a value may have lines as well. */
function isPartial({ body, bytes, headers }: Exchange['request']): boolean {
  const isForm = headers['content-type']?.startsWith('multipart/form-data') === true
  return bytes > longestShown && (isForm || body.endsWith('…') || /^\d+ bytes #\w+$/.test(body))
}

/** One shell word in single quotes. Names of secrets are outside the quotes, so that the shell expands them. */
export function shellQuoted(text: string, emailed: ReadonlySet<string> = new Set()): string {
  if (/^[\w./:@=-]+$/.test(text)) return text
  return split(text)
    .map(({ plain, name }) => single(plain) + (name === '' ? '' : `"${expanded(name, emailed)}"`))
    .join('')
}

/** What a line contains if it needs an email. */
export const fromEmail = ':?read it from the email}'

/** The shell stops at a variable that is not set, and says where to find its value. */
function expanded(name: string, emailed: ReadonlySet<string>): string {
  return emailed.has(name) ? `\${${name.slice(1)}${fromEmail}` : name
}

/** Text between names of secrets, each with the name that follows it. */
function split(text: string): { plain: string; name: string }[] {
  const pieces: { plain: string; name: string }[] = []
  let at = 0
  for (const match of text.matchAll(placeholder)) {
    pieces.push({ plain: text.slice(at, match.index), name: match[0] })
    at = match.index + match[0].length
  }
  return [...pieces, { plain: text.slice(at), name: '' }]
}

/** The printf argument that writes a string, always on one line. @param bytes each character is one byte */
function printed(text: string, bytes: boolean): string {
  const pieces = split(text)
  const format = pieces
    .map(({ plain, name }) => escaped(plain, bytes) + (name === '' ? '' : '%s'))
    .join('')
    // So that it is not parsed as an option.
    .replace(/^-/, '\\055')
  return [single(format), ...pieces.flatMap(({ name }) => (name === '' ? [] : [`"${name}"`]))].join(' ')
}

function escaped(text: string, bytes: boolean): string {
  let out = ''
  for (const char of text) {
    const code = char.codePointAt(0) ?? 0
    if (char === '\n') out += '\\n'
    else if (char === '\r') out += '\\r'
    else if (char === '%') out += '%%'
    else if (char === '\\') out += '\\\\'
    else if (bytes && code > 0x7f) out += octal(code)
    else if (char === '\t' || hasInvisible(char)) for (const byte of Buffer.from(char)) out += octal(byte)
    else out += char
  }
  return out
}

function octal(byte: number): string {
  return `\\${byte.toString(8).padStart(3, '0')}`
}

/** Whether a string contains line breaks or characters that a terminal does not show as they are. */
function isControlled(text: string): boolean {
  return /[\t\n]/.test(text) || hasInvisible(text)
}

function single(text: string): string {
  return text === '' ? '' : `'${text.replaceAll("'", `'\\''`)}'`
}
