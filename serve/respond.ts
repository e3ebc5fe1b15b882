/**
 * Requests and responses that are not part of the interface: small JSON both ways.
 *
 * @module
 */

import { isObject } from '../exchange/json-object.ts'
import { ApiError, LimitExceeded } from '../reference/errors.ts'
import { readBytes } from '../reference/http/read-body.ts'
import { parseBytes } from '../reference/http/strict-json.ts'
import { defaultLimits, type Limits } from '../reference/limits/limits.ts'
import { Work } from '../reference/limits/work.ts'

/** Responds to a request, or returns undefined: immediately if the path says so. @param ip address of the client */
export type Responding = (
  request: Request,
  ip: string | undefined,
) => Promise<Response | undefined> | undefined

/** The request cannot be fulfilled. Its message is sent in the response. */
export class InvalidControlRequest extends Error {
  override name = 'InvalidControlRequest'
  readonly status: number

  constructor(message: string, status = 400) {
    super(message)
    this.status = status
  }
}

export type JsonObject = Record<string, unknown>

const headers = {
  'Content-Type': 'application/json',
  'Cache-Control': 'no-store',
  'X-Content-Type-Options': 'nosniff',
}

export function respondJson(body: unknown, status = 200): Response {
  return new Response(body === undefined ? null : `${JSON.stringify(body)}\n`, {
    status: body === undefined ? 204 : status,
    headers,
  })
}

export function reject(message: string, status: number): Response {
  return respondJson({ status, message, data: {} }, status)
}

/** Runs `work` and converts an exception to a response. */
export async function responding<Result extends Response | undefined>(
  work: () => Promise<Result> | Result,
): Promise<Result | Response> {
  try {
    return await work()
  } catch (error) {
    if (error instanceof InvalidControlRequest || error instanceof ApiError)
      return reject(error.message, error.status)
    return reject(error instanceof Error ? error.message : String(error), 400)
  }
}

/** Bytes of a body, except for data. */
const largest = 16 * 1024 * 1024
/** Bytes of a body with data: a state contains the contents of all files. */
const largestData = 512 * 1024 * 1024
/** The limits of the interface are for its clients, which cannot be trusted: here they would reject the server's own state. */
const unlimited: Limits = {
  ...defaultLimits,
  jsonKeys: Number.POSITIVE_INFINITY,
  jsonValues: Number.POSITIVE_INFINITY,
  steps: Number.POSITIVE_INFINITY,
  stepsAtOnce: Number.POSITIVE_INFINITY,
}

/**
 * Reads a JSON object, or an empty body.
 *
 * @throws InvalidControlRequest 413 as soon as more than 16 MiB have arrived, whatever length was announced
 */
export async function readObject(request: Request): Promise<JsonObject> {
  const content = await readContent(request, largest)
  if (content === undefined) return {}
  if (isObject(content)) return content as JsonObject
  throw new InvalidControlRequest('The body must be a JSON object.')
}

/**
 * Any JSON value: data of any size up to 512 MiB.
 *
 * @throws InvalidControlRequest 400 for an empty body, 413 as soon as more has arrived
 */
export async function readValue(request: Request): Promise<unknown> {
  const content = await readContent(request, largestData)
  if (content === undefined) throw new InvalidControlRequest('The body is empty: send JSON.')
  return content
}

async function readContent(request: Request, most: number): Promise<unknown> {
  let bytes: Uint8Array
  try {
    bytes = await readBytes(request, most)
  } catch (error) {
    const tooLarge = error instanceof ApiError && error.status === 413
    if (!tooLarge) throw error
    const size = `${most / 1024 / 1024} MiB`
    throw new InvalidControlRequest(
      `The body is larger than ${size}. Start the server with --data instead.`,
      413,
    )
  }
  const text = Buffer.from(bytes).toString('utf8')
  if (text.trim() === '') return undefined
  try {
    return await parseBytes(bytes, unlimited, new Work(unlimited))
  } catch (error) {
    if (error instanceof LimitExceeded) throw new InvalidControlRequest(error.message)
    throw new InvalidControlRequest('The body is not JSON.')
  }
}
