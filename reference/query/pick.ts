/**
 * The parameter `fields` (contract-records 1.7): the last step of a response, applied to its JSON.
 *
 * @module
 */

import { tooManyNames } from '../limits/limits.ts'
import type { Json } from '../vocabulary.ts'
import { excerpt } from './excerpt.ts'
import { QueryError } from './query-error.ts'

/** A parsed `fields` parameter: the keys to keep, level by level. Empty: everything is kept. */
export type Pick = Map<string, Picked>

interface Picked {
  /** The key itself is named, not only something below it. */
  whole: boolean
  change?: (value: Json) => Json
  below: Pick
}

/**
 * Parses a `fields` parameter (contract-records 1.7). Parse it before anything is written: an invalid modifier is a 400
 * (`fields.syntax` in docs/profile.md), and the request must not write anything.
 *
 * @throws QueryError for an unknown or malformed modifier; ApiError 400 for too many names
 */
export function parsePick(text: string, mostNames = Number.POSITIVE_INFINITY): Pick {
  const pick: Pick = new Map()
  if (countOf(text, /[.,]/g, mostNames) >= mostNames) throw tooManyNames('fields', mostNames)
  for (const entry of splitEntries(text)) {
    const [path = '', ...modifier] = entry.split(':')
    const change = modifier.length === 0 ? undefined : parseModifier(modifier.join(':').trim())
    add(pick, path.trim().replace(/\.$/, '').split('.'), change)
  }
  return pick
}

/** How often a pattern occurs, counted at least until it exceeds `most`. */
function countOf(text: string, pattern: RegExp, most: number): number {
  let count = 0
  // A short string cannot contain many.
  if (text.length <= most) return count
  while (count <= most && pattern.exec(text) !== null) count += 1
  return count
}

/** Keeps the named parts of a value. Lists are picked element by element; other values are kept unchanged. */
export function applyPick(value: Json, pick: Pick): Json {
  if (pick.size === 0 || typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) return value.map((element) => applyPick(element, pick))
  const kept: [string, Json][] = []
  // A wildcard matches keys at the end of a path only, as in the living family.
  const every = pick.get('*')
  const others = every?.whole ? every : undefined
  for (const [key, inner] of Object.entries(value)) {
    const picked = pick.get(key) ?? others
    if (picked === undefined) continue
    if (!picked.whole) kept.push([key, applyPick(inner, picked.below)])
    else kept.push([key, picked.change === undefined ? inner : picked.change(inner)])
  }
  // Not assigned key by key: a key may be named `__proto__`.
  return Object.fromEntries(kept)
}

/** Level by level, since a client can send as many levels as fit into a URL. */
function add(pick: Pick, path: readonly string[], change: Picked['change']): void {
  let level = pick
  let picked: Picked | undefined
  for (const name of path) {
    picked = level.get(name) ?? { whole: false, below: new Map() }
    level.set(name, picked)
    level = picked.below
  }
  if (picked === undefined) return
  picked.whole = true
  // The last entry for a name counts, even if it removes a modifier.
  if (change === undefined) delete picked.change
  else picked.change = change
}

/** Splits at commas outside parentheses. */
function splitEntries(text: string): string[] {
  const entries: string[] = []
  let current = ''
  let depth = 0
  for (const char of text) {
    if (char === '(') depth += 1
    if (char === ')') depth -= 1
    if (depth < 0) throw new QueryError('Fields: a parenthesis is not opened.')
    if (char === ',' && depth === 0) {
      entries.push(current.trim())
      current = ''
    } else {
      current += char
    }
  }
  if (depth > 0) throw new QueryError('Fields: a parenthesis is not closed.')
  return [...entries, current.trim()].filter((entry) => entry !== '')
}

function parseModifier(text: string): (value: Json) => Json {
  const call = /^excerpt\(([^()]*)\)$/.exec(text)
  if (call === null) throw new QueryError(`Fields: unknown modifier ":${text}".`)
  const [max = '', ellipsis = '', ...more] = (call[1] ?? '').split(',').map((argument) => argument.trim())
  const length = /^[+]?[0-9]+(\.[0-9]+)?$/.test(max) ? Math.floor(Number(max)) : 0
  if (length === 0 || more.length > 0) {
    throw new QueryError('Fields: excerpt takes a length above 0 and whether to end in dots.')
  }
  const withEllipsis = /^(1|t|T|TRUE|true|True)$/.test(ellipsis)
  return (value) => (typeof value === 'string' ? excerpt(value, length, withEllipsis) : value)
}
