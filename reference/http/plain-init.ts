/**
 * Request bodies of test environments such as jsdom. They replace FormData, Blob and File, and the class Request that
 * Vitest adds writes the word "undefined" instead of the content of such a file, or the form is sent as
 * "[object FormData]". So forms and files are read here, and a Request is made of their bytes.
 *
 * @module
 */

import { Blob as NodeBlob } from 'node:buffer'
import { isBlob, isForm } from '../../exchange/is-form.ts'

/** Whether a test environment has replaced Node's own classes. */
function isReplaced(): boolean {
  return globalThis.Blob !== NodeBlob
}

/**
 * Whether a Request may read this body wrongly: use `plainInit` for it.
 *
 * @throws TypeError for a form whose file is lost: a FormData of Node makes a string of a File of jsdom
 */
export function isForeignBody(body: unknown): boolean {
  if (!isForm(body)) return isReplaced() && isBlob(body)
  for (const value of body.values())
    if (value === '[object File]' || value === '[object Blob]')
      throw new TypeError(
        'A file in the form is not of the same library as the form, which made a string of it. ' +
          "Make it with Node's own class: import { File } from 'node:buffer'.",
      )
  return isReplaced()
}

/** The same request, with bytes instead of a form or a file. */
export async function plainInit(init: RequestInit): Promise<RequestInit> {
  const { body } = init
  const [bytes, type] = isForm(body)
    ? await encodeForm(body)
    : [await bytesOfBlob(body as Blob), (body as Blob).type]
  const headers = new Headers(init.headers)
  if (type !== '' && !headers.has('content-type')) headers.set('content-type', type)
  return { ...init, body: bytes, headers }
}

/**
 * The content of a Blob, also of an older jsdom, whose class has no `arrayBuffer`.
 *
 * @throws TypeError if nothing can read it
 */
export async function bytesOfBlob(blob: Blob): Promise<Buffer<ArrayBuffer>> {
  if (typeof blob.arrayBuffer === 'function') return Buffer.from(await blob.arrayBuffer())
  const { FileReader } = globalThis as { FileReader?: new () => BlobReader }
  if (FileReader === undefined)
    throw new TypeError(
      'This Blob has no arrayBuffer(), and there is no FileReader: pass a Blob of node:buffer.',
    )
  const reader = new FileReader()
  return new Promise((resolve, reject) => {
    reader.onload = () => resolve(Buffer.from(reader.result))
    reader.onerror = () => reject(reader.error)
    reader.readAsArrayBuffer(blob)
  })
}

/** What is needed of a FileReader, which Node does not have. */
interface BlobReader {
  result: ArrayBuffer
  error: unknown
  onload: () => void
  onerror: () => void
  readAsArrayBuffer(blob: Blob): void
}

/** Not in a file by accident, since a boundary must not occur in the content. */
const boundary = '----record-auth-conformance-5b1fc0a3d2e94c77'

/** A form as `multipart/form-data`, escaped as browsers do. */
async function encodeForm(form: FormData): Promise<[bytes: Buffer<ArrayBuffer>, type: string]> {
  const chunks: Buffer[] = []
  for (const [name, value] of form.entries() as Iterable<[string, string | File]>) {
    const head = `--${boundary}\r\nContent-Disposition: form-data; name="${escaped(name)}"`
    if (typeof value === 'string') chunks.push(Buffer.from(`${head}\r\n\r\n${value}\r\n`))
    else {
      const type = value.type || 'application/octet-stream'
      chunks.push(
        Buffer.from(`${head}; filename="${escaped(value.name)}"\r\nContent-Type: ${type}\r\n\r\n`),
        await bytesOfBlob(value),
        Buffer.from('\r\n'),
      )
    }
  }
  chunks.push(Buffer.from(`--${boundary}--\r\n`))
  return [Buffer.concat(chunks), `multipart/form-data; boundary=${boundary}`]
}

function escaped(name: string): string {
  return name.replaceAll('\n', '%0A').replaceAll('\r', '%0D').replaceAll('"', '%22')
}

const lostFile = /filename="blob"\r\nContent-Type: [^\r\n]*\r\n\r\nundefined\r\n--/

/** Whether a Request may have been made of a form or a file of jsdom, which loses the content. */
export function mayHaveLostFile(request: unknown): request is Request {
  return isReplaced() && request instanceof Request && request.body !== null && !request.bodyUsed
}

/** @throws TypeError that says how to send the form or file whose content the Request has lost */
export async function rejectLostFile(request: Request): Promise<void> {
  const isMultipart = request.headers.get('content-type')?.startsWith('multipart/form-data')
  const text = await request.clone().text()
  if (isMultipart ? !lostFile.test(text) : text !== 'undefined' && text !== '[object FormData]') return
  throw new TypeError(
    'The content of a file was lost when its Request was made: the test environment has replaced FormData and File. ' +
      'Pass the form to fetch instead of a Request: reference.fetch(url, { method, body }).',
  )
}
