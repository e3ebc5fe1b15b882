/**
 * A request body, read within its limit and before anything else happens with it (contract-records 4.3, section 8).
 *
 * @module
 */

import { badRequest, tooLarge } from '../errors.ts'
import { makeUpload } from '../fields/upload.ts'
import type { RequestContext, Services } from '../services.ts'
import type { Json, Upload } from '../vocabulary.ts'
import { readFields, readUrlencoded } from './form.ts'
import { readMultipart } from './multipart.ts'
import { keepRequestBody } from './seen-bodies.ts'
import { asBody, decodeInTurns, parseBytes } from './strict-json.ts'

/** Largest body of any route, in bytes, where a table asks for no more. */
export const bodyLimit = 32 * 1024 * 1024

export interface SubmittedBody {
  /** By key as sent, modifiers included. */
  values: Record<string, Json>
  /** Uploaded files by the name of their part. */
  files: ReadonlyMap<string, readonly Upload[]>
  /** Came as a form: numbers and booleans among the values were inferred from text. */
  inferred: boolean
}

/** The request that a body belongs to, as far as reading it matters. */
export interface BodyReader extends Pick<RequestContext, 'work'> {
  services: Pick<Services, 'environment' | 'limits'>
}

const noFiles: ReadonlyMap<string, readonly Upload[]> = new Map()
const empty = new Uint8Array()
const bodiless = new WeakSet<Request>()

/** To be told by who read its head that no body follows. The request, asked for its body, would first have to make one. */
export function noteBodiless(request: Request): void {
  bodiless.add(request)
}

/** A body that says nothing. */
export function emptyBody(): SubmittedBody {
  return { values: Object.create(null), files: noFiles, inferred: false }
}

async function readStream(stream: ReadableStream<Uint8Array>, limit: number): Promise<Uint8Array> {
  const chunks: Uint8Array[] = []
  let length = 0
  const reader = stream.getReader()
  for (;;) {
    // A client that goes away in the middle gets no answer; what it sent is no body.
    const { done, value } = await reader.read().catch(() => {
      throw badRequest()
    })
    if (done) return Buffer.concat(chunks, length)
    length += value.byteLength
    if (length > limit) {
      void reader.cancel().catch(() => {})
      throw tooLarge()
    }
    chunks.push(value)
  }
}

/**
 * A body that cannot be longer than it was announced. As a stream it would cost three times the whole request.
 *
 * @throws ApiError 413 all the same where no socket held it to what it announced
 */
async function readWhole(request: Request, limit: number): Promise<Uint8Array> {
  const bytes = await request.arrayBuffer().catch(() => {
    throw badRequest()
  })
  if (bytes.byteLength > limit) throw tooLarge()
  return new Uint8Array(bytes)
}

/** @throws ApiError 413 for a body that is announced to be larger than any route takes: of routes that read none, too. */
export function refuseAnnounced({ headers }: Pick<Request, 'headers'>, limit: number = bodyLimit): void {
  if (Number(headers.get('content-length')) > limit) throw tooLarge()
}

/**
 * The bytes of a body. The announced length is judged before a byte is read, the real one while reading.
 *
 * @throws ApiError 413 above `limit`.
 */
export async function readBytes(request: Request, limit: number): Promise<Uint8Array> {
  refuseAnnounced(request, limit)
  const announced = request.headers.get('content-length')
  if (announced === '0' || bodiless.has(request)) return empty
  if (announced !== null) return readWhole(request, limit)
  return request.body === null ? empty : readStream(request.body, limit)
}

async function readForm(
  bytes: Uint8Array,
  contentType: string,
  { services: { environment, limits }, work }: BodyReader,
): Promise<SubmittedBody> {
  const texts: [string, string][] = []
  const files = new Map<string, Upload[]>()
  for (const part of readMultipart(bytes, contentType, limits.parts)) {
    if (work.endLongPiece()) await work.rest()
    if (part.filename === undefined) {
      texts.push([part.name, await decodeInTurns(part.bytes, work)])
      continue
    }
    const upload = makeUpload(part.filename, part.bytes, environment)
    const known = files.get(part.name)
    if (known) known.push(upload)
    else files.set(part.name, [upload])
  }
  return { values: readFields(texts, limits), files, inferred: true }
}

/**
 * The body of a request by its media type, which is compared without regard to letter case.
 *
 * @throws ApiError 413 above `limit` bytes; 400 for what cannot be read, is beyond the limits of what it may hold, or has
 * a media type that is not spoken here.
 */
export async function readBody(request: Request, limit: number, context: BodyReader): Promise<SubmittedBody> {
  const { limits } = context.services
  const { work } = context
  const bytes = await readBytes(request, limit)
  keepRequestBody(request, bytes)
  const contentType = request.headers.get('content-type') ?? ''
  const mediaType = contentType.trimStart().toLowerCase()
  if (bytes.byteLength === 0) {
    // A body that was announced in chunks and turns out to hold nothing is no JSON.
    if (mediaType.startsWith('application/json') && request.headers.has('transfer-encoding'))
      throw badRequest()
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
  if (/^(application|text)\/xml/.test(mediaType)) throw badRequest()
  throw badRequest('Unsupported Content-Type.')
}
