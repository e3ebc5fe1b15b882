/**
 * A topic that a client subscribes to: `posts/*`, `posts/RECORD_ID`, or another name such as `@oauth2`. Options follow
 * as JSON in a query parameter: `posts/*?options={"query":{"expand":"author"},"headers":{"x-token":"…"}}`.
 *
 * @module
 */

import { readQuery } from '../../http/read-query.ts'

export interface Topic {
  /** As the client sent it: the name of its events. */
  text: string
  /** Without options: `posts/*`. */
  path: string
  /** Options, as if every event were a request with these parameters: `expand`, `fields` and `filter` apply. */
  query: Readonly<Record<string, string>>
  /** Names in snake_case, for rules. */
  headers: Readonly<Record<string, string>>
}

/** Numbers and booleans become strings; other values are ignored. */
function strings(given: unknown, nameOf: (name: string) => string): Record<string, string> {
  const named: Record<string, string> = Object.create(null)
  if (typeof given !== 'object' || given === null) return named
  for (const [name, value] of Object.entries(given)) {
    const simple = ['string', 'number', 'boolean'].includes(typeof value)
    named[nameOf(name)] = simple ? String(value) : ''
  }
  return named
}

function parseOptions(text: string | undefined): { query?: unknown; headers?: unknown } {
  try {
    const options: unknown = JSON.parse(text ?? '{}')
    return typeof options === 'object' && options !== null ? options : {}
  } catch {
    return {}
  }
}

/** Malformed options are ignored. */
export function readTopic(text: string): Topic {
  const [path = ''] = text.split('?', 1)
  const { query, headers } = parseOptions(readQuery(text).options)
  return {
    text,
    path,
    query: strings(query, (name) => name),
    headers: strings(headers, (name) => name.toLowerCase().replaceAll('-', '_')),
  }
}
