/**
 * Query strings as the living family reads them: the first value of a name wins, and a pair that cannot be
 * decoded, or that contains a `;`, is ignored (contract-records 1.3).
 *
 * @module
 */

import { LimitExceeded } from '../errors.ts'

/** @throws URIError if the percent-encoding is malformed */
export function decodeFormText(text: string): string {
  const spaced = text.includes('+') ? text.replaceAll('+', ' ') : text
  return spaced.includes('%') ? decodeURIComponent(spaced) : spaced
}

/** The pairs of a query string or an urlencoded form, in order, still encoded. */
export function* pairs(text: string): Generator<[name: string, value: string]> {
  for (let start = 0, end = 0; end < text.length; start = end + 1) {
    end = text.indexOf('&', start)
    if (end === -1) end = text.length
    const pair = text.slice(start, end)
    if (pair === '') continue
    const equals = pair.indexOf('=')
    yield equals === -1 ? [pair, ''] : [pair.slice(0, equals), pair.slice(equals + 1)]
  }
}

/**
 * First value of each query parameter of a URL. The object has no prototype, so no name is special.
 *
 * @throws ApiError 400 for too many pairs
 */
export function readQuery(url: string, most = Number.POSITIVE_INFINITY): Record<string, string> {
  const query: Record<string, string> = Object.create(null)
  const [address = ''] = url.split('#', 1)
  const start = address.indexOf('?')
  if (start === -1) return query
  let count = 0
  for (const [name, value] of pairs(address.slice(start + 1))) {
    count += 1
    if (count > most)
      throw new LimitExceeded(`The query string has more than ${most} parameters: send fewer.`)
    if (name.includes(';') || value.includes(';')) continue
    try {
      const key = decodeFormText(name)
      if (!(key in query)) query[key] = decodeFormText(value)
    } catch {
      // Malformed percent-encoding: this pair is ignored.
    }
  }
  return query
}

/**
 * Whether the query of a batch entry, or a fragment after it, cannot be decoded. The living family then rejects the
 * entry, whereas a request of its own loses only the malformed pair. Measured by `npm run living -- --random`.
 */
export function isMalformedQuery(url: string): boolean {
  const start = url.indexOf('?')
  if (start === -1) return false
  const rest = url.slice(start)
  return /%(?![\da-f]{2})/i.test(rest) || (rest.split('#', 1)[0] ?? '').includes(';')
}
