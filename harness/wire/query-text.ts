/**
 * Builds the query of a list with the target's own names and syntax: parameters, filters, sorting, expansions. If the
 * name of a parameter is empty, its value is a piece of the query: `name=value`, joined by `&`.
 *
 * @module
 */

import { standardBinding } from '../../spec/gaps.ts'
import { inWords } from '../../spec/in-words.ts'
import type { Binding } from '../../spec/vocabulary.ts'
import type { Query } from '../vocabulary/api.ts'
import type { QueryPart, Target } from '../vocabulary/target.ts'

const formKeys: Readonly<Record<QueryPart, readonly string[]>> = {
  'page size': ['list.perPage'],
  'page number': ['list.page'],
  filter: ['list.filter', 'filter.equals'],
  order: ['list.sort', 'sort.ascending', 'sort.descending'],
  expansion: ['list.expand', 'expand.relation'],
}

/** Whether a binding has another form than the profile for a part of a query. */
export function overridesForm(binding: Binding, part: QueryPart): boolean {
  const usual = standardBinding()
  return formKeys[part].some((key) => binding[key] !== undefined && binding[key] !== usual[key])
}

/** Whether the tester says which form a target has for a part of a query: another one than the profile, or the same. */
export function namesForm(
  { binding, named = [] }: Pick<Target, 'binding' | 'named'>,
  part: QueryPart,
): boolean {
  return overridesForm(binding, part) || formKeys[part].some((key) => named.includes(key))
}

/** That it is not known how to request a part of a list. */
export function noForm(part: QueryPart): string {
  return `no usual form of ${/^[aeiou]/.test(part) ? 'an' : 'a'} ${part} has an effect`
}

/** How a tester says in which form a server takes a part of a query. */
export function formHint(part: QueryPart): string {
  const keys = formKeys[part].map((key) => `"${key}"`)
  return `set ${inWords(keys)} under "binding" in a target file`
}

/** The query with its question mark, or nothing. An absent value omits the parameter. */
export function queryText(binding: Binding, query: Query): string {
  const pairs = new URLSearchParams()
  for (const [key, value] of Object.entries(query)) {
    if (value === undefined) continue
    const name = binding[`list.${key}`] ?? key
    if (name !== '') pairs.append(name, String(value))
    else for (const [each, text] of new URLSearchParams(String(value))) pairs.append(each, text)
  }
  const text = pairs.toString()
  return text === '' ? '' : `?${text}`
}

/** The `filter` for records whose field equals a value. */
export function conditionText(binding: Binding, field: string, value: string): string {
  return filled(binding, 'filter.equals', 'list.filter', { field, value })
}

/**
 * Whether a value stands alone in a condition, as in `title=value`: then nothing in it has to be escaped for the target.
 */
export function takesWholeValue(binding: Binding): boolean {
  return binding['list.filter'] === '' && /^[^=]*=\{value\}$/.test(binding['filter.equals'] ?? '')
}

/** The `sort` by one field. */
export function orderText(binding: Binding, field: string, direction: 'ascending' | 'descending'): string {
  return filled(binding, `sort.${direction}`, 'list.sort', { field })
}

/** The `expand` of one relation field. */
export function expansionText(binding: Binding, field: string): string {
  return filled(binding, 'expand.relation', 'list.expand', { field })
}

/** @param parameter whose name decides whether the result is a value or a piece of a query */
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
