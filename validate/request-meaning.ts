/**
 * The parts of a request that decide how its response is validated.
 *
 * @module
 */

import { mayName, type ParsedQuery, queryOf } from '../exchange/query-of.ts'
import { readSubRequests } from './beyond/sub-requests.ts'
import { type FoundOperation, splitUrl } from './find-operation.ts'

export interface RequestMeaning {
  /** Undefined if the request matches no operation. */
  found: FoundOperation | undefined
  /** Parameters by the names of the description. */
  query: ParsedQuery
  /** Whether keys may be missing because `fields` selects, or may select, some of them. */
  picked: boolean
  /**
   * Records were written while the request was in flight: the counts of a list and its items may be from different
   * moments.
   */
  amidWrites?: boolean
}

/**
 * The server's names for the parameters of the description, if they differ. `''`: the value does not appear in the
 * request in a known form.
 */
export type ParameterNames = Readonly<Record<string, string>>

/** A value that no rule can parse, so that no rule applies. */
const unclear = '?'

/**
 * @param found the operation of the request
 * @param text query of the request, without the question mark
 */
export function requestMeaning(
  found: FoundOperation | undefined,
  text: string,
  requestBody: unknown,
  names: ParameterNames,
): RequestMeaning {
  const sent = queryOf(text)
  const { fields = 'fields' } = names
  const picked = fields === '' || mayName(sent, text, fields) || picksInside(found, requestBody, fields)
  return { found, query: clear(renamed(sent, names), text, names), picked }
}

/** For a batch, one such sub-request is enough; so is an unknown body. */
function picksInside(found: FoundOperation | undefined, requestBody: unknown, fields: string): boolean {
  if (found?.operation.id !== 'batch') return false
  const inside = readSubRequests(requestBody)?.map(({ url }) => splitUrl(url)[1])
  return inside?.some((text) => mayName(queryOf(text), text, fields)) ?? true
}

function renamed(sent: ParsedQuery, names: ParameterNames): ParsedQuery {
  const others = Object.entries(names)
  if (others.length === 0) return sent
  const query = new Map([...sent].filter(([name]) => names[name] === undefined))
  for (const [ours, theirs] of others) {
    const value = theirs === '' && ours !== 'fields' ? unclear : sent.get(theirs)
    if (value !== undefined) query.set(ours, value)
  }
  return query
}

/** The profile defines which of several page numbers counts. */
function clear(query: ParsedQuery, text: string, { page = 'page' }: ParameterNames): ParsedQuery {
  if (!query.has('page') || new URLSearchParams(text).getAll(page).length < 2) return query
  return new Map(query).set('page', unclear)
}
