/**
 * What marks the strings of one check, so that the records of a run can be recognized.
 *
 * @module
 */

import { idCharacters } from '../support/hash.ts'

/** Characters that every unique string of a check contains. */
export function scopeOf(namespace: string, check: string): string {
  return idCharacters(6, namespace, check)
}

/**
 * The place of the marks that records get if their check gives them none. The string must not change: a run recognizes by
 * it what an earlier one left.
 */
export function addedMarkPlace(check: string | undefined): string {
  return `own mark of ${check ?? 'the start'}`
}

/** The scopes of all checks of a run: a later run recognizes the records of this one by them. */
export function scopesOf(namespace: string, checks: Iterable<string>): ReadonlySet<string> {
  const places = ['smoke', 'explore', addedMarkPlace(undefined)]
  for (const check of checks) places.push(check, addedMarkPlace(check))
  return new Set(places.map((place) => scopeOf(namespace, place)))
}

/** Returns `unique()` of one check: strings that no other check of the run uses, and the same ones for the same seed. */
export function uniqueNames(namespace: string, check: string): (prefix?: string) => string {
  const scope = scopeOf(namespace, check)
  let count = 0
  return (prefix = 'x') => `${prefix}-${scope}${(count++).toString(36).padStart(3, '0')}`
}
