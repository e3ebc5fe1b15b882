/** Exchanges for the validator's tests: one that conforms, to be broken in one place. */

import type { KnownRequest, PlainExchange } from '../../exchange/plain-exchange.ts'
import { type Recorded, readTraffic } from '../../validate/traffic/read-traffic.ts'

export type JsonBody = Record<string, unknown>

export const time = '2024-01-02 03:04:05.678Z'

export function note(at = 0, more: JsonBody = {}): JsonBody {
  return {
    id: `note0000000${String(at).padStart(4, '0')}`,
    collectionId: 'notes_id',
    collectionName: 'notes',
    created: time,
    updated: time,
    title: `title ${String(at).padStart(2, '0')}`,
    rank: at,
    done: at % 2 === 1,
    ...more,
  }
}

export function page(more: JsonBody = {}, count = 3): JsonBody {
  return {
    page: 1,
    perPage: 30,
    totalItems: count,
    totalPages: 1,
    items: Array.from({ length: count }, (_, at) => note(at)),
    ...more,
  }
}

export function plainExchange(
  body: unknown,
  {
    method = 'GET',
    url = '/api/v1/collections/notes/records',
    status = 200,
    contentType = 'application/json',
    sent,
    headers,
  }: {
    method?: string
    url?: string
    status?: number
    contentType?: string
    sent?: unknown
    headers?: Record<string, string>
  } = {},
): PlainExchange {
  const text = body === undefined || typeof body === 'string' ? body : JSON.stringify(body)
  return {
    request: { method, url, body: sent, ...(headers && { headers }) },
    response: { status, headers: { 'content-type': contentType }, body: text },
  }
}

export const rejected = { status: 400, message: 'No.', data: {} }

/** What a recording holds, handed over in pieces. */
export async function recorded(
  content: string | Uint8Array,
  known?: KnownRequest,
  piece = 65_536,
): Promise<Recorded[]> {
  const bytes = Buffer.from(content)
  async function* pieces() {
    for (let at = 0; at < bytes.length; at += piece) yield bytes.subarray(at, at + piece)
  }
  const found: Recorded[] = []
  for await (const each of readTraffic(pieces(), known)) found.push(each)
  return found
}

/** The exchanges alone, of a recording without trouble. */
export async function exchangesIn(content: string, known?: KnownRequest): Promise<PlainExchange[]> {
  return (await recorded(content, known)).map(({ exchange, trouble }) => {
    if (exchange === undefined) throw new Error(trouble)
    return exchange
  })
}
