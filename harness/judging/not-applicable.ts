/**
 * Requirements that the target file declares not applicable (`notApplicable`): a requirement may be unobservable on a
 * conformant server, as on one that verifies every account immediately. A declaration disables nothing: the check runs, and
 * the declaration counts only if the check finds nothing to judge. Pure.
 *
 * @module
 */

import type { Requirement } from '../../spec/vocabulary.ts'
import { matchesNothing, selects } from '../planning/plan.ts'
import type { Finding } from '../vocabulary/finding.ts'

/** Reasons by requirement, in the syntax of `--only`. */
export type Declared = Readonly<Record<string, string>>

/** @throws ConfigurationError for an unknown requirement, with the nearest one */
export function checkNotApplicable(declared: Declared, requirements: ReadonlyMap<string, Requirement>): void {
  const all = [...requirements.values()]
  for (const word of Object.keys(declared))
    if (!all.some((each) => selects(word, each)))
      throw matchesNothing('target file, notApplicable:', word, all)
}

/** The findings, with `not-applicable` instead of `untestable` if declared. */
export function withNotApplicable(
  findings: readonly Finding[],
  declared: Declared,
  requirements: ReadonlyMap<string, Requirement>,
): Finding[] {
  return findings.map((finding) => {
    const requirement = requirements.get(finding.requirement)
    // A check without requests did not run: the tester still has to provide the missing credentials, tables and hooks.
    const hasRun = finding.status === 'untestable' && finding.requests > 0
    if (!hasRun || requirement === undefined) return finding
    const [, reason] = Object.entries(declared).find(([word]) => selects(word, requirement)) ?? []
    if (reason === undefined) return finding
    const { hint: _unlock, ...rest } = finding
    return { ...rest, status: 'not-applicable', message: `declared in the target file: ${reason}` }
  })
}
