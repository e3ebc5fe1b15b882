/**
 * Response headers of a stored file, as the living family sends them.
 *
 * @module
 */

import { createHash } from 'node:crypto'
import { commonHeaders } from '../../http/respond.ts'
import type { StoredFile } from '../../vocabulary.ts'
import type { Validators } from './preconditions.ts'

/** Types that a browser shows inline. Everything else is offered as a download. */
const shownInline = new Set([
  ...['image/png', 'image/jpg', 'image/jpeg', 'image/gif', 'image/webp', 'image/x-icon', 'image/bmp'],
  ...['video/webm', 'video/mp4', 'video/3gpp', 'video/quicktime', 'video/x-ms-wmv'],
  ...['audio/basic', 'audio/aiff', 'audio/mpeg', 'audio/midi', 'audio/mp3', 'audio/aac'],
  ...['audio/wave', 'audio/wav', 'audio/x-wav', 'audio/x-mpeg', 'audio/x-m4a'],
  ...['application/pdf', 'application/x-pdf'],
])

const office = 'application/vnd.openxmlformats-officedocument'

/** Types that the first bytes of a file do not reveal. */
const typeByExtension: ReadonlyMap<string, string> = new Map(
  Object.entries({
    svg: 'image/svg+xml',
    css: 'text/css',
    js: 'text/javascript',
    mjs: 'text/javascript',
    xlsx: `${office}.spreadsheetml.sheet`,
    docx: `${office}.wordprocessingml.document`,
    pptx: `${office}.presentationml.presentation`,
  }),
)

function contentType(name: string, { type, bytes }: StoredFile): string {
  const known = typeByExtension.get(name.slice(name.lastIndexOf('.') + 1))
  if (known !== undefined) return known
  // Without content the living family names no encoding.
  return type.startsWith('text/') && !type.includes(';') && bytes.byteLength > 0
    ? `${type}; charset=utf-8`
    : type
}

/** A name that is not a token is encoded (RFC 6266): names from an imported state may contain anything. */
function fileNameParameter(name: string): string {
  return /^[\w.!#$&+^`|~-]+$/.test(name) ? `filename=${name}` : `filename*=UTF-8''${encodeURIComponent(name)}`
}

const tags = new WeakMap<Uint8Array, string>()

/** The entity tag is computed from the content, once. */
export function validatorsOf({ bytes, modified }: StoredFile): Validators {
  const known = tags.get(bytes)
  const etag = known ?? `"${createHash('sha256').update(bytes).digest('base64url').slice(0, 27)}"`
  if (known === undefined) tags.set(bytes, etag)
  return { etag, modified }
}

/** Stored names are never reused, so a copy may be cached for long. */
const caching = 'max-age=2592000, stale-while-revalidate=86400'
/** A page that embeds a file must not run scripts in it. */
const policy = "default-src 'none'; media-src 'self'; style-src 'unsafe-inline'; sandbox"

/** The headers of a whole file, without its length. Unlike other responses, it may be shown in a frame. */
export function fileHeaders(name: string, file: StoredFile, download: boolean): Headers {
  const { etag, modified } = validatorsOf(file)
  const headers = new Headers(commonHeaders)
  headers.delete('X-Frame-Options')
  const disposition = !download && shownInline.has(file.type) ? 'inline' : 'attachment'
  headers.set('Content-Type', contentType(name, file))
  headers.set('Content-Disposition', `${disposition}; ${fileNameParameter(name)}`)
  headers.set('Content-Security-Policy', policy)
  headers.set('Cache-Control', caching)
  headers.set('ETag', etag)
  if (modified !== undefined) headers.set('Last-Modified', new Date(modified).toUTCString())
  return headers
}
