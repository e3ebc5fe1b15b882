/**
 * One request that might cost a server far more than it costs its sender, and functions that make such requests.
 *
 * @module
 */

import { asJson, mostBytes } from './world.ts'

export interface ExpensiveRequest {
  name: string
  /** What the response must have. */
  status: number
  method?: string
  /** From the table's name on: `notes/records?page=1`; or a whole path. */
  path: string
  headers?: Record<string, string>
  /** Made when it is sent: many are as large as a body may be. */
  body?: () => string
  /** Sent with a superuser's token. */
  superuser?: true
}

export const filtered = (
  name: string,
  filter: string,
  status: number,
  rest = '',
  table = 'notes',
): ExpensiveRequest => ({
  name,
  status,
  path: `${table}/records?filter=${encodeURIComponent(filter)}${rest}`,
})
export const listed = (name: string, query: string, status: number, table = 'notes'): ExpensiveRequest => ({
  name,
  status,
  path: `${table}/records?${query}`,
})
export const creation = (
  name: string,
  status: number,
  body: () => string,
  { headers = asJson, path = 'notes/records' }: { headers?: Record<string, string>; path?: string } = {},
): ExpensiveRequest => ({ name, status, method: 'POST', path, headers, body })

/** As many copies as fit, with what surrounds them. */
export const stuffed = (before: string, piece: string, after: string, size = mostBytes) =>
  before + piece.repeat(Math.floor((size - before.length - after.length) / piece.length)) + after
export const numbered = (count: number, make: (at: number) => string, separator = ',') =>
  Array.from({ length: count }, (_, at) => make(at)).join(separator)

export const form = (parts: Iterable<string>, boundary = 'b') => {
  const lines: string[] = []
  for (const part of parts) lines.push(`--${boundary}\r\n${part}\r\n`)
  return `${lines.join('')}--${boundary}--`
}
export const multipart = { 'content-type': 'multipart/form-data; boundary=b' }
export const repeated = function* (count: number, make: (at: number) => string) {
  for (let at = 0; at < count; at += 1) yield make(at)
}
export const field = (name: string, value: string) =>
  `Content-Disposition: form-data; name="${name}"\r\n\r\n${value}`
export const file = (name: string, filename: string, value: string) =>
  `Content-Disposition: form-data; name="${name}"; filename="${filename}"\r\n\r\n${value}`

export const batch = (
  name: string,
  status: number,
  entries: () => unknown[],
  superuser?: true,
): ExpensiveRequest => ({
  name,
  status,
  method: 'POST',
  path: '/api/v1/batch',
  headers: asJson,
  body: () => JSON.stringify({ requests: entries() }),
  ...(superuser && { superuser }),
})
export const entryPath = (table: string) => `/api/v1/collections/${table}/records`

export const hops = 'kids.kids.kids.kids.kids.kids'
export const back =
  'notes_via_kids.notes_via_kids.notes_via_kids.notes_via_kids.notes_via_kids.notes_via_kids'
