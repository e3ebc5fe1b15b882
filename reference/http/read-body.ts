/**
 * A request body, read within its limit and before anything else happens with it (contract-records 4.3, section 8).
 *
 * @module
 */

import { badRequest, tooLarge } from '../errors.ts'
import { makeUpload } from '../fields/upload.ts'
import type { Environment, Json, Upload } from '../vocabulary.ts'
import { readFields, readUrlencoded } from './form.ts'
import { readMultipart } from './multipart.ts'
import { keepRequestBody } from './seen-bodies.ts'
import { asBody, decodeUtf8, parseStrictJson } from './strict-json.ts'

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

/**
 * The bytes of a body. The announced length is judged before a byte is read, the real one while reading.
 *
 * @throws ApiError 413 above `limit`.
 */
async function readBytes(request: Request, limit: number): Promise<Uint8Array> {
  const announced = request.headers.get('content-length')
  if (announced !== null && Number(announced) > limit) throw tooLarge()
  if (announced === '0' || bodiless.has(request)) return empty
  if (announced !== null) return readWhole(request, limit)
  return request.body === null ? empty : readStream(request.body, limit)
}

function readForm(environment: Environment, bytes: Uint8Array, contentType: string): SubmittedBody {
  const texts: [string, string][] = []
  const files = new Map<string, Upload[]>()
  for (const part of readMultipart(bytes, contentType)) {
    if (part.filename === undefined) {
      texts.push([part.name, decodeUtf8(part.bytes)])
      continue
    }
    const upload = makeUpload(part.filename, part.bytes, environment)
    const known = files.get(part.name)
    if (known) known.push(upload)
    else files.set(part.name, [upload])
  }
  return { values: readFields(texts), files, inferred: true }
}

/**
 * The body of a request by its media type, which is compared without regard to letter case.
 *
 * @throws ApiError 413 above `limit` bytes; 400 for what cannot be read or has a media type that is not spoken here.
 */
export async function readBody(
  request: Request,
  limit: number,
  environment: Environment,
): Promise<SubmittedBody> {
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
    return { values: asBody(parseStrictJson(decodeUtf8(bytes))), files: noFiles, inferred: false }
  }
  if (mediaType.startsWith('multipart/form-data')) return readForm(environment, bytes, contentType)
  if (mediaType.startsWith('application/x-www-form-urlencoded')) {
    return { values: readUrlencoded(decodeUtf8(bytes)), files: noFiles, inferred: true }
  }
  if (/^(application|text)\/xml/.test(mediaType)) throw badRequest()
  throw badRequest('Unsupported Content-Type.')
}
