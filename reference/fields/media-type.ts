/**
 * From the first bytes of an upload to its media type, for the option `mimeTypes` and the extension of the stored name
 * (contract-records 3.6).
 *
 * @module
 */

import { isJson } from '../../exchange/is-json.ts'

interface Detected {
  type: string
  /** With its dot; empty if the bytes do not reveal a type. */
  extension: string
}

/** First bytes of formats with a fixed signature, in hex, `..` for any byte. */
const signatures: readonly [start: string, type: string, extension: string][] = [
  ['89504e470d0a1a0a', 'image/png', '.png'],
  ['ffd8ff', 'image/jpeg', '.jpg'],
  ['474946383761', 'image/gif', '.gif'],
  ['474946383961', 'image/gif', '.gif'],
  ['52494646........57454250', 'image/webp', '.webp'],
  ['52494646........57415645', 'audio/wav', '.wav'],
  ['255044462d', 'application/pdf', '.pdf'],
  ['504b0304', 'application/zip', '.zip'],
  ['504b0506', 'application/zip', '.zip'],
  ['1f8b08', 'application/gzip', '.gz'],
  ['424d', 'image/bmp', '.bmp'],
  ['49492a00', 'image/tiff', '.tiff'],
  ['4d4d002a', 'image/tiff', '.tiff'],
  ['00000100', 'image/x-icon', '.ico'],
  ['4f676753', 'application/ogg', '.ogg'],
  ['494433', 'audio/mpeg', '.mp3'],
  ['........66747970', 'video/mp4', '.mp4'],
]

/** Created once: a form may have very many files. */
const patterns = signatures.map(
  ([start, type, extension]) => [new RegExp(`^${start}`), type, extension] as const,
)

const unknown: Detected = { type: 'application/octet-stream', extension: '' }

/** Bytes that are read to find the type of a text file; the living family's library reads as many. */
const telling = 3072

/** The media type of a file by its bytes. The type that the client sent is ignored. */
export function detectMediaType(bytes: Uint8Array): Detected {
  const start = Buffer.from(bytes.subarray(0, 16)).toString('hex')
  for (const [signature, type, extension] of patterns) {
    if (signature.test(start)) return { type, extension }
  }
  const head = bytes.subarray(0, telling)
  return isText(head) ? detectText(beginning(head), bytes) : unknown
}

function detectText(head: string, bytes: Uint8Array): Detected {
  if (startsHtml(withoutComments(head))) return { type: 'text/html', extension: '.html' }
  if (/<svg[\s>]/.test(head) && head.startsWith('<')) return { type: 'image/svg+xml', extension: '.svg' }
  if (head.startsWith('<?xml')) return { type: 'text/xml', extension: '.xml' }
  if (/^[[{]/.test(head) && isJson(beginning(bytes))) return { type: 'application/json', extension: '.json' }
  return { type: 'text/plain', extension: '.txt' }
}

function startsHtml(text: string): boolean {
  return /^<(?:!doctype html|html|head|body|script|iframe|h1|div|table|p|a|br)[\s>]/i.test(text)
}

/** The text after its leading comments. */
function withoutComments(text: string): string {
  let at = 0
  while (text.startsWith('<!--', at)) {
    const end = text.indexOf('-->', at + 4)
    if (end === -1) return ''
    at = end + 3
    while (/\s/.test(text.charAt(at))) at += 1
  }
  return text.slice(at)
}

function beginning(bytes: Uint8Array): string {
  return Buffer.from(bytes)
    .toString('utf8')
    .replace(/^\ufeff/, '')
    .trimStart()
}

function isText(bytes: Uint8Array): boolean {
  return !bytes.some(
    (byte) => byte <= 8 || byte === 11 || (byte >= 14 && byte <= 26) || (byte >= 28 && byte <= 31),
  )
}
