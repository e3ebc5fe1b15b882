/**
 * Which fault shows best what a requirement is about: one that says so in few words, and breaks little else.
 *
 * @module
 */

import type { DeclaredFault } from '../fault.ts'

/** Letters that words of one stem share. */
const stem = 4

export function plainestFirst<Fault extends Pick<DeclaredFault, 'name' | 'trips'>>(
  faults: readonly Fault[],
  statement: string,
): Fault[] {
  const about = stemsOf(statement)
  const rank = ({ name, trips }: Fault) => {
    const shared = [...stemsOf(name)].filter((each) => about.has(each)).length
    return shared - name.split(' ').length / 6 - trips.length / 2
  }
  return [...faults].sort((one, other) => rank(other) - rank(one))
}

function stemsOf(text: string): Set<string> {
  const words = text.toLowerCase().match(/[a-z]{4,}/g) ?? []
  return new Set(words.map((word) => word.slice(0, stem)))
}
