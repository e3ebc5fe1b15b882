/**
 * What a list is asked for, in the target's own words: names of parameters, conditions, orders, expansions. Where the
 * name of a parameter is empty, its value is a piece of the query: `name=value`, joined by `&`.
 *
 * @module
 */

import { standardBinding } from '../../spec/gaps.ts'
import type { Binding } from '../../spec/vocabulary.ts'
import { UntestableError } from '../judging/expect.ts'
import type { Query } from '../vocabulary/api.ts'

/** The query with its question mark, or nothing. An absent value leaves the parameter out. */
export function queryText(binding: Binding, query: Query): string {
  const pairs = new URLSearchParams()
  for (const [key, value] of Object.entries(query)) {
    if (value === undefined) continue
    const name = binding[`list.${key}`] ?? key
    if (key === 'page' && name.includes('{offset}')) appendPieces(pairs, withOffset(name, query))
    else if (name !== '') pairs.append(name, String(value))
    else appendPieces(pairs, String(value))
  }
  const text = pairs.toString()
  return text === '' ? '' : `?${text}`
}

function appendPieces(pairs: URLSearchParams, pieces: string): void {
  for (const [name, value] of new URLSearchParams(pieces)) pairs.append(name, value)
}

/**
 * A page as the number of records before it. What is no page number stands as it is.
 *
 * @throws UntestableError for a page whose size nobody named
 */
function withOffset(template: string, { page, perPage }: Query): string {
  const number = Number(page)
  if (!Number.isSafeInteger(number) || number === 1)
    return template.replaceAll('{offset}', encodeURIComponent(number === 1 ? 0 : String(page)))
  const size = Number(perPage)
  if (!Number.isSafeInteger(size))
    throw new UntestableError(
      'the target asks for pages by offset, which needs their size',
      'nothing can be done: this request names none',
    )
  return template.replaceAll('{offset}', String((number - 1) * size))
}

/** The `filter` for records whose field equals a value. */
export function conditionText(binding: Binding, field: string, value: string): string {
  return filled(binding, 'filter.equals', 'list.filter', { field, value })
}

/** The `sort` by one field. */
export function orderText(binding: Binding, field: string, direction: 'ascending' | 'descending'): string {
  return filled(binding, `sort.${direction}`, 'list.sort', { field })
}

/** The `expand` of one relation field. */
export function expansionText(binding: Binding, field: string): string {
  return filled(binding, 'expand.relation', 'list.expand', { field })
}

/** @param parameter whose name decides whether what is filled in stands in a value, or in a piece of a query */
function filled(
  binding: Binding,
  key: string,
  parameter: string,
  words: Readonly<Record<string, string>>,
): string {
  const template = binding[key] ?? standardBinding()[key] ?? ''
  const piece = binding[parameter] === ''
  return template.replaceAll(/\{(\w+)\}/g, (whole, name: string) => {
    const word = words[name]
    if (word === undefined) return whole
    return piece ? encodeURIComponent(word) : word
  })
}
