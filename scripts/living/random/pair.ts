/**
 * The living server and the reference side by side: the same tables, the same superuser, the same requests. Times are
 * masked, everything else in a response has to be the same.
 *
 * @module
 */

import { isDeepStrictEqual } from 'node:util'
import { Pool } from 'undici'
import { createReference } from '../../../reference/reference.ts'
import { tableDefinitions } from '../../../spec/tables.ts'
import type { LivingServer } from '../living-server.ts'

export interface PairRequest {
  method: string
  /** Behind the prefix: `/collections/…`. */
  path: string
  headers?: Record<string, string>
  /** Sent as it is when it is text, as JSON otherwise. */
  body?: unknown
  /** @default a guest */
  as?: 'superuser'
}

interface SeenResponse {
  status: number
  body: unknown
}

export interface Pair {
  /** Sends the request to both. @throws Error that shows both responses when they differ */
  same(sendRequest: PairRequest): Promise<void>
  /** Sends the request to both, whatever the responses are. */
  both(sendRequest: PairRequest): Promise<Responses>
  close(): Promise<void>
}

interface Side {
  pool: Pool
  token: string
}

const stamps = new Set(['created', 'updated', 'stamp', 'touched'])

/** How a batch names an entry that requests something else. The family says 500 if it is not the first entry. */
const rejected = { data: {}, message: 'Something went wrong while processing your request.', status: 400 }

/** Values that always differ are replaced by their kind: times, and the text that the field `auto` makes. */
function masked(value: unknown, key = ''): unknown {
  if (Array.isArray(value)) return value.map((item) => masked(item, key))
  if (key === 'response' && isDeepStrictEqual(value, { ...rejected, status: 500 })) return rejected
  if (typeof value === 'object' && value !== null)
    return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, masked(inner, name)]))
  // JSON.stringify drops the sign of zero.
  if (typeof value === 'number') return value + 0
  if (typeof value !== 'string') return value
  if (key === 'auto' && /^[a-z]{8}$/.test(value)) return '<made>'
  return stamps.has(key) && /^[\d-]{10} [\d:.]{12}Z$/.test(value) ? '<time>' : value
}

function read(text: string): unknown {
  if (text === '') return undefined
  try {
    return masked(JSON.parse(text))
  } catch {
    return text
  }
}

async function send(
  { pool, token }: Side,
  { method, path, headers, body, as }: PairRequest,
): Promise<SeenResponse> {
  const response = await pool.request({
    method,
    path: `/api${path}`,
    headers: {
      ...(body !== undefined && { 'content-type': 'application/json' }),
      ...(as === 'superuser' && { authorization: token }),
      ...headers,
    },
    ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
  })
  return { status: response.statusCode, body: read(await response.body.text()) }
}

function requestLine({ method, path, body }: PairRequest): string {
  const request = `${method} ${path}`
  return body === undefined ? request : `${request} ${JSON.stringify(body)}`
}

interface Responses {
  living: SeenResponse
  reference: SeenResponse
}

function partsOf(value: unknown): Map<string, unknown> | undefined {
  return typeof value === 'object' && value !== null ? new Map(Object.entries(value)) : undefined
}

/** One line for each place where the responses differ, at most ten: whole responses are too long to compare by eye. */
function differences({ living, reference }: Responses): string[] {
  const lines: string[] = []
  const walk = (place: string, theirs: unknown, ours: unknown) => {
    if (lines.length === 10 || isDeepStrictEqual(theirs, ours)) return
    const [left, right] = [partsOf(theirs), partsOf(ours)]
    if (left !== undefined && right !== undefined)
      for (const key of new Set([...left.keys(), ...right.keys()]))
        walk(`${place}.${key}`, left.get(key), right.get(key))
    else lines.push(`  ${place}: living ${JSON.stringify(theirs)}, reference ${JSON.stringify(ours)}`)
  }
  walk('status', living.status, reference.status)
  walk('body', living.body, reference.body)
  return lines
}

/** Both with the tables of the suites, batch allowed. Ends with `close`; the living server is the caller's. */
export async function startPair(server: LivingServer): Promise<Pair> {
  const tables = tableDefinitions()
  const { identity: email, password } = server.superuser
  await server.acceptBatches()
  await server.call('PUT', '/api/collections/import', { collections: tables, deleteMissing: false })
  const reference = createReference({ tables, prefix: '/api', superusers: [{ email, password }] })
  const { url } = await reference.listen()
  const root = await reference.records.find('_superusers', { email })
  const token = await reference.tokenFor('_superusers', String(root?.id))
  const ours: Side = { pool: new Pool(new URL(url).origin), token }
  const theirs: Side = { pool: new Pool(server.baseUrl), token: server.token }

  async function both(sendRequest: PairRequest) {
    const [living, mine] = await Promise.all([send(theirs, sendRequest), send(ours, sendRequest)])
    return { living, reference: mine }
  }
  return {
    both,
    async same(sendRequest) {
      const responses = await both(sendRequest)
      if (isDeepStrictEqual(responses.living, responses.reference)) return
      throw new Error([requestLine(sendRequest), ...differences(responses)].join('\n'))
    },
    async close() {
      await Promise.all([ours.pool.close(), theirs.pool.close()])
      await reference.close()
    },
  }
}
