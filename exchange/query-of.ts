/**
 * The query of a request as the profile reads it: the first value of a name counts; a pair that contains a `;` or that
 * cannot be decoded is dropped, and the request goes on. Written apart from the reference's own reading, which a test
 * compares it with.
 *
 * @module
 */

/** First value of each parameter, decoded. */
export type ParsedQuery = ReadonlyMap<string, string>

const noQuery: ParsedQuery = new Map()

/** @param text without the question mark and the fragment */
export function queryOf(text: string): ParsedQuery {
  if (text === '') return noQuery
  const query = new Map<string, string>()
  for (const pair of text.split('&')) {
    if (pair === '' || pair.includes(';')) continue
    const [name, value] = halves(pair).map(decoded)
    if (name !== undefined && value !== undefined && !query.has(name)) query.set(name, value)
  }
  return query
}

/**
 * Whether any reading of the query finds the parameter, that of servers included which split pairs in another way.
 *
 * @param query of the same text
 */
export function mayName(query: ParsedQuery, text: string, name: string): boolean {
  if (query.has(name)) return true
  return /[;%]/.test(text) && new URLSearchParams(text.replaceAll(';', '&')).has(name)
}

function halves(pair: string): [name: string, value: string] {
  const at = pair.indexOf('=')
  return at < 0 ? [pair, ''] : [pair.slice(0, at), pair.slice(at + 1)]
}

/** Undefined where the percent-encoding is malformed, or is not of UTF-8. */
function decoded(text: string): string | undefined {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '))
  } catch {
    return undefined
  }
}
