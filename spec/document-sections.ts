/**
 * The sections of the document, in its order, each with a short name in our own words.
 *
 * @module
 */

import { loadGaps } from './gaps.ts'
import type { Basis } from './vocabulary.ts'

/** Name of each section by its number. */
export const documentSections: ReadonlyMap<string, string> = new Map([
  ['1', 'the service'],
  ['2', 'resources'],
  ['2.1', 'records'],
  ['2.2', 'auth records'],
  ['2.3', 'field types'],
  ['2.4', 'lists'],
  ['2.5', 'sign-in responses'],
  ['2.6', 'batches'],
  ['3', 'states'],
  ['4', 'operations'],
  ['4.1', 'record operations'],
  ['4.2', 'sign-in operations'],
  ['4.3', 'other operations'],
  ['5', 'authentication'],
  ['6', 'events'],
  ['7', 'errors'],
  ['8', 'limits'],
  ['9', 'versions'],
])

/**
 * The section that a requirement is about: the first that it cites, or the first that leaves its gap open.
 *
 * @param source sections as in `2.4, 5`, or the key of a gap for basis `profile`
 * @returns the number of the section, `2.4` for example; empty for a source that this version does not know
 */
export function sectionNumber({ basis, source }: { basis: Basis; source: string }): string {
  if (basis === 'profile') return loadGaps().get(source)?.sources[0]?.section ?? ''
  return source.split(',')[0]?.trim() ?? ''
}

/** `2.4 lists`. */
export function sectionTitle(section: string): string {
  const name = documentSections.get(section)
  return name === undefined ? section || 'other' : `${section} ${name}`
}
