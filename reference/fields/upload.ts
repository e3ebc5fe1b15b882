/**
 * A file of a request, before it is stored: its media type and its name.
 *
 * @module
 */

import { isBytes } from '../../exchange/is-bytes.ts'
import type { Environment, Upload } from '../vocabulary.ts'
import { detectMediaType } from './media-type.ts'

const nameAlphabet = 'abcdefghijklmnopqrstuvwxyz0123456789'

/** Creates an upload from a file part: detects its type from the bytes and generates its stored name. */
export function makeUpload(
  originalName: string,
  bytes: Uint8Array,
  environment: Pick<Environment, 'random'>,
): Upload {
  const detected = detectMediaType(bytes)
  return {
    kind: 'upload',
    originalName,
    storedName: storedName(originalName, detected.extension, environment),
    bytes,
    type: detected.type,
  }
}

/** True for uploads only: JSON from a client can look like an upload, but never contains bytes. */
export function isUpload(input: unknown): input is Upload {
  if (typeof input !== 'object' || input === null) return false
  const upload = input as Partial<Upload>
  return upload.kind === 'upload' && isBytes(upload.bytes)
}

/** Base name in snake case, ten random characters, extension (contract-records 3.6). */
function storedName(
  originalName: string,
  detected: string,
  environment: Pick<Environment, 'random'>,
): string {
  const name = originalName.slice(Math.max(originalName.lastIndexOf('/'), originalName.lastIndexOf('\\')) + 1)
  const extension = /(?:\.tar)?\.[^.]*$/.exec(name)?.[0] ?? ''
  const kept = extension.replace(/[^\w.*+=#-]+/g, '')
  const base = snakeCase(name.slice(0, name.length - extension.length)).slice(0, 100)
  const long = base.length < 3 ? base + environment.random(nameAlphabet, 10) : base
  return `${long}_${environment.random(nameAlphabet, 10)}${kept.length > 1 ? kept : detected}`
}

function snakeCase(text: string): string {
  return text
    .split(/[\W_]+/)
    .filter(Boolean)
    .map((word) => word.replace(/(?<=[^A-Z])(?=[A-Z])/g, '_').toLowerCase())
    .join('_')
}
