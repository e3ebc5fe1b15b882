/**
 * The summary lines of a verdict. Pure.
 *
 * @module
 */

import { countOf } from '../../spec/count-of.ts'
import type { Finding } from '../vocabulary/finding.ts'
import type { RunError } from '../vocabulary/report.ts'
import type { BasisCount, Share, Verdict } from '../vocabulary/verdict.ts'
import { isOfGrade, knownFailures } from './basis-counts.ts'

/** What was counted, and the findings that the lines name. */
interface LineFacts extends Pick<Verdict, 'document' | 'profile'> {
  ofDocument: readonly Finding[]
  ofProfile: readonly Finding[]
  /** Those of the profile that the target claims. */
  inClaim: readonly Finding[]
  strict: boolean
  /** Whether an error ended the run. */
  ended: boolean
  /** Whether the run was stopped before its end. */
  stopped: boolean
  /** Numbers of selected requirements without a finding. */
  notRun: { document: number; profile: number }
}

/** One line for each basis, and one for each other fact that a reader must not miss. */
export function verdictLines({
  document,
  profile,
  ofDocument,
  ofProfile,
  inClaim,
  strict,
  ended,
  stopped,
  notRun,
}: LineFacts): string[] {
  const lines: string[] = []
  // A selection may contain no requirement of one basis. If it is empty, the document's line says that nothing was judged.
  if (ofDocument.length > 0 || ofProfile.length === 0)
    lines.push(
      ended
        ? unjudgedLine('document', document, notRun.document)
        : documentLine(document, { exceptions: knownFailures(ofDocument, strict), strict, stopped }),
    )
  if (ofProfile.length > 0)
    lines.push(
      ended && profile.claimed
        ? unjudgedLine(`${profile.name} profile`, profile, notRun.profile)
        : profileLine(profile, ofProfile, inClaim, strict),
    )
  const serverError = serverErrorLine([...ofDocument, ...ofProfile])
  if (serverError !== undefined) lines.push(serverError)
  const known = [...ofDocument, ...inClaim].filter((finding) => finding.known !== undefined)
  if (known.length > 0) lines.push(knownLine(known))
  return lines
}

/** Only a complete run shows that a server is conformant: the line of another one says that nothing failed. */
function documentLine(
  { share, ...count }: Verdict['document'],
  { exceptions, strict, stopped }: { exceptions: number } & Pick<LineFacts, 'strict' | 'stopped'>,
): string {
  const judged = count.counted + exceptions
  if (judged === 0) return withOpen('document: not judged', count)
  const broken = count.failed > 0 || (strict && count.warned > 0)
  const isOpen = stopped || count.blocked + count.untestable > 0
  const unbroken = isOpen ? 'no failures' : share === undefined ? 'conformant' : 'conformant in part'
  const whole = broken ? 'non-conformant' : unbroken
  // What is known is not counted, but a server that fails is not conformant.
  const word = exceptions === 0 || broken ? whole : `${whole} except ${countOf(exceptions, 'known failure')}`
  const warned = count.warned > 0 ? `, ${count.warned} warned` : ''
  const line = `document: ${word} ${count.passed}/${judged}${warned}`
  if (share === undefined) return withOpen(line, count)
  return withOpen(`${line}: ${shareText(share)}`, { ...count, notApplicable: 0 })
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
export function errorLines(errors: readonly RunError[]): string[] {
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

/** As in "8 of 19 operations, 110 of 167 requirements". */
function shareText({ operations, requirements }: Share): string {
  const parts = [
    ...(operations === undefined ? [] : [`${operations.present} of ${operations.of} operations`]),
    `${requirements.applicable} of ${requirements.of} requirements`,
  ]
  return parts.join(', ')
}

function withOpen(line: string, { blocked, untestable, notApplicable }: BasisCount): string {
  const parts = [
    blocked > 0 ? `${blocked} blocked` : '',
    untestable > 0 ? `${untestable} untestable` : '',
    notApplicable > 0 ? `${notApplicable} not applicable` : '',
  ].filter((part) => part !== '')
  return parts.length === 0 ? line : `${line} (${parts.join(', ')})`
}
