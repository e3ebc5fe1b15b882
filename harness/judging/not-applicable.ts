/**
 * What the target file declares not applicable, requirement by requirement (`notApplicable`): a server may decide lawfully
 * that nothing of a requirement can be seen on it, as one that verifies every account at once. A declaration switches
 * nothing off: the check runs, and only where it finds nothing to judge does the declaration count. Pure.
 *
 * @module
 */

import type { Requirement } from '../../spec/vocabulary.ts'
import { matchesNothing, selects } from '../plan.ts'
import type { Finding } from '../vocabulary/findings.ts'

/** By requirements, as `--only` takes them, with the reason. */
export type Declared = Readonly<Record<string, string>>

/** @throws ConfigurationError for a word that names no requirement, with the nearest one */
export function checkDeclared(declared: Declared, requirements: ReadonlyMap<string, Requirement>): void {
  const all = [...requirements.values()]
  for (const word of Object.keys(declared))
    if (!all.some((each) => selects(word, each)))
      throw matchesNothing('target file, notApplicable:', word, all)
}

/** The findings, with `not-applicable` in place of `untestable` where that is declared. */
export function withDeclared(
  findings: readonly Finding[],
  declared: Declared,
  requirements: ReadonlyMap<string, Requirement>,
): Finding[] {
  return findings.map((finding) => {
    const requirement = requirements.get(finding.requirement)
    // What sent nothing has not been run: credentials, tables and hooks that are missing stay the tester's to bring.
    const hasRun = finding.status === 'untestable' && finding.requests > 0
    if (!hasRun || requirement === undefined) return finding
    const [, reason] = Object.entries(declared).find(([word]) => selects(word, requirement)) ?? []
    if (reason === undefined) return finding
    const { hint: _unlock, ...rest } = finding
    return { ...rest, status: 'not-applicable', message: `declared in the target file: ${reason}` }
  })
}
