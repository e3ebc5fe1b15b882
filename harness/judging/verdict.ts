/**
 * The verdict: one function from findings to outcome, exit code and summary lines. Every command uses it.
 *
 * @module
 */

import { defined } from '../support/defined.ts'
import type { Finding } from '../vocabulary/finding.ts'
import type { RunError } from '../vocabulary/report.ts'
import type { BasisCount, Verdict } from '../vocabulary/verdict.ts'
import { basisCountOf, gradesOf, shareOf } from './basis-counts.ts'
import { errorLines, verdictLines } from './verdict-lines.ts'

export interface VerdictFacts {
  findings: readonly Finding[]
  errors?: readonly RunError[]
  /** Name of the profile, whether the target claims it, and the requirements of the claim if it is partial. */
  profile: { name: string; claimed: boolean; follows?: readonly string[] }
  /** Warnings count like failures. */
  strict?: boolean
  /** The run was stopped before its end. */
  stopped?: boolean
  /** Why it was stopped, unless the tester stopped it. */
  stopReason?: string
  /** Numbers of selected requirements without a finding: an error ended the run before them. */
  notRun?: { document: number; profile: number }
  /** Problems of the baseline. */
  problems?: readonly string[]
  /** Of validated traffic: how much there was, what else makes it non-conformant, and why nothing was validated. */
  traffic?: { line: string; problems: readonly string[]; nothing?: string }
}

/**
 * Exit codes: 0 conformant · 1 non-conformant · 2 an error of ours, of the configuration or of the connection ·
 * 3 incomplete. "Read the result" in README.md has the rules.
 */
export function verdictOf({
  findings,
  errors = [],
  profile,
  strict = false,
  stopped = false,
  stopReason = 'the run was stopped before it was complete',
  notRun = { document: 0, profile: 0 },
  problems = [],
  traffic,
}: VerdictFacts): Verdict {
  const ofDocument = findings.filter(({ basis }) => basis !== 'profile')
  const document = defined({ ...basisCountOf(ofDocument), share: shareOf(ofDocument) })
  const ofProfile = findings.filter(({ basis }) => basis === 'profile')
  const { follows, ...named } = profile
  const claimed =
    follows === undefined ? ofProfile : ofProfile.filter(({ requirement }) => follows.includes(requirement))
  const profileCount = basisCountOf(claimed)
  const others = basisCountOf(ofProfile.filter((finding) => !claimed.includes(finding)))
  const both = [document, profileCount]
  const broken = both.some(({ failed, warned }) => failed > 0 || (strict && warned > 0))
  // Unresolved profile requirements matter only if the profile is claimed: the document's verdict never depends on
  // what the document does not say.
  const open = (profile.claimed ? both : [document]).reduce(
    (sum, { blocked, untestable }) => sum + blocked + untestable,
    0,
  )
  const judgeable = ofDocument.length + (profile.claimed ? claimed.length : 0)
  const judged = ({ counted, known = 0 }: BasisCount) => counted + known > 0
  const executed = [...both, others].some((each) => judged(each) || each.observed > 0)
  const ofClaim = { ...profileCount, ...named, grades: gradesOf(claimed) }
  const ended = errors.length > 0
  const lines = verdictLines({
    document,
    profile: ofClaim,
    ofDocument,
    ofProfile,
    inClaim: claimed,
    strict,
    ended,
    notRun,
  })
  for (const problem of problems) lines.push(`baseline: ${problem}`)
  if (traffic !== undefined) lines.push(traffic.line, ...traffic.problems)
  const decide = (
    outcome: Verdict['outcome'],
    exitCode: Verdict['exitCode'],
    ...reasons: string[]
  ): Verdict => ({
    outcome,
    exitCode,
    document,
    profile: ofClaim,
    lines: [...lines, ...reasons],
  })
  if (ended) return decide('error', 2, ...errorLines(errors))
  if (broken || problems.length > 0)
    return decide('non-conformant', 1, ...(stopped ? [`stopped early: ${stopReason}`] : []))
  // In traffic, a response without requirements of its own also conforms.
  if (traffic?.nothing !== undefined) return decide('incomplete', 3, `incomplete: ${traffic.nothing}`)
  if (traffic !== undefined)
    return traffic.problems.length > 0 ? decide('non-conformant', 1) : decide('conformant', 0)
  if (stopped) return decide('incomplete', 3, `incomplete: ${stopReason}`)
  if (!executed) return decide('incomplete', 3, 'incomplete: no check was executed')
  if (open > 0)
    return decide('incomplete', 3, `incomplete: ${open} of ${judgeable} requirements could not be judged`)
  if (!both.some(judged)) {
    const next = profile.claimed ? '' : `; to judge it, add --profile ${profile.name}`
    return decide('incomplete', 3, `incomplete: nothing was judged, behavior was only observed${next}`)
  }
  return decide('conformant', 0)
}
