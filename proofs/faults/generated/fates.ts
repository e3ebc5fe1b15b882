/**
 * What became of a breach.
 *
 * @module
 */

import type { BreachKind } from './breach.ts'

export const fates = ['document', 'profile', 'argued', 'surviving'] as const

/**
 * `document`: a requirement that the document states or implies fails or warns. `profile`: only profile requirements
 * fail. `argued`: `argument-for.ts` says why it breaks nothing, or why no request can meet it.
 */
export type Fate = (typeof fates)[number]

export interface BreachRow {
  name: string
  kind: BreachKind
  fate: Fate
  /** The requirement that saw it, or the argument. */
  by: string
  /** Checks that were run. */
  checks: number
  ms: number
}
