/**
 * Reads and validates a batch before any of its entries run (contract-records 6.2 and 6.3).
 *
 * @module
 */

import { isObject } from '../../exchange/json-object.ts'
import {
  ApiError,
  badRequest,
  blank,
  type ErrorData,
  inResponse,
  LimitExceeded,
  type RejectionReason,
} from '../errors.ts'
import { runeCount } from '../fields/cast.ts'
import { emptyBody, readBody, type SubmittedBody } from '../http/read-body.ts'
import { asBody } from '../http/strict-json.ts'
import type { RequestContext } from '../services.ts'
import type { FieldError, Json, Upload } from '../vocabulary.ts'

export interface ReceivedEntry {
  method: string
  url: string
  headers: Record<string, string>
  body: SubmittedBody
}

type JsonObject = { [key: string]: Json }

const methods = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE']
const longestUrl = 2000

const unreadable = (reason: RejectionReason) => badRequest(reason, 'Failed to read the submitted batch data.')
const invalid = (requests: FieldError | ErrorData) =>
  badRequest(inResponse, 'Invalid batch request data.', { requests })

function tooLong(max: number): FieldError {
  return {
    code: 'validation_length_too_long',
    message: `The length must be no more than ${max}.`,
    params: { max, min: 0 },
  }
}

/** The string, or an empty one if absent or null. @throws ApiError 400 for any other type. */
function textOf(value: Json | undefined, place: string): string {
  if (value === undefined || value === null) return ''
  if (typeof value !== 'string') throw unreadable(() => `${place} must be a string.`)
  return value
}

function objectOf(value: Json | undefined, place: string): JsonObject {
  if (value === undefined || value === null) return {}
  if (!isObject(value)) throw unreadable(() => `${place} must be an object.`)
  return value
}

function readEntry(entry: Json, position: number): ReceivedEntry {
  const place = `requests[${position}]`
  if (!isObject(entry)) throw unreadable(() => `${place} must be an object.`)
  const headers: Record<string, string> = {}
  for (const [name, value] of Object.entries(objectOf(entry.headers, `${place}.headers`)))
    headers[name] = textOf(value, `A value of ${place}.headers`)
  const body = { ...emptyBody(), values: asBody(objectOf(entry.body, `${place}.body`)) }
  const [method, url] = [textOf(entry.method, `${place}.method`), textOf(entry.url, `${place}.url`)]
  return { method, url, headers, body }
}

function entryErrors(entry: ReceivedEntry): ErrorData | undefined {
  const errors: ErrorData = {}
  if (entry.method === '') errors.method = blank
  else if (!methods.includes(entry.method)) {
    errors.method = { code: 'validation_in_invalid', message: 'Must be a valid value.' }
  }
  if (entry.url === '') errors.url = blank
  else if (runeCount(entry.url) > longestUrl) errors.url = tooLong(longestUrl)
  return Object.keys(errors).length === 0 ? undefined : errors
}

/** Assigns uploads named `requests.N.field` or `requests[N].field` to their entries; others are ignored. */
function handOutFiles(
  entries: readonly ReceivedEntry[],
  files: ReadonlyMap<string, readonly Upload[]>,
): void {
  const own = new Map<ReceivedEntry, Map<string, readonly Upload[]>>()
  for (const [name, uploads] of files) {
    const match = /^requests(?:\.(\d+)|\[(\d+)\])\.(.+)$/s.exec(name)
    const entry = entries[Number(match?.[1] ?? match?.[2] ?? -1)]
    if (entry === undefined || match?.[3] === undefined) continue
    const mine = own.get(entry) ?? new Map<string, readonly Upload[]>()
    own.set(entry, mine)
    mine.set(match[3], [...(mine.get(match[3]) ?? []), ...uploads])
  }
  for (const [entry, mine] of own) entry.body = { ...entry.body, files: mine }
}

async function readSubmitted(context: RequestContext, request: Request): Promise<SubmittedBody> {
  try {
    return await readBody(request, context.services.batch.maxBodySize, context)
  } catch (error) {
    if (error instanceof LimitExceeded) throw error
    if (!(error instanceof ApiError) || error.status !== 400) throw error
    throw unreadable(error.reason ?? (() => error.message))
  }
}

/**
 * The entries of a batch in order.
 *
 * @throws ApiError 413 above `maxBodySize`; 400 for a malformed or empty batch, too many entries, or an incomplete
 * entry; `data.requests` then names the entry.
 */
export async function readBatch(context: RequestContext, request: Request): Promise<ReceivedEntry[]> {
  const { maxRequests } = context.services.batch
  const { values, files } = await readSubmitted(context, request)
  const requests = values.requests ?? []
  if (!Array.isArray(requests)) throw unreadable(() => '"requests" of the body must be an array.')
  // Malformed entries are reported first, whatever their position.
  const entries = requests.map((entry, at) => (entry === null ? null : readEntry(entry, at)))
  if (entries.length === 0) throw invalid(blank)
  if (entries.length > maxRequests) throw invalid(tooLong(maxRequests))
  const errors: ErrorData = {}
  const valid: ReceivedEntry[] = []
  for (const [position, entry] of entries.entries()) {
    const wrong = entry === null ? blank : entryErrors(entry)
    if (wrong !== undefined) errors[position] = wrong
    else if (entry !== null) valid.push(entry)
  }
  if (Object.keys(errors).length > 0) throw invalid(errors)
  handOutFiles(valid, files)
  return valid
}
