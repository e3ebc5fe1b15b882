/**
 * Which strings the field type `url` accepts. `URL` of the platform accepts others.
 *
 * @module
 */

import { isIP } from 'node:net'
import { runeCount } from './cast.ts'

const letter = 'A-Za-z\\u00a1-\\uffff'
const scheme = /^(?:ftp|tcp|udp|wss?|https?):\/\//
const label = new RegExp(`^[${letter}0-9](?:[${letter}0-9_-]*[${letter}0-9])?$`)

/** Characters. */
const longest = 2082

/**
 * Whether a string is a URL as the profile defines it (contract-records 3.2): one of a few schemes in lower case or
 * none, then a host with a dot or a port, then anything without spaces.
 */
export function isUrl(text: string): boolean {
  if (Buffer.byteLength(text) < 4 || runeCount(text, longest) > longest || text.startsWith('.')) return false
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what must not be there
  if (/[\s\x00-\x20\x7f]/.test(text)) return false
  const prefix = scheme.exec(text)?.[0] ?? ''
  const { authority, rest } = split(text.slice(prefix.length))
  if (/%(?![0-9a-f]{2})/i.test(text.replace(/[?].*$/s, ''))) return false
  const host = authority.slice(authority.lastIndexOf('@') + 1)
  const [, name = '', port] = /^(\[[^\]]*\]|[^:]*)(?::(.*))?$/.exec(host) ?? []
  if (port !== undefined && !/^\d{1,5}$/.test(port)) return false
  if (prefix === '' && !text.includes(':') && !(authority + rest.replace(/[?#].*$/s, '')).includes('.'))
    return false
  return isHost(name)
}

/** Host and port of a URL with a scheme. A URL without a scheme has no host, so domain lists do not apply to it. */
export function hostOf(text: string): string {
  const prefix = /^[A-Za-z][A-Za-z0-9+.-]*:\/\//.exec(text)?.[0]
  if (prefix === undefined) return ''
  const { authority } = split(text.slice(prefix.length))
  return authority.slice(authority.lastIndexOf('@') + 1)
}

function split(text: string): { authority: string; rest: string } {
  const end = text.search(/[/?#]/)
  return end < 0 ? { authority: text, rest: '' } : { authority: text.slice(0, end), rest: text.slice(end) }
}

function isHost(name: string): boolean {
  if (name.startsWith('[')) return isIP(name.slice(1, -1)) === 6
  const labels = (name.endsWith('.') ? name.slice(0, -1) : name).split('.')
  if (labels.length > 1 && /^\d+$/.test(labels.at(-1) ?? '')) return isIP(name) === 4
  return labels.every((one) => label.test(one))
}
