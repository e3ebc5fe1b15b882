/**
 * Counts findings for the verdict. Which operation a finding is about comes from the requirements in `spec/`.
 *
 * @module
 */

import { existenceOf } from '../../spec/capability-operations.ts'
import { loadRequirements } from '../../spec/requirements.ts'
import type { Grade } from '../../spec/vocabulary.ts'
import { defined } from '../support/defined.ts'
import type { Finding } from '../vocabulary/finding.ts'
import type { BasisCount, GradeCounts, Share } from '../vocabulary/verdict.ts'

/** How often each status occurs. */
export function basisCountOf(findings: readonly Finding[]): BasisCount {
  const known = findings.filter((finding) => finding.known !== undefined).length
  const count = (status: Finding['status']) =>
    findings.filter((finding) => finding.status === status && finding.known === undefined).length
  const [passed, failed, warned] = [count('pass'), count('fail'), count('warn')]
  return defined({
    counted: passed + failed + warned,
    passed,
    failed,
    warned,
    observed: count('observed'),
    notApplicable: count('not-applicable'),
    blocked: count('blocked'),
    untestable: count('untestable'),
    known: known === 0 ? undefined : known,
  })
}

/** Number of findings that would count as failures if the baseline did not list them. */
export function knownFailures(findings: readonly Finding[], strict: boolean): number {
  return findings.filter(
    ({ status, known }) => known !== undefined && (status === 'fail' || (strict && status === 'warn')),
  ).length
}

/** The part of the document that remains if the target declares a part absent. Undefined if it declares nothing. */
export function shareOf(findings: readonly Finding[]): Share | undefined {
  const applicable = ({ status }: Finding) => status !== 'not-applicable'
  if (findings.every(applicable)) return undefined
  const operations = [...byOperation(findings).values()]
  const present = operations.filter((about) => about.some(applicable)).length
  return defined({
    operations: operations.length > 0 ? { present, of: operations.length } : undefined,
    requirements: { applicable: findings.filter(applicable).length, of: findings.length },
  })
}

/**
 * What decides whether an operation is declared absent: the finding that it exists, or, if a selection lacks that one,
 * the findings about this operation alone.
 */
function byOperation(findings: readonly Finding[]): Map<string, Finding[]> {
  const requirements = loadRequirements()
  const deciding = new Map<string, Finding[]>()
  for (const finding of findings) {
    const [operation, ...others] = requirements.get(finding.requirement)?.operations ?? []
    if (operation === undefined || others.length > 0) continue
    const about = deciding.get(operation) ?? []
    const exists = existenceOf(operation)
    if (finding.requirement === exists) deciding.set(operation, [finding])
    else if (about[0]?.requirement !== exists) deciding.set(operation, [...about, finding])
  }
  return deciding
}

export function gradesOf(findings: readonly Finding[]): GradeCounts {
  const of = (wanted: Grade) => {
    const { counted, passed } = basisCountOf(findings.filter(isOfGrade(wanted)))
    return { counted, passed }
  }
  return { recommended: of('recommended'), family: of('family') }
}

export function isOfGrade(wanted: Grade): (finding: Finding) => boolean {
  return ({ grade = 'recommended' }) => grade === wanted
}
