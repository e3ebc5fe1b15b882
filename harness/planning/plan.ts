/**
 * Which checks run, and in which order. Pure.
 *
 * @module
 */

import { globPattern } from '../../spec/glob-pattern.ts'
import { nearest } from '../../spec/nearest.ts'
import type { Basis, Level, Requirement } from '../../spec/vocabulary.ts'
import { ConfigurationError } from '../errors.ts'
import { levels } from '../run-options.ts'
import type { Selection } from '../vocabulary/options.ts'

const strength: Record<Level, number> = { MUST: 2, SHOULD: 1, MAY: 0 }
const bases: readonly Basis[] = ['stated', 'implied', 'profile']
/** What a reader of the verdict may write for a basis. */
const basisWords: ReadonlyMap<string, string> = new Map([
  ['document', 'stated,implied'],
  ['standard', 'profile'],
  ['recommended', 'profile'],
  ['family', 'profile'],
])

/** Whether one word of a selection matches the requirement. */
export function selects(word: string, requirement: Requirement): boolean {
  const { id, level, basis, sources, operations, gap } = requirement
  if (word === id || word === gap || word.toUpperCase() === level || word === basis) return true
  if (word.includes('*')) return globPattern(word).test(id)
  if (/^§?\d+(\.\d+)*$/.test(word)) {
    const section = word.replace('§', '')
    return sources.some((source) => source.section === section || source.section.startsWith(`${section}.`))
  }
  return id.startsWith(`${word}.`) || operations.some((operation) => operation === word)
}

/**
 * The checks of a selection, each after those that it depends on, otherwise in the given order.
 *
 * @throws ConfigurationError if a word matches nothing, with the nearest id
 */
export function planChecks<C extends { id: string }>(
  checks: readonly C[],
  requirements: ReadonlyMap<string, Requirement>,
  { only = [], skip = [], level }: Selection = {},
): C[] {
  const all = [...requirements.values()]
  for (const [flag, words] of [
    ['--only', only],
    ['--skip', skip],
  ] as const) {
    for (const word of words)
      if (!all.some((each) => selects(word, each))) throw matchesNothing(flag, word, all)
  }
  const chosen = checks.filter(({ id }) => {
    const requirement = requirements.get(id)
    if (requirement === undefined) return only.length === 0
    if (only.length > 0 && !only.some((word) => selects(word, requirement))) return false
    if (skip.some((word) => selects(word, requirement))) return false
    return level === undefined || strength[requirement.level] >= strength[level]
  })
  return ordered(chosen, requirements)
}

/**
 * The same for a run or a list, which must be about something.
 *
 * @throws ConfigurationError if a word matches nothing, or all words together select no check
 */
export function planSelected<C extends { id: string }>(
  checks: readonly C[],
  requirements: ReadonlyMap<string, Requirement>,
  selection: Selection,
): C[] {
  const planned = planChecks(checks, requirements, selection)
  if (planned.length > 0) return planned
  const { only = [], skip = [], level } = selection
  const selects = (other: Selection) => planChecks(checks, requirements, other).length > 0
  const everything = only.length === 0 ? 'everything' : 'everything that --only selects'
  const [fact, place] = !selects({ only })
    ? ['nothing that --only selects has a check', `--only ${only.join(',')}`]
    : selects({ only, level })
      ? [
          `--skip leaves out ${everything}${level === undefined ? '' : ` at the level ${level}`}`,
          `--skip ${skip.join(',')}`,
        ]
      : [`--level leaves out ${everything}`, `--level ${level}`]
  throw new ConfigurationError(
    fact,
    place,
    '`conformance list` with fewer of these options shows what they select',
  )
}

/** Depth first along `after`; a cycle is broken where it is found. */
function ordered<C extends { id: string }>(
  checks: readonly C[],
  requirements: ReadonlyMap<string, Requirement>,
): C[] {
  const byId = new Map(checks.map((check) => [check.id, check]))
  const out = new Set<C>()
  const open = new Set<string>()
  const visit = (check: C) => {
    if (out.has(check) || open.has(check.id)) return
    open.add(check.id)
    for (const id of requirements.get(check.id)?.after ?? []) {
      const earlier = byId.get(id)
      if (earlier !== undefined) visit(earlier)
    }
    open.delete(check.id)
    out.add(check)
  }
  for (const check of checks) visit(check)
  return [...out]
}

/** @returns the error for a word that matches no requirement, with the nearest id or area */
export function matchesNothing(flag: string, word: string, all: readonly Requirement[]): ConfigurationError {
  const basis = basisWords.get(word.toLowerCase())
  const areas = new Set(all.map(({ id }) => id.split('.')[0] ?? ''))
  const near = basis ?? nearest(word, [...all.map(({ id }) => id), ...areas, ...levels, ...bases])
  return new ConfigurationError(
    `"${word}" matches no requirement`,
    `${flag} ${word}`,
    `${near === undefined ? '' : `did you mean ${near}? `}\`conformance list\` shows all ids, areas and sections; the bases are ${bases.join(', ')}`,
  )
}
