/**
 * The verdict: one function from findings to outcome, exit code and summary lines. Every command uses it.
 *
 * @module
 */

import { defined } from '../support/defined.ts'
import type { Finding } from '../vocabulary/finding.ts'
import type { RunError } from '../vocabulary/report.ts'
import type { Claim } from '../vocabulary/target.ts'
import type { BasisCount, Verdict } from '../vocabulary/verdict.ts'
import { basisCountOf, gradesOf, shareOf } from './basis-counts.ts'
import { errorLines, verdictLines } from './verdict-lines.ts'

export interface VerdictFacts {
  findings: readonly Finding[]
  errors?: readonly RunError[]
  /** What the target claims to follow. @default nothing */
  claim?: Pick<Claim, 'profile' | 'follows'>
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
export function verdictOf(facts: VerdictFacts): Verdict {
  const { findings, errors = [], claim = {}, strict = false, problems = [], traffic } = facts
  const ofDocument = findings.filter(({ basis }) => basis !== 'profile')
  const ofProfile = findings.filter(({ basis }) => basis === 'profile')
  const { follows } = claim
  const inClaim =
    follows === undefined ? ofProfile : ofProfile.filter(({ requirement }) => follows.includes(requirement))
  const document = defined({ ...basisCountOf(ofDocument), share: shareOf(ofDocument) })
  const profile = {
    ...basisCountOf(inClaim),
    name: profileName(claim),
    claimed: claim.profile !== undefined,
    grades: gradesOf(inClaim),
  }
  const others = basisCountOf(ofProfile.filter((finding) => !inClaim.includes(finding)))
  const judgeable = ofDocument.length + (profile.claimed ? inClaim.length : 0)
  const { outcome, exitCode, reasons } = decisionOf(facts, { document, profile, others, judgeable })
  const lines = verdictLines({
    document,
    profile,
    ofDocument,
    ofProfile,
    inClaim,
    strict,
    ended: errors.length > 0,
    stopped: facts.stopped ?? false,
    notRun: facts.notRun ?? { document: 0, profile: 0 },
  })
  for (const problem of problems) lines.push(`baseline: ${problem}`)
  if (traffic !== undefined) lines.push(traffic.line, ...traffic.problems)
  return { outcome, exitCode, document, profile, lines: [...lines, ...reasons] }
}

function profileName({ profile, follows }: Pick<Claim, 'profile' | 'follows'>): string {
  if (profile === undefined || follows === undefined) return 'standard'
  return profile === 'recommended' ? profile : `"${profile}"`
}

interface Counts extends Pick<Verdict, 'document' | 'profile'> {
  /** Of the profile, without what the target claims. */
  others: BasisCount
  /** Number of findings that can decide. */
  judgeable: number
}

interface Decision extends Pick<Verdict, 'outcome' | 'exitCode'> {
  /** Lines for what the counts do not show. */
  reasons: readonly string[]
}

/** The first of these that applies decides. */
function decisionOf(
  {
    errors = [],
    strict = false,
    stopped = false,
    stopReason = 'the run was stopped before it was complete',
    problems = [],
    traffic,
  }: VerdictFacts,
  { document, profile, others, judgeable }: Counts,
): Decision {
  const nonConformant = (...reasons: string[]): Decision => ({
    outcome: 'non-conformant',
    exitCode: 1,
    reasons,
  })
  const incomplete = (why: string): Decision => ({
    outcome: 'incomplete',
    exitCode: 3,
    reasons: [`incomplete: ${why}`],
  })
  const conformant: Decision = { outcome: 'conformant', exitCode: 0, reasons: [] }
  if (errors.length > 0) return { outcome: 'error', exitCode: 2, reasons: errorLines(errors) }
  const both = [document, profile]
  const broken = both.some(({ failed, warned }) => failed > 0 || (strict && warned > 0))
  if (broken || problems.length > 0)
    return nonConformant(...(stopped ? [`stopped early: ${stopReason}`] : []))
  // In traffic, a response without requirements of its own also conforms.
  if (traffic?.nothing !== undefined) return incomplete(traffic.nothing)
  if (traffic !== undefined) return traffic.problems.length > 0 ? nonConformant() : conformant
  if (stopped) return incomplete(stopReason)
  const isJudged = ({ counted, known = 0 }: BasisCount) => counted + known > 0
  if (![...both, others].some((each) => isJudged(each) || each.observed > 0))
    return incomplete('no check was executed')
  // Unresolved profile requirements matter only if the profile is claimed: the document's verdict never depends on
  // what the document does not say.
  const open = (profile.claimed ? both : [document]).reduce(
    (sum, { blocked, untestable }) => sum + blocked + untestable,
    0,
  )
  if (open > 0) return incomplete(`${open} of ${judgeable} requirements could not be judged`)
  if (!both.some(isJudged)) {
    const next = profile.claimed ? '' : `; to judge it, add --profile ${profile.name}`
    return incomplete(`nothing was judged, behavior was only observed${next}`)
  }
  return conformant
}
