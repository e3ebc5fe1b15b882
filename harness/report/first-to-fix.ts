import { countOf } from '../../spec/count-of.ts'
import type { ReportEntry } from './entry.ts'
import { type WholeFindings, weightOf } from './whole-findings.ts'

/** What to fix first. */
export interface FirstToFix {
  /** Id of the requirement. */
  name: string
  /** In one line, with the id: `Fix first: list.paginated, which 7 others depend on`. */
  text: string
}

/**
 * The failure on which most others depend, or with which they share their cause. Operations that do not exist come after
 * the bugs in those that do, unless more depends on one of them.
 */
export function firstToFix({ failed, differing, absent }: WholeFindings): FirstToFix | undefined {
  const failure = failed[0] ?? differing[0]
  const [missing] = absent
  if (missing !== undefined && weightOf(missing) > (failure === undefined ? 0 : weightOf(failure)))
    return neededFirst(missing)
  if (failure === undefined) return undefined
  const { name, follows, explains } = failure
  const dependents = `${countOf(follows.length, 'other')} ${follows.length === 1 ? 'depends' : 'depend'} on`
  const alike = `${countOf(explains.length, 'other')} with the same cause`
  const text = [
    `Fix first: ${name}`,
    ...(follows.length === 0 ? [] : [`which ${dependents}`]),
    ...(explains.length === 0 ? [] : [alike]),
  ].join(', ')
  return { name, text }
}

function neededFirst({ name, follows }: ReportEntry): FirstToFix {
  const need = follows.length === 1 ? 'needs' : 'need'
  return { name, text: `Fix first: ${name}, which ${countOf(follows.length, 'other')} ${need}` }
}
