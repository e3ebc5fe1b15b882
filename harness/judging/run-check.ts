/**
 * Runs one check and converts its result to a finding: the only place that interprets exceptions. Only an
 * `ExpectationError` counts against the server.
 *
 * @module
 */

import { lastWithIssuers } from '../../exchange/curl-lines.ts'
import type { Exchange } from '../../exchange/exchange.ts'
import { isExistence } from '../../spec/capability-operations.ts'
import type { Requirement } from '../../spec/vocabulary.ts'
import type { Check } from '../check.ts'
import { ConfigurationError, HarnessError, messageOf, StoppedError, TargetLostError } from '../errors.ts'
import { type AskedNames, askedNames } from '../explore/asked-names.ts'
import { proofSetting } from '../services/proof-setting.ts'
import type { Examples, Finding, Status } from '../vocabulary/finding.ts'
import type { RunError } from '../vocabulary/report.ts'
import type { RunSettings, Session } from '../vocabulary/session.ts'
import type { Wire } from '../vocabulary/wire.ts'
import type { RecordingScope } from '../wire/recorder.ts'
import { Attempts, again } from './attempts.ts'
import { blockerOf, missingOnTheWay, missingOperation } from './blockers.ts'
import { createContext } from './context/create-context.ts'
import { BlockedError, BrokenConnectionError, ExpectationError, UntestableError } from './expect.ts'
import { gate } from './gate.ts'
import { heldText } from './held-text.ts'
import { allowsDependents } from './is-overruled.ts'
import { lostTarget } from './lost-target.ts'
import {
  type FindingEvidence,
  makeFinding,
  replayCommand,
  replayOfCheck,
  shownExchanges,
  statusIn,
} from './make-finding.ts'
import { OutsideProperties } from './outside-properties.ts'
import { PropertyFailure } from './property-failure.ts'
import { parsePath, wrongPath } from './replay-path.ts'
import { seenNote } from './without-notes.ts'

export interface CheckOutcome {
  /** Absent if the check ended in an error of ours, or was stopped. */
  finding?: Finding
  error?: RunError
  /** Nothing more can be judged: the target is lost, the configuration is wrong, or the run was stopped. */
  end?: 'lost' | 'configuration' | 'stopped'
}

export interface CheckRun {
  /** Findings so far, by requirement: `after` is looked up here. */
  earlier: ReadonlyMap<string, Finding>
  signal?: AbortSignal
  /** `--path` */
  path?: string
}

const usualLimit = 120_000
/** Maximum number of exchanges in a finding, not counting earlier ones that issued an id or a token that these send. */
const mostExchanges = 40
/** Limit for a counterexample: it is shrunk, and useless without its beginning. */
const mostOfACounterexample = 200
/** Maximum number of reasons for a retry that a finding names. */
const mostReasons = 3
/** Milliseconds that a stopped check has to end on its own. */
const patience = 10_000

/**
 * The clean-up after the check may be the first to notice that the target is lost, and restarts it. Earlier findings
 * count; nothing more is judged.
 */
export async function runCheck(check: Check, session: Session, run: CheckRun): Promise<CheckOutcome> {
  const outcome = await judgeOnce(check, session, run)
  if (outcome.end !== 'lost' && (!session.died || outcome.end !== undefined)) return outcome
  const replay = replayCommand(session.options, check.id, run.path ?? '')
  const gone = new TargetLostError(outcome.error?.message)
  return { ...outcome, error: lostTarget(session, check.id, gone, replay), end: 'lost' }
}

async function judgeOnce(
  check: Check,
  session: Session,
  { earlier, signal, path }: CheckRun,
): Promise<CheckOutcome> {
  const requirement = session.requirements.get(check.id)
  if (requirement === undefined)
    return { error: { place: check.id, message: `unknown requirement "${check.id}": it is not in spec/` } }
  const begin = performance.now()
  const unsent = (status: Status, message: string, evidence: FindingEvidence): CheckOutcome => ({
    finding: makeFinding(session, requirement, { ...evidence, status, message, sent: 0, begin }),
  })
  const closed = gate(requirement, session)
  if (closed !== undefined) return unsent(closed.status, closed.message, { hint: closed.hint })
  for (const id of requirement.after) {
    const needed = earlier.get(id)
    if (needed !== undefined && !allowsDependents(needed))
      return unsent('blocked', `it depends on ${id}, which did not pass`, {
        hint: `fix ${id} first`,
        blockedBy: id,
      })
  }
  const missing = missingOperation(requirement, earlier)
  if (missing !== undefined) return unsent('blocked', needsMissing(missing), blockedByMissing(missing))

  const attempts = new Attempts(session, 'the check')
  const reasons = session.connections.reasons.length
  for (;;) {
    const outcome = await runOnce(check, requirement, session, attempts, { earlier, signal, path })
    if (outcome === again) continue
    const retried = retriedText(session.connections.reasons.slice(reasons))
    return outcome.finding === undefined || retried === undefined
      ? outcome
      : { ...outcome, finding: { ...outcome.finding, retried } }
  }
}

/** One run of a check, from fresh data to its clean-up. */
async function runOnce(
  check: Check,
  requirement: Requirement,
  session: Session,
  attempts: Attempts,
  { earlier, signal, path }: CheckRun,
): Promise<CheckOutcome | typeof again> {
  const begin = performance.now()
  const scope = session.recorder.open()
  const properties: { count: number; cutShort?: Examples } = { count: 0 }
  const finish: Finish = (status, message, evidence = {}) => {
    const { sent } = scope
    const result = { ...evidence, status, message, sent, begin, examples: properties.cutShort }
    return { finding: makeFinding(session, requirement, result) }
  }
  attempts.begin()
  const stop = new AbortController()
  const limit = session.options.checkTimeout ?? usualLimit
  const limited = startLimit(session, limit, () =>
    stop.abort(new HarnessError(`the check took longer than ${limit} ms`)),
  )
  const stopped = () => stop.abort(new StoppedError('the run was stopped'))
  if (signal?.aborted) stopped()
  signal?.addEventListener('abort', stopped, { once: true })
  const mark = session.cleanup.mark()
  session.signal = stop.signal
  session.check = check.id
  try {
    const context = createContext(session, requirement, {
      signal: stop.signal,
      properties,
      outside: new OutsideProperties(scope),
      run: attempts.runs,
      path,
    })
    await Promise.race([check.body(context), aborted(stop.signal, session.options.timeout ?? patience)])
    if (session.died) throw new TargetLostError()
    if (path !== undefined && parsePath(path).property >= properties.count)
      throw wrongPath(`leads to a property that ${check.id} does not have`, path)
    const status = statusIn(session, requirement, true)
    return status === 'pass' ? finish(status, '') : finish(status, heldText(true), { held: true })
  } catch (error) {
    if (session.died) return lost(check.id, new TargetLostError())
    const { aborted: over, reason } = stop.signal
    const finalError = over ? error : attempts.outcome(error)
    if (finalError === again) return again
    const countsAgainstServer =
      finalError instanceof ExpectationError && !(reason instanceof StoppedError && isOpen(finalError))
    const decisive = over && !countsAgainstServer ? reason : finalError
    return outcomeOf(decisive, session, { requirement, scope, earlier, finish })
  } finally {
    limited.end()
    signal?.removeEventListener('abort', stopped)
    scope.close()
    attempts.settle()
    // The signal stays aborted: an unawaited branch of the check must not create anything after this.
    await session.settled()
    const lossesBefore = session.losses.length
    await session.recorder.silently(() => session.cleanup.cleanTo(mark))
    // If the target was lost before, the clean-up is not the cause.
    if (lossesBefore > 0) session.losses.length = lossesBefore
  }
}

/** A stopped run does not retry, so the cause stays unknown. */
function isOpen(error: ExpectationError): boolean {
  return error instanceof BrokenConnectionError && !error.confirmed
}

/** Undefined if nothing was run again. */
function retriedText(reasons: readonly string[]): string | undefined {
  if (reasons.length === 0) return undefined
  const more = reasons.length - mostReasons
  return `${reasons.slice(0, mostReasons).join('; ')}${more > 0 ? `; and ${more} more` : ''}`
}

const lost = (place: string, { message }: TargetLostError): CheckOutcome => ({
  error: { place, message },
  end: 'lost',
})

type Finish = (status: Status, message: string, evidence?: FindingEvidence) => CheckOutcome

/** One run of a check that ended in an error. */
interface FailedRun extends Pick<CheckRun, 'earlier'> {
  requirement: Requirement
  scope: RecordingScope
  finish: Finish
}

function outcomeOf(error: unknown, session: Wire & RunSettings, run: FailedRun): CheckOutcome {
  const { requirement, scope, earlier, finish } = run
  const missing = missingOnTheWay(requirement, decidingExchanges(error, scope), earlier)
  if (missing !== undefined) {
    const { operation, status, existence } = missing
    const { note, ...shown } = lastExchanges(session, scope)
    return existence === undefined
      ? finish('blocked', `it needs ${operation}, which returned ${status}${note}`, shown)
      : finish('blocked', needsMissing(existence) + note, { ...blockedByMissing(existence), ...shown })
  }
  const asked = namesAskedFor(error, session, scope)
  if (asked !== undefined) {
    const { note, ...shown } = lastExchanges(session, scope)
    const message = `the response ${asked.words}; the document does not show these names`
    return finish('untestable', message + note, { hint: `target file: ${asked.line}`, ...shown })
  }
  if (error instanceof PropertyFailure) return outcomeOfProperty(error, session, run)
  if (error instanceof ExpectationError) return outcomeOfExpectation(error, session, run)
  if (error instanceof BlockedError) return outcomeOfBlocked(error, session, run)
  if (error instanceof UntestableError)
    return finish('untestable', error.message, { hint: error.hint === '' ? undefined : error.hint })
  if (error instanceof StoppedError) return { end: 'stopped' }
  const message = session.redactor.message(messageOf(error))
  const stack =
    error instanceof Error && error.stack !== undefined
      ? { stack: session.redactor.message(error.stack) }
      : {}
  if (error instanceof TargetLostError) return lost(requirement.id, new TargetLostError(message))
  if (error instanceof ConfigurationError)
    return { error: { place: requirement.id, message }, end: 'configuration' }
  return { error: { place: requirement.id, message, ...stack } }
}

/** Shows the counterexample. */
function outcomeOfProperty(
  { failure, counterexample }: PropertyFailure,
  session: Wire & RunSettings,
  { requirement, finish }: FailedRun,
): CheckOutcome {
  const { path, runs, example, requests, exchanges } = counterexample
  const { note, ...shown } = shownExchanges(session, exchanges.slice(-mostOfACounterexample), requests)
  return finish(statusIn(session, requirement, false), failure.message + note, {
    expected: failure.expected,
    received: failure.received,
    breaks: failure.breaks,
    rejected: failure.rejected || undefined,
    hint: doubtOf(session, requirement),
    ...shown,
    replay: {
      seed: session.options.seed,
      path,
      command: replayCommand(session.options, requirement.id, path),
      runs,
      example: session.redactor.message(example).slice(0, 1_500),
    },
  })
}

function outcomeOfExpectation(
  { message, expected, received, exchanges, breaks, seenIn, rejected }: ExpectationError,
  session: Wire & RunSettings,
  { requirement, scope, finish }: FailedRun,
): CheckOutcome {
  const { note, ...shown } =
    exchanges === undefined
      ? lastExchanges(session, scope)
      : shownExchanges(session, exchanges, exchanges.length)
  const seen = seenIn === undefined ? '' : seenNote(seenIn)
  return finish(statusIn(session, requirement, false), message + seen + note, {
    expected,
    received,
    breaks,
    seenIn,
    rejected: rejected || undefined,
    hint: doubtOf(session, requirement),
    ...shown,
    replay: replayOfCheck(session.options, requirement.id, seenIn),
  })
}

/** The reason to doubt a failure: the run may have taken the wrong word of an email for its proof. */
function doubtOf({ proofs }: Wire, { id }: Requirement): string | undefined {
  const kind = proofs.doubtIn(id)
  if (kind === undefined) return undefined
  const [what, word] = kind === 'code' ? ['code', '$CODE'] : ['token', '$PROOF']
  return `the ${what} in the email was recognized by its form. If it is not ${word}, ${proofSetting(kind)}`
}

function outcomeOfBlocked(
  { message }: BlockedError,
  session: Wire & RunSettings,
  { scope, earlier, finish }: FailedRun,
): CheckOutcome {
  const { note, ...shown } = lastExchanges(session, scope)
  const blockedBy = blockerOf(scope.exchanges, earlier, session.requirements)
  // Then this is the reason, whatever the response: not even a superuser would see more.
  return blockedBy !== undefined && isExistence(blockedBy)
    ? finish('blocked', needsMissing(blockedBy) + note, { ...blockedByMissing(blockedBy), ...shown })
    : finish('blocked', message + note, { blockedBy, ...shown })
}

/** The last exchanges of a run of a check, and those that they build on, as its finding shows them. */
function lastExchanges(session: Wire, { exchanges, requests }: RecordingScope) {
  return shownExchanges(session, lastWithIssuers(exchanges, mostExchanges), requests)
}

/** @param existence of an operation: the requirement that failed */
function needsMissing(existence: string): string {
  return `it needs an operation that does not exist: ${existence} failed`
}

function blockedByMissing(existence: string): FindingEvidence {
  return { hint: `fix ${existence} first`, blockedBy: existence }
}

/** The exchanges that ended a failed check; none where it is about others, such as those of other checks. */
function decidingExchanges(error: unknown, scope: RecordingScope): readonly Exchange[] {
  if (error instanceof PropertyFailure) return error.counterexample.exchanges
  return error instanceof ExpectationError && error.exchanges === undefined ? scope.exchanges : []
}

/** What the last response of a failed check asks for in addition: then the request was not the one that the server takes. */
function namesAskedFor(
  error: unknown,
  { target }: Wire,
  { exchanges }: RecordingScope,
): AskedNames | undefined {
  const last = exchanges.at(-1)
  return error instanceof ExpectationError && error.exchanges === undefined && last !== undefined
    ? askedNames(target, last)
    : undefined
}

/** Waiting for the tester's `--rate` or the server's own rate limits does not count. */
function startLimit({ transport }: Wire, limit: number, over: () => void): { end(): void } {
  const end = performance.now() + limit - transport.waited()
  let timer: NodeJS.Timeout | undefined
  const look = () => {
    const left = end + transport.waited() - performance.now()
    if (left <= 0) over()
    else timer = setTimeout(look, left)
  }
  look()
  return { end: () => clearTimeout(timer) }
}

/** Rejects some time after the signal: a check that sends requests ends on its own at the next one. */
function aborted(signal: AbortSignal, milliseconds: number): Promise<never> {
  return new Promise((_resolve, reject) => {
    const later = () => void setTimeout(() => reject(signal.reason), milliseconds).unref()
    if (signal.aborted) later()
    else signal.addEventListener('abort', later, { once: true })
  })
}
