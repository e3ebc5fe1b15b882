import { countOf } from '../../spec/count-of.ts'
import type { Section } from './sections.ts'

/** What to fix first: the failure on which most others depend, or with which they share their cause. */
export function firstToFix(sections: readonly Section[]): string | undefined {
  const [failure] = sections.filter(({ title }) => title === 'Failed').flatMap(({ entries }) => entries)
  if (failure === undefined) return undefined
  const { name, follows, explains } = failure
  const dependents = `${countOf(follows.length, 'other')} ${follows.length === 1 ? 'depends' : 'depend'} on`
  const alike = `${countOf(explains.length, 'other')} with the same cause`
  return [
    `Fix first: ${name}`,
    ...(follows.length === 0 ? [] : [`which ${dependents}`]),
    ...(explains.length === 0 ? [] : [alike]),
  ].join(', ')
}
