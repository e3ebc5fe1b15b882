/**
 * Checks that the response to a request with `fields` contains only the selected keys.
 *
 * @module
 */

import { isObject } from '../../exchange/json-object.ts'
import { shown } from '../mismatch.ts'
import type { Judging } from './judging.ts'

/** Names under names; `undefined`: everything below. */
interface Picks {
  [name: string]: Picks | undefined
}

/** @param root values that the selection applies to: the records of a list, otherwise the body itself */
export function judgePicked(
  { add, claim }: Judging,
  fields: string,
  root: readonly [path: string, value: unknown][],
): void {
  const picks = parsePicks(fields)
  if (picks === undefined) return
  claim('fields.picks')
  const waiting: [string, unknown, Picks][] = root.map(([path, value]) => [path, value, picks])
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    const [path, value, allowed] = next
    if (Array.isArray(value)) {
      for (const [at, each] of value.entries()) waiting.push([`${path}/${at}`, each, allowed])
      continue
    }
    // A wildcard may match any key.
    if (!isObject(value) || '*' in allowed) continue
    for (const key in value) {
      if (!Object.hasOwn(allowed, key)) {
        add(
          'fields.picks',
          `${path}/${key}`,
          `only what fields=${fields.slice(0, 80)} names`,
          `a key ${shown(key)}`,
        )
        return
      }
      const below = allowed[key]
      if (below !== undefined) waiting.push([`${path}/${key}`, value[key], below])
    }
  }
}

/** Characters that no key contains, and whose meaning the profile does not define. */
const unreadable = /\p{C}/u

/** Undefined if nothing was selected: then everything is shown. */
function parsePicks(fields: string): Picks | undefined {
  if (unreadable.test(fields)) return undefined
  const picks: Picks = Object.create(null)
  // Commas inside a modifier's parentheses separate arguments, not names.
  for (const entry of fields.replace(/(?<!\s)\s*:\s*\w+\([^():]*\)/g, '').split(',')) {
    const names = entry.trim().split('.')
    if (names[0] === '' || names[0] === undefined) continue
    enter(picks, names)
  }
  return Object.keys(picks).length === 0 ? undefined : picks
}

function enter(picks: Picks, names: readonly string[]): void {
  let here = picks
  for (const [at, name] of names.entries()) {
    const last = at === names.length - 1
    const known = Object.hasOwn(here, name)
    if (known && here[name] === undefined) return
    if (last) {
      here[name] = undefined
      return
    }
    const below: Picks = here[name] ?? Object.create(null)
    here[name] = below
    here = below
  }
}
