/**
 * A request body, read within its limit and before anything else happens with it (contract-records 4.3, section 8).
 *
 * @module
 */

import { quoted } from '../../spec/nearest.ts'
import { badRequest, tooLarge } from '../errors.ts'
import { makeUpload } from '../fields/upload.ts'
import type { RequestContext, Services } from '../services.ts'
import type { Json, Upload } from '../vocabulary.ts'
import { readFormFields, readUrlencoded } from './form.ts'
import { readMultipart } from './multipart.ts'
import { headOf } from './request-head.ts'
import { keepRequestBody } from './seen-request-body.ts'
import { asBody, decodeInTurns, parseBytes } from './strict-json.ts'

/** Largest body of any route, in bytes, unless a table allows more. */
export const bodyLimit = 32 * 1024 * 1024

export interface SubmittedBody {
  /** Values by key as sent, modifiers included. */
  values: Record<string, Json>
  /** Uploaded files by the name of their part. */
  files: ReadonlyMap<string, readonly Upload[]>
  /** The body was a form: numbers and booleans among the values were inferred from strings. */
  inferred: boolean
}

/** The parts of a request that are needed to read its body. */
export interface BodyReader extends Pick<RequestContext, 'work'> {
  services: Pick<Services, 'environment' | 'limits'>
}

const noFiles: ReadonlyMap<string, readonly Upload[]> = new Map()
const empty = new Uint8Array()
const cutShort = () => 'The connection ended before the whole body had arrived.'

/** An empty body. */
export function emptyBody(): SubmittedBody {
  return { values: Object.create(null), files: noFiles, inferred: false }
}

async function readStream(stream: ReadableStream<Uint8Array>, limit: number): Promise<Uint8Array> {
  const chunks: Uint8Array[] = []
  let length = 0
  const reader = stream.getReader()
  for (;;) {
    // A client that disconnects gets no response; the part of the body that it sent is ignored.
    const { done, value } = await reader.read().catch(() => {
      throw badRequest(cutShort)
    })
    if (done) return Buffer.concat(chunks, length)
    length += value.byteLength
    if (length > limit) {
      void reader.cancel().catch(() => {})
      throw tooLarge(limit)
    }
    chunks.push(value)
  }
}

/**
 * Reads a body that cannot be longer than announced. As a stream it would cost three times as much as the whole
 * request.
 *
 * @throws ApiError 413 if no socket limited the body to the announced length
 */
async function readWhole(request: Request, limit: number): Promise<Uint8Array> {
  const bytes = await request.arrayBuffer().catch(() => {
    throw badRequest(cutShort)
  })
  if (bytes.byteLength > limit) throw tooLarge(limit)
  return new Uint8Array(bytes)
}

/**
 * @throws ApiError 413 for a body that is announced to be larger than any route accepts, even for routes that read none
 */
export function rejectAnnounced({ headers }: Pick<Request, 'headers'>, limit: number = bodyLimit): void {
  if (Number(headers.get('content-length')) > limit) throw tooLarge(limit)
}

/**
 * The bytes of a body. The announced length is checked before a byte is read, the real one while reading.
 *
 * @throws ApiError 413 above `limit`.
 */
export async function readBytes(request: Request, limit: number): Promise<Uint8Array> {
  rejectAnnounced(request, limit)
  const announced = request.headers.get('content-length')
  if (announced === '0' || headOf(request)?.bodiless === true) return empty
  if (announced !== null) return readWhole(request, limit)
  return request.body === null ? empty : readStream(request.body, limit)
}

async function readForm(
  bytes: Uint8Array,
  contentType: string,
  { services: { environment, limits }, work }: BodyReader,
): Promise<SubmittedBody> {
  const strings: [string, string][] = []
  const files = new Map<string, Upload[]>()
  for (const part of readMultipart(bytes, contentType, limits.parts)) {
    if (work.endLongPiece()) await work.rest()
    if (part.filename === undefined) {
      strings.push([part.name, await decodeInTurns(part.bytes, work)])
      continue
    }
    const upload = makeUpload(part.filename, part.bytes, environment)
    const known = files.get(part.name)
    if (known) known.push(upload)
    else files.set(part.name, [upload])
  }
  return { values: readFormFields(strings, limits), files, inferred: true }
}

/**
 * The body of a request by its media type, which is compared without regard to letter case.
 *
 * @throws ApiError 413 above `limit` bytes; 400 for a body that is malformed, exceeds the limits of its contents, or
 * has an unsupported media type.
 */
export async function readBody(request: Request, limit: number, context: BodyReader): Promise<SubmittedBody> {
  const { limits } = context.services
  const { work } = context
  const bytes = await readBytes(request, limit)
  keepRequestBody(request, bytes)
  const contentType = request.headers.get('content-type') ?? ''
  const mediaType = contentType.trimStart().toLowerCase()
  if (bytes.byteLength === 0) {
    // A body that was announced in chunks and is empty is not JSON.
    if (mediaType.startsWith('application/json') && request.headers.has('transfer-encoding'))
      throw badRequest(() => 'The body is empty, so it is not JSON.')
    return emptyBody()
  }
  if (mediaType.startsWith('application/json')) {
    return { values: asBody(await parseBytes(bytes, limits, work)), files: noFiles, inferred: false }
  }
  if (mediaType.startsWith('multipart/form-data')) return readForm(bytes, contentType, context)
  if (mediaType.startsWith('application/x-www-form-urlencoded')) {
    const values = await readUrlencoded(await decodeInTurns(bytes, work), limits, work)
    return { values, files: noFiles, inferred: true }
  }
  const unsupported = () =>
    `The media type of the body is ${quoted(contentType)}: send application/json, multipart/form-data or application/x-www-form-urlencoded.`
  if (/^(application|text)\/xml/.test(mediaType)) throw badRequest(unsupported)
  throw badRequest(unsupported, 'Unsupported Content-Type.')
}
