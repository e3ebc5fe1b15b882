/**
 * Reads `multipart/form-data` (RFC 7578) from bytes that are already read and within their limit. The platform's own
 * parser rejects short boundaries that real clients send.
 *
 * @module
 */

import { type ApiError, badRequest, LimitExceeded } from '../errors.ts'
import { decodeUtf8 } from './strict-json.ts'

export interface MultipartPart {
  name: string
  /** File name as the client sent it; only present for a file. */
  filename?: string
  bytes: Uint8Array
}

/** Longest media type with its parameters, in characters. */
const longestType = 4096
/** Most bytes of a part's headers: a pattern that reads them must not exceed the stack. */
const longestHeaders = 64 * 1024

/** Created once: a body may have very many parts. */
const parameters = {
  name: parameterPattern('name'),
  filename: parameterPattern('filename'),
  boundary: parameterPattern('boundary'),
}

function parameterPattern(name: string): RegExp {
  return new RegExp(`(?:^|;)\\s*${name}\\s*=\\s*(?:"((?:[^"\\\\]|\\\\.)*)"|([^\\s;"]+))`, 'i')
}

function malformed(fact: string): ApiError {
  return badRequest(() => `The multipart form is malformed: ${fact}.`)
}

/** A parameter of a header value, quoted or not. */
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
      throw malformed('the percent-encoding of a file name is malformed')
    }
  }
  return parameter(disposition, 'filename')
}

function readPart(chunk: Buffer): MultipartPart {
  const end = chunk.indexOf('\r\n\r\n')
  if (end === -1 || end > longestHeaders)
    throw malformed('the headers of a part do not end with an empty line, or are too long')
  const headers = decodeUtf8(chunk.subarray(0, end)).split('\r\n')
  const disposition = headers.find((line) => /^content-disposition\s*:/i.test(line)) ?? ''
  const value = disposition.slice(disposition.indexOf(':') + 1)
  const name = parameter(value, 'name')
  if (name === undefined || !/^\s*form-data\s*(;|$)/i.test(value))
    throw malformed('a part has no header "Content-Disposition: form-data; name=…"')
  const file = filename(value)
  const bytes = chunk.subarray(end + 4)
  return file ? { name, filename: file, bytes } : { name, bytes }
}

/** @throws ApiError 400 if the boundary is missing, the body is malformed, or there are too many parts */
export function readMultipart(bytes: Uint8Array, contentType: string, most: number): MultipartPart[] {
  if (contentType.length > longestType)
    throw malformed(`its media type is longer than ${longestType} characters`)
  const boundary = parameter(contentType, 'boundary')
  if (!boundary || boundary.length > 200)
    throw malformed(
      'its Content-Type has no boundary, or one of more than 200 characters: leave the header out, and the client sets it',
    )
  const body = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const delimiter = `--${boundary}`
  let at = body.indexOf(delimiter)
  if (at === -1 || (at > 0 && body.toString('latin1', at - 2, at) !== '\r\n'))
    throw malformed('the body does not contain the boundary of its Content-Type at the beginning of a line')
  const parts: MultipartPart[] = []
  for (;;) {
    const after = at + Buffer.byteLength(delimiter)
    if (body.toString('latin1', after, after + 2) === '--') return parts
    const line = body.indexOf('\r\n', after)
    // Only white space may follow a boundary on its line.
    if (line === -1 || body.toString('latin1', after, line).trim() !== '')
      throw malformed('a boundary is followed by something other than a line break')
    // A part without headers begins with the empty line; keep its line break for readPart.
    const next = body.indexOf(`\r\n${delimiter}`, line)
    if (next === -1) throw malformed('the last part does not end with the boundary')
    if (parts.length >= most) throw new LimitExceeded(`The form has more than ${most} parts: send fewer.`)
    parts.push(readPart(body.subarray(line + 2, next)))
    at = next + 2
  }
}
