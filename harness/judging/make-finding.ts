/**
 * Makes the finding of a requirement: its status, its evidence, and the command that reproduces it.
 *
 * @module
 */

import { shellQuoted } from '../../exchange/curl.ts'
import { curlLines } from '../../exchange/curl-lines.ts'
import type { Exchange } from '../../exchange/exchange.ts'
import { sourceOf } from '../../spec/requirements.ts'
import type { Requirement } from '../../spec/vocabulary.ts'
import { statusOf } from '../../validate/status-of.ts'
import { defined } from '../support/defined.ts'
import type { Finding, Replay, Status } from '../vocabulary/finding.ts'
import type { SessionOptions } from '../vocabulary/options.ts'
import type { RunSettings } from '../vocabulary/session.ts'
import type { Wire } from '../vocabulary/wire.ts'
import { omittedNote } from './without-notes.ts'

const longestValue = 600

/** What a check adds to its finding. All else comes from the requirement and the run. */
export type FindingEvidence = Partial<
  Pick<
    Finding,
    | 'held'
    | 'hint'
    | 'blockedBy'
    | 'breaks'
    | 'seenIn'
    | 'rejected'
    | 'expected'
    | 'received'
    | 'exchanges'
    | 'leftOut'
    | 'replay'
    | 'examples'
  >
>

/** What a check found out about its requirement, before it is redacted. */
interface CheckResult extends FindingEvidence {
  status: Status
  message: string
  /** Number of requests that were sent for it. */
  sent: number
  /** When the check began, on the clock of `performance.now`. */
  begin: number
}

/** Builds a finding with its statement, source and redacted strings. */
export function makeFinding(
  { redactor, options }: Pick<Wire, 'redactor'> & Pick<RunSettings, 'options'>,
  requirement: Requirement,
  { status, message, sent, begin, expected, received, ...evidence }: CheckResult,
): Finding {
  const { exchanges = [] } = evidence
  return defined({
    requirement: requirement.id,
    statement: requirement.statement,
    level: requirement.level,
    basis: requirement.basis,
    grade: requirement.grade,
    security: requirement.security,
    source: sourceOf(requirement),
    status,
    held: status === 'observed' ? false : undefined,
    message: redactor.fact(message),
    expected: expected ? cut(redactor.fact(expected)) : undefined,
    received: received ? cut(redactor.fact(received)) : undefined,
    ...evidence,
    exchanges,
    curl: linesOf(exchanges, options),
    requests: sent,
    ms: Math.round(performance.now() - begin),
  })
}

/** The exchanges as curl lines that trust what the run trusts. */
export function linesOf(exchanges: readonly Exchange[], { caFile }: SessionOptions): string[] {
  return curlLines(exchanges, caFile === undefined ? {} : { caFile: '$NODE_EXTRA_CA_CERTS' })
}

function cut(text: string): string {
  return text.length > longestValue ? `${text.slice(0, longestValue)}… (${text.length} characters)` : text
}

/** The status of a requirement that the target of a run meets, or does not. */
export function statusIn({ target }: Pick<Wire, 'target'>, requirement: Requirement, held: boolean): Status {
  const { id, level, basis } = requirement
  const claimed =
    basis !== 'profile' ||
    (target.profile !== undefined && (target.follows === undefined || target.follows.includes(id)))
  return statusOf(held, level, basis, claimed)
}

/** The exchanges that a finding shows, as far as they may be kept. */
interface ShownExchanges {
  exchanges: Exchange[]
  /** Number of those that it does not show; undefined if it shows all. */
  leftOut: number | undefined
  /** What the message says about them: empty, or with a space before it. */
  note: string
}

/** @param total number of requests that were sent, including those before these exchanges */
export function shownExchanges(
  { evidence }: Pick<Wire, 'evidence'>,
  last: readonly Exchange[],
  total: number,
): ShownExchanges {
  const exchanges = evidence.take(last)
  const leftOut = total - exchanges.length
  return leftOut > 0
    ? { exchanges, leftOut, note: omittedNote(leftOut) }
    : { exchanges, leftOut: undefined, note: '' }
}

/** The replay of a finding without a property: runs the check, and the one that sent the deciding request. */
export function replayOfCheck(options: SessionOptions, id: string, seenIn: string | undefined): Replay {
  const checks = seenIn === undefined ? id : `${id},${seenIn}`
  return { seed: options.seed, path: '', command: replayCommand(options, checks, '') }
}

/** The command line that reproduces the finding on the same target. */
export function replayCommand(
  { seed, invocation, caFile }: SessionOptions,
  id: string,
  path: string,
): string {
  const trusted = caFile === undefined ? '' : `NODE_EXTRA_CA_CERTS=${shellQuoted(caFile)} `
  const target = invocation === undefined || invocation === '' ? '' : ` ${invocation}`
  return `${trusted}npx conformance${target}${id === '' ? '' : ` --only ${id}`} --seed ${seed}${path === '' ? '' : ` --path '${path}'`}`
}
