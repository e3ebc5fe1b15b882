/**
 * Sends requests to a server and counts them.
 *
 * @module
 */

import { Pool } from 'undici'

/** What is measured: the path below the records, and a body to create with. */
export interface SentOperation {
  name: string
  queries: boolean
  path(turn: number): string
  body?: string
}

/** The operations, for a number of records. */
export function sentOperations(count: number): SentOperation[] {
  const one = (turn: number) => `/record${String((turn * 31) % count).padStart(9, '0')}`
  const filter = encodeURIComponent(`rank > ${count >> 1} && title ~ '7'`)
  return [
    { name: 'GET one', queries: false, path: one },
    { name: 'list 30', queries: false, path: () => '?perPage=30' },
    { name: 'list, two conditions', queries: true, path: () => `?filter=${filter}` },
    { name: 'list, two sort keys', queries: true, path: () => '?sort=-rank,title' },
    { name: 'create', queries: false, path: () => '', body: '{"title":"New","rank":7,"done":true}' },
  ]
}

export interface Load {
  connections: number
  ms: number
  stop: AbortSignal
}

/** @returns requests per second @throws Error for a response that is not 200 */
export async function requestsPerSecond(
  records: string,
  operation: SentOperation,
  { connections, ms, stop }: Load,
): Promise<number> {
  const { origin, pathname } = new URL(records)
  const pool = new Pool(origin, { connections, pipelining: 1 })
  const begin = performance.now()
  let sent = 0
  const body = operation.body
  const method = body === undefined ? 'GET' : 'POST'
  const headers = body === undefined ? {} : { 'content-type': 'application/json' }
  const one = async () => {
    while (performance.now() - begin < ms && !stop.aborted) {
      const path = pathname + operation.path(sent++)
      const response = await pool.request({ method, path, headers, body: body ?? null })
      const text = await response.body.text()
      if (response.statusCode !== 200)
        throw new Error(`${method} ${origin}${path}: ${response.statusCode} ${text.slice(0, 300)}`)
    }
  }
  try {
    await Promise.all(Array.from({ length: connections }, one))
    return (sent / (performance.now() - begin)) * 1000
  } finally {
    await pool.destroy()
  }
}

/** Milliseconds from the start of a server to its first response. */
export async function startTime(
  start: () => Promise<{ records: string; stop(): Promise<void> }>,
): Promise<number> {
  const begin = performance.now()
  const server = await start()
  try {
    await (await fetch(`${server.records}?perPage=1`)).text()
    return performance.now() - begin
  } finally {
    await server.stop()
  }
}
