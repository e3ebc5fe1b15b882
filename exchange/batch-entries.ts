/**
 * The sub-requests of a batch, read off the body in which it was sent: JSON, or a form with its JSON in `@jsonPayload`
 *.
 *
 * @module
 */

import { matchOperation } from './operation.ts'

export interface BatchEntry {
  method?: unknown
  url?: unknown
  body?: unknown
}

/** Empty where the body holds no list of sub-requests. */
export function batchEntries(body: string | Uint8Array | undefined): (BatchEntry | null)[] {
  if (body === undefined) return []
  const text = typeof body === 'string' ? body : Buffer.from(body).toString('utf8')
  return entriesIn(text) ?? entriesIn(partOf(text)) ?? []
}

/** The operation that a sub-request stands for; a PUT creates or changes, and is taken for the create that it may be. */
export function matchEntry(entry: BatchEntry | null | undefined, prefix: string) {
  const { method, url } = entry ?? {}
  if (typeof method !== 'string' || typeof url !== 'string') return undefined
  return matchOperation(method === 'PUT' ? 'POST' : method, url, prefix)
}

function entriesIn(text: string): (BatchEntry | null)[] | undefined {
  try {
    const { requests } = JSON.parse(text) as { requests?: unknown }
    return Array.isArray(requests) ? requests : undefined
  } catch {
    return undefined
  }
}

function partOf(text: string): string {
  const [, part = ''] = /name="@jsonPayload"\r\n\r\n([\s\S]*?)\r\n--/.exec(text) ?? []
  return part
}
