/**
 * Reads `multipart/form-data` (RFC 7578) from bytes that are already there and within their limit. The platform's own
 * reader refuses short boundaries that real clients send.
 *
 * @module
 */

import { badRequest, LimitExceeded } from '../errors.ts'
import { decodeUtf8 } from './strict-json.ts'

export interface MultipartPart {
  name: string
  /** Present for a file, as the client named it. */
  filename?: string
  bytes: Uint8Array
}

/** Characters of a media type with its parameters. */
const longestType = 4096
/** Bytes of a part's headers; a pattern that reads them must not run out of stack. */
const longestHeaders = 64 * 1024

/** Made once: a body may have very many parts. */
const parameters = {
  name: parameterPattern('name'),
  filename: parameterPattern('filename'),
  boundary: parameterPattern('boundary'),
}

function parameterPattern(name: string): RegExp {
  return new RegExp(`(?:^|;)\\s*${name}\\s*=\\s*(?:"((?:[^"\\\\]|\\\\.)*)"|([^\\s;"]+))`, 'i')
}

/** A parameter of a header value; quoted or not. */
function parameter(header: string, name: keyof typeof parameters): string | undefined {
  const quoted = parameters[name].exec(header)
  return quoted?.[1]?.replace(/\\(["\\])/g, '$1') ?? quoted?.[2]
}

/** `filename*=UTF-8''...` (RFC 5987) before `filename=`. */
function filename(disposition: string): string | undefined {
  const extended = /(?:^|;)\s*filename\*\s*=\s*utf-8'[^']*'([^\s;]+)/i.exec(disposition)?.[1]
  if (extended !== undefined) {
    try {
      return decodeURIComponent(extended)
    } catch {
      throw badRequest()
    }
  }
  return parameter(disposition, 'filename')
}

function readPart(chunk: Buffer): MultipartPart {
  const end = chunk.indexOf('\r\n\r\n')
  if (end === -1 || end > longestHeaders) throw badRequest()
  const headers = decodeUtf8(chunk.subarray(0, end)).split('\r\n')
  const disposition = headers.find((line) => /^content-disposition\s*:/i.test(line)) ?? ''
  const value = disposition.slice(disposition.indexOf(':') + 1)
  const name = parameter(value, 'name')
  if (name === undefined || !/^\s*form-data\s*(;|$)/i.test(value)) throw badRequest()
  const file = filename(value)
  const bytes = chunk.subarray(end + 4)
  return file ? { name, filename: file, bytes } : { name, bytes }
}

/** @throws ApiError 400 when the boundary is missing, the body is not well-formed, or there are more parts than may be. */
export function readMultipart(bytes: Uint8Array, contentType: string, most: number): MultipartPart[] {
  if (contentType.length > longestType) throw badRequest()
  const boundary = parameter(contentType, 'boundary')
  if (!boundary || boundary.length > 200) throw badRequest()
  const body = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const delimiter = `--${boundary}`
  let at = body.indexOf(delimiter)
  if (at === -1 || (at > 0 && body.toString('latin1', at - 2, at) !== '\r\n')) throw badRequest()
  const parts: MultipartPart[] = []
  for (;;) {
    const after = at + Buffer.byteLength(delimiter)
    if (body.toString('latin1', after, after + 2) === '--') return parts
    const line = body.indexOf('\r\n', after)
    // Only white space may follow a boundary on its line.
    if (line === -1 || body.toString('latin1', after, line).trim() !== '') throw badRequest()
    // A part without headers would begin with the empty line at once; keep its line break for readPart.
    const next = body.indexOf(`\r\n${delimiter}`, line)
    if (next === -1) throw badRequest()
    if (parts.length >= most) throw new LimitExceeded(`The form has more than ${most} parts: send fewer.`)
    parts.push(readPart(body.subarray(line + 2, next)))
    at = next + 2
  }
}
