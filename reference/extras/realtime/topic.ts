/**
 * What a client subscribes to, as text: `posts/*`, `posts/RECORD_ID`, or a name of its own such as `@oauth2`. Options
 * follow as JSON in a query parameter: `posts/*?options={"query":{"expand":"author"},"headers":{"x-token":"…"}}`.
 *
 * @module
 */

import { readQuery } from '../../http/query-string.ts'

export interface Topic {
  /** As the client sent it: the name of the events. */
  text: string
  /** Without options: `posts/*`. */
  path: string
  /** As if every event were a request with these: `expand`, `fields` and `filter` count. */
  query: Readonly<Record<string, string>>
  /** Names in snake_case, for rules. */
  headers: Readonly<Record<string, string>>
}

/** Numbers and booleans count as their text; nothing else is a value. */
function texts(given: unknown, nameOf: (name: string) => string): Record<string, string> {
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

/** Options that cannot be read count as none. */
export function readTopic(text: string): Topic {
  const [path = ''] = text.split('?', 1)
  const { query, headers } = parseOptions(readQuery(text).options)
  return {
    text,
    path,
    query: texts(query, (name) => name),
    headers: texts(headers, (name) => name.toLowerCase().replaceAll('-', '_')),
  }
}
