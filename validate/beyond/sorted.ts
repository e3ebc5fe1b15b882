/**
 * Whether a page is in the requested order, as far as the records show it: for keys that are plain fields, and values
 * that are strings, numbers or booleans.
 *
 * @module
 */

import { isObject } from '../../exchange/json-object.ts'
import { shown } from '../mismatch.ts'
import { compareFieldText } from './compare.ts'
import { type Judging, parameter } from './judging.ts'

interface SortKey {
  name: string
  direction: 1 | -1
}

export function judgeSorted({ query, add, claim }: Judging, items: readonly unknown[]): void {
  const sort = parameter(query, 'sort')
  if (sort === undefined || parameter(query, 'fields')?.includes(':') === true) return
  const keys = plainKeys(sort)
  if (keys.length === 0 || items.length < 2) return
  claim('sort.order')
  for (let at = 1; at < items.length; at++) {
    const [before, here] = [items[at - 1], items[at]]
    if (!isObject(before) || !isObject(here)) continue
    for (const { name, direction } of keys) {
      const order = compare(before[name], here[name])
      if (order === undefined || order * direction < 0) break
      if (order === 0) continue
      add(
        'sort.order',
        `/items/${at}/${name}`,
        `${direction > 0 ? 'not before' : 'not after'} ${shown(before[name])} of the previous record, as in ${shown(sort)}`,
        shown(here[name]),
      )
      return
    }
  }
}

/** The keys before the first one that cannot be compared: later keys order only records that it leaves equal. */
function plainKeys(sort: string): SortKey[] {
  const keys: SortKey[] = []
  for (const part of sort.split(',')) {
    const [, sign, name] = /^\s*([+-]?)([A-Za-z_]\w*)\s*$/.exec(part) ?? []
    if (name === undefined) break
    keys.push({ name, direction: sign === '-' ? -1 : 1 })
  }
  return keys
}

/** Undefined for values that cannot be compared: absent ones, different types, lists and objects. */
function compare(left: unknown, right: unknown): number | undefined {
  if (typeof left === 'string' && typeof right === 'string') return compareFieldText(left, right)
  if (typeof left === 'number' && typeof right === 'number') return left - right
  if (typeof left === 'boolean' && typeof right === 'boolean') return Number(left) - Number(right)
  return undefined
}
