/**
 * A part of many: every n-th, beginning with a position.
 *
 * @module
 */

import type { BreachKind } from './breach.ts'

export interface BreachSample {
  /** The first position, from 0. */
  first: number
  every: number
  /** Only names with one of these strings. @default all */
  names?: readonly string[]
  /** @default all */
  kinds?: readonly BreachKind[]
}

export function sampled<Value extends { name: string; kind: BreachKind }>(
  all: readonly Value[],
  { first, every, names = [], kinds }: BreachSample,
): Value[] {
  return all
    .filter(({ name }) => names.length === 0 || names.some((text) => name.includes(text)))
    .filter(({ kind }) => kinds === undefined || kinds.includes(kind))
    .filter((_, position) => position % every === first % every)
}

/** The first text of a sample that is in no name. */
export function unknownName(
  all: readonly { name: string }[],
  { names = [] }: BreachSample,
): string | undefined {
  return names.find((text) => !all.some(({ name }) => name.includes(text)))
}

/** `1/40`, `7/40`: undefined for anything else. */
export function readSample(text: string): BreachSample | undefined {
  const [, first, every] = /^(\d{1,6})\/(\d{1,6})$/.exec(text) ?? []
  if (first === undefined || Number(every) < 1 || Number(first) < 1 || Number(first) > Number(every))
    return undefined
  return { first: Number(first) - 1, every: Number(every) }
}
