import type { Section } from './sections.ts'

/** What to fix first: the failure that keeps most others from being judged. */
export function firstToFix(sections: readonly Section[]): string | undefined {
  const [failure] = sections.filter(({ title }) => title === 'Failed').flatMap(({ entries }) => entries)
  if (failure === undefined) return undefined
  const { length } = failure.follows
  const others =
    length === 0 ? '' : `, which ${length} ${length === 1 ? 'other depends' : 'others depend'} on`
  return `Fix first: ${failure.name}${others}`
}
