/**
 * Parses a query as the profile does: the first value of a name counts; a pair that contains a `;` or that cannot be
 * decoded is ignored. Independent of the parser in the reference; a test compares the two.
 *
 * @module
 */

import { formDecoded } from './percent-decoded.ts'

/** First value of each parameter, decoded. */
export type ParsedQuery = ReadonlyMap<string, string>

const noQuery: ParsedQuery = new Map()

/** @param text query without the question mark and the fragment */
export function queryOf(text: string): ParsedQuery {
  if (text === '') return noQuery
  const query = new Map<string, string>()
  for (const pair of text.split('&')) {
    if (pair === '' || pair.includes(';')) continue
    const [name, value] = halves(pair).map(formDecoded)
    if (name !== undefined && value !== undefined && !query.has(name)) query.set(name, value)
  }
  return query
}

/**
 * Whether any way to parse the query finds the parameter, including servers that split pairs differently.
 *
 * @param query parsed from the same text
 */
export function mayName(query: ParsedQuery, text: string, name: string): boolean {
  if (query.has(name)) return true
  return /[;%]/.test(text) && new URLSearchParams(text.replaceAll(';', '&')).has(name)
}

function halves(pair: string): [name: string, value: string] {
  const at = pair.indexOf('=')
  return at < 0 ? [pair, ''] : [pair.slice(0, at), pair.slice(at + 1)]
}
