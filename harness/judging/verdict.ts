/**
 * The verdict: one pure function from findings to outcome, exit code and summary lines. Every command uses it.
 *
 * @module
 */

import { existenceOf } from '../../spec/capability-operations.ts'
import { countOf } from '../../spec/count-of.ts'
import { loadRequirements } from '../../spec/requirements.ts'
import type { Grade } from '../../spec/vocabulary.ts'
import { defined } from '../support/defined.ts'
import type { Finding } from '../vocabulary/finding.ts'
import type { RunError } from '../vocabulary/report.ts'
import type { BasisCount, GradeCounts, Share, Verdict } from '../vocabulary/verdict.ts'

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
  const grades = gradesOf(claimed)
  // A selection may contain no requirement of one basis. If it is empty, the document's line says that nothing was judged.
  const ended = errors.length > 0
  const lines = [
    ...(ofDocument.length > 0 || ofProfile.length === 0
      ? [
          ended
            ? unjudgedLine('document', document, notRun.document)
            : documentLine(document, knownFailures(ofDocument, strict), strict),
        ]
      : []),
    ...(ofProfile.length > 0
      ? [
          ended && profile.claimed
            ? unjudgedLine(`${profile.name} profile`, profileCount, notRun.profile)
            : profileLine({ ...profileCount, ...named, grades }, ofProfile, claimed, strict),
        ]
      : []),
  ]
  const serverError = serverErrorLine(findings)
  if (serverError !== undefined) lines.push(serverError)
  const known = [...ofDocument, ...claimed].filter((finding) => finding.known !== undefined)
  if (known.length > 0) lines.push(knownLine(known))
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
    profile: { ...profileCount, ...named, grades },
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

/** Characters of a URL in a line. */
const longestUrl = 120

/** The request to which the server returned a 5xx status, if that is only a warning. */
function serverErrorLine(findings: readonly Finding[]): string | undefined {
  const finding = findings.find(({ requirement }) => requirement === 'wire.no-5xx')
  if (finding?.status !== 'warn' || finding.known !== undefined) return undefined
  const { request, response } = finding.exchanges.at(-1) ?? {}
  if (request === undefined || response === undefined) return undefined
  const { method, url } = request
  const shown = url.length > longestUrl ? `${url.slice(0, longestUrl)}…` : url
  return `server error: ${method} ${shown} returned ${response.status}`
}

/** The server may be the cause of a lost target. All other errors are certainly not caused by the server. */
function errorLines(errors: readonly RunError[]): string[] {
  const lost = errors.filter((error) => error.lost === true)
  const notRead = errors.filter((error) => error.unread === true)
  const unread = notRead.reduce((sum, { entries = 1 }) => sum + entries, 0)
  const ours = errors.length - lost.length - notRead.length
  const lines: string[] = []
  if (lost.length > 0) {
    const places = lost.map(({ place }) => place).join(' and ')
    const requests = lost.reduce((sum, { curl = [] }) => sum + curl.length, 0)
    const [which, them] =
      requests > 1 ? ['those requests', 'one of them crashes'] : ['that request', 'it crashes']
    lines.push(
      `error: the target stopped responding in ${places}; replay ${which} to see whether ${them} the server`,
    )
  }
  if (unread > 0) lines.push(`error: ${unread} ${unread === 1 ? 'entry' : 'entries'} could not be read`)
  if (ours > 0) {
    const places = ours === 1 ? 'one place' : `${ours} places`
    lines.push(`error: the suite itself failed in ${places}; this says nothing about the server`)
  }
  return lines
}

/** How often each status occurs. */
function basisCountOf(findings: readonly Finding[]): BasisCount {
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

/** The part of the document that remains if the target declares a part absent. Undefined if it declares nothing. */
function shareOf(findings: readonly Finding[]): Share | undefined {
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

/** `known: 3 failures and 1 warning in the baseline, not counted`. */
function knownLine(known: readonly Finding[]): string {
  const warned = known.filter(({ status }) => status === 'warn').length
  const failed = known.length - warned
  const parts = [
    ...(failed > 0 ? [countOf(failed, 'failure')] : []),
    ...(warned > 0 ? [countOf(warned, 'warning')] : []),
  ]
  return `known: ${parts.join(' and ')} in the baseline, not counted`
}

/** Number of findings that would count as failures if the baseline did not list them. */
export function knownFailures(findings: readonly Finding[], strict: boolean): number {
  return findings.filter(
    ({ status, known }) => known !== undefined && (status === 'fail' || (strict && status === 'warn')),
  ).length
}

function documentLine({ share, ...count }: Verdict['document'], exceptions: number, strict: boolean): string {
  const judged = count.counted + exceptions
  if (judged === 0) return withOpen('document: not judged', count)
  const broken = count.failed > 0 || (strict && count.warned > 0)
  const whole = broken ? 'non-conformant' : share === undefined ? 'conformant' : 'conformant in part'
  // What is known is not counted, but a server that fails is not conformant.
  const word = exceptions === 0 || broken ? whole : `${whole} except ${countOf(exceptions, 'known failure')}`
  const warned = count.warned > 0 ? `, ${count.warned} warned` : ''
  const line = `document: ${word} ${count.passed}/${judged}${warned}`
  if (share === undefined) return withOpen(line, count)
  return withOpen(`${line}: ${shareText(share)}`, { ...count, notApplicable: 0 })
}

/**
 * After an error there is no verdict about the server (exit code 2): the line says what was seen until then. What failed
 * remains a failure.
 */
function unjudgedLine(what: string, count: BasisCount, notRun: number): string {
  const { passed, failed, warned, known = 0, blocked, untestable } = count
  const judged = count.counted + known
  const parts = [
    ...(judged > 0 ? [`${passed} of ${judged} passed${notRun > 0 ? ' so far' : ''}`] : []),
    ...Object.entries({ failed, warned, known, blocked, untestable, 'not run': notRun }).flatMap(
      ([word, number]) => (number > 0 ? [`${number} ${word}`] : []),
    ),
  ].join(', ')
  const seen = `${notRun > 0 ? 'stopped; ' : ''}${parts}`
  return `${what}: not judged${seen === '' ? '' : ` (${seen})`}`
}

/** As in "8 of 19 operations, 110 of 167 requirements". */
function shareText({ operations, requirements }: Share): string {
  const parts = [
    ...(operations === undefined ? [] : [`${operations.present} of ${operations.of} operations`]),
    `${requirements.applicable} of ${requirements.of} requirements`,
  ]
  return parts.join(', ')
}

function gradesOf(findings: readonly Finding[]): GradeCounts {
  const of = (wanted: Grade) => {
    const { counted, passed } = basisCountOf(findings.filter(isOfGrade(wanted)))
    return { counted, passed }
  }
  return { recommended: of('recommended'), family: of('family') }
}

function isOfGrade(wanted: Grade): (finding: Finding) => boolean {
  return ({ grade = 'recommended' }) => grade === wanted
}

function profileLine(
  profile: Verdict['profile'],
  findings: readonly Finding[],
  inClaim: readonly Finding[],
  strict: boolean,
): string {
  const { claimed, grades, ...count } = profile
  const name = `${count.name} profile`
  const observed = findings.filter(({ status }) => status === 'observed')
  const same = observed.filter(({ held }) => held).length
  if (!claimed) {
    const seen = observed.length === 1 ? 'behavior matches' : 'behaviors match'
    const matching = observed.length === 0 ? '' : `; ${same} of ${observed.length} observed ${seen} it`
    return withOpen(`${name}: not claimed${matching}`, count)
  }
  const exceptions = knownFailures(inClaim, strict)
  if (count.counted + exceptions === 0) return withOpen(`${name}: not judged`, count)
  const differ = count.failed + (strict ? count.warned : 0)
  const parts = [`${name}: ${count.passed}/${count.counted + exceptions}`]
  const [recommended = 0, family = 0] = (['recommended', 'family'] as const).map(
    (grade) => grades[grade].counted + knownFailures(inClaim.filter(isOfGrade(grade)), strict),
  )
  if (recommended > 0 && family > 0)
    parts.push(
      `recommended ${grades.recommended.passed}/${recommended}, family ${grades.family.passed}/${family}`,
    )
  if (differ > 0) parts.push(`${differ} differ`)
  if (exceptions > 0) parts.push(`${exceptions} known to differ`)
  if (!strict && count.warned > 0) parts.push(`${count.warned} warned`)
  if (observed.length > 0) parts.push(`${same} of ${observed.length} others match it`)
  return withOpen(parts.join(', '), count)
}

function withOpen(line: string, { blocked, untestable, notApplicable }: BasisCount): string {
  const parts = [
    blocked > 0 ? `${blocked} blocked` : '',
    untestable > 0 ? `${untestable} untestable` : '',
    notApplicable > 0 ? `${notApplicable} not applicable` : '',
  ].filter((part) => part !== '')
  return parts.length === 0 ? line : `${line} (${parts.join(', ')})`
}
