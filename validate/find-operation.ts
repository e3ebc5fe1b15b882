/**
 * Which operation a request is. Nothing is kept by URL, so that a million of them cost no memory.
 *
 * @module
 */

import type { OperationId } from '../spec/vocabulary.ts'
import { type OperationEntry, operationEntries } from './compiled.ts'

export interface FoundOperation {
  entry: OperationEntry
  /** `{table}` of the path, decoded; empty where the path has none. */
  table: string
  /** `{id}` of the path, decoded. */
  id: string
}

/** Path without query, and query without its question mark. */
export function splitUrl(url: string): [path: string, query: string] {
  let from = 0
  const scheme = url.indexOf('://')
  if (scheme > 0 && scheme < 12) {
    from = url.indexOf('/', scheme + 3)
    if (from < 0) return ['/', '']
  }
  const hash = url.indexOf('#', from)
  const end = hash < 0 ? url.length : hash
  const mark = url.indexOf('?', from)
  return mark < 0 || mark > end
    ? [url.slice(from, end), '']
    : [url.slice(from, mark), url.slice(mark + 1, end)]
}

/**
 * @param method undefined where the response does not tell: GET then, or what its status and the path leave open
 * @param path without query; may have a base path before the prefix
 */
export function findOperation(
  method: string | undefined,
  path: string,
  prefix: string,
  { operation, status }: { operation?: OperationId | undefined; status?: number } = {},
): FoundOperation | undefined {
  const at = path.startsWith(`${prefix}/`) ? 0 : path.indexOf(`${prefix}/collections/`)
  const start = at < 0 ? (path.endsWith(`${prefix}/batch`) ? path.length - `${prefix}/batch`.length : -1) : at
  // A base path has no empty segment at its end: the two slashes of `//api/v1/batch` are another path.
  if (start < 0 || path[start - 1] === '/') return undefined
  const segments = path.slice(start + prefix.length + 1).split('/')
  const upper = method?.toUpperCase()
  const wanted = upper === 'HEAD' ? 'GET' : upper
  let fallback: FoundOperation | undefined
  for (const entry of operationEntries()) {
    if (operation === undefined ? wanted !== undefined && entry.method !== wanted : entry.id !== operation)
      continue
    const found = matches(entry, segments)
    if (found === undefined) continue
    if (wanted !== undefined || operation !== undefined) return found
    if (entry.method === (status === 204 ? 'DELETE' : 'GET')) return found
    fallback ??= found
  }
  return fallback
}

function matches(entry: OperationEntry, segments: readonly string[]): FoundOperation | undefined {
  const { segments: template } = entry
  if (template.length !== segments.length) return undefined
  let table = ''
  let id = ''
  for (let at = 0; at < template.length; at++) {
    const expected = template[at]
    const actual = segments[at] ?? ''
    if (expected === '{table}') table = decoded(actual)
    else if (expected === '{id}') id = decoded(actual)
    else if (expected !== actual) return undefined
    else continue
    if (actual === '') return undefined
  }
  return { entry, table, id }
}

function decoded(segment: string): string {
  if (!segment.includes('%')) return segment
  try {
    return decodeURIComponent(segment)
  } catch {
    return segment
  }
}
