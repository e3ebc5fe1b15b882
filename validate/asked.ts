/**
 * What a request asks for, as far as the response to it is judged by that.
 *
 * @module
 */

import { mayName, type ParsedQuery, queryOf } from '../exchange/query-of.ts'
import { readSubRequests } from './beyond/sub-requests.ts'
import { type FoundOperation, splitUrl } from './find-operation.ts'

export interface RequestMeaning {
  /** Undefined where the request matches no operation. */
  found: FoundOperation | undefined
  /** Parameters by the names of the description. */
  query: ParsedQuery
  /** Keys may be missing: `fields` picks some, or may. */
  picked: boolean
  /** Records were written while it was under way: what a list counts and what it shows may be of two moments. */
  amidWrites?: boolean
}

/**
 * What a server calls the parameters of the description, where it has other names. `''`: its requests do not show the
 * value in a form that is known.
 */
export type ParameterNames = Readonly<Record<string, string>>

/** A value that no rule understands, so that none speaks of it. */
const unclear = '?'

/**
 * @param found the operation that the request is
 * @param text query of the request, without the question mark
 */
export function askedOf(
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

/** Of the sub-requests of a batch a single one suffices; so does a body that is not known. */
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

/** Which of several page numbers counts is for the profile to say. */
function clear(query: ParsedQuery, text: string, { page = 'page' }: ParameterNames): ParsedQuery {
  if (!query.has('page') || new URLSearchParams(text).getAll(page).length < 2) return query
  return new Map(query).set('page', unclear)
}
