import { countOf } from '../../spec/count-of.ts'
import type { ReportEntry } from './entry.ts'
import { failureTitles, type Section } from './sections.ts'

/** What to fix first: the failure on which most others depend, or with which they share their cause. */
export function firstToFix(sections: readonly Section[]): string | undefined {
  const failure = firstFailure(sections)
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

/** The failure that is named there. Rows about several findings are none. */
export function firstFailure(sections: readonly Section[]): ReportEntry | undefined {
  return sections
    .filter(({ title }) => failureTitles.includes(title))
    .flatMap(({ entries }) => entries)
    .find(({ finding }) => finding !== undefined)
}
