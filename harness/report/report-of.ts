/**
 * The report of a run: what its workers reported, with the baseline, the declarations of the target file and the verdict.
 *
 * @module
 */

import { coverageOf } from '../../validate/coverage/coverage-report.ts'
import type { EngineResult } from '../engine/engine-result.ts'
import { messageOf } from '../errors.ts'
import { applyBaseline } from '../judging/baseline.ts'
import { withNotApplicable } from '../judging/not-applicable.ts'
import { verdictOf } from '../judging/verdict.ts'
import type { PreparedRun } from '../planning/prepare-run.ts'
import { defined } from '../support/defined.ts'
import { packageFacts } from '../support/package-facts.ts'
import type { Finding } from '../vocabulary/finding.ts'
import type { Leftover, RunReport, Smoke } from '../vocabulary/report.ts'

/**
 * Undoes the setup of the run, and builds its report.
 *
 * @param early why the run ended before its time, where a budget ended it
 */
export async function reportOf(
  { options, started, seed, requirements, checks, known, prepared, undo }: PreparedRun,
  { findings: found, errors, stopped, requests, smoke = noSmoke, ...evidence }: EngineResult,
  early: { stopReason?: string } = {},
): Promise<RunReport> {
  const { target, notes, noJournal } = prepared
  const { name, version } = packageFacts()
  const undone = await undo().then(
    () => [],
    (error: unknown) => [{ table: 'setup', id: target.name ?? target.baseUrl, reason: messageOf(error) }],
  )
  const planned = new Set(checks.map(({ id }) => id))
  const today = started.toISOString().slice(0, 10)
  const {
    findings,
    problems,
    known: knownCount,
  } = applyBaseline(
    withNotApplicable(inOrder(found, checks), target.notApplicable ?? {}, requirements),
    known,
    today,
    (id) => planned.has(id) && !stopped && errors.length === 0,
  )
  const seen = new Set(findings.map(({ requirement }) => requirement))
  const unseen = checks.filter(({ id }) => !seen.has(id)).map(({ id }) => requirements.get(id)?.basis)
  const ofProfile = unseen.filter((basis) => basis === 'profile').length
  const verdict = verdictOf({
    findings,
    errors,
    claim: target,
    strict: options.strict === true,
    stopped,
    notRun: { document: unseen.length - ofProfile, profile: ofProfile },
    problems,
    ...early,
  })
  const {
    leftovers,
    foreign: leftAlone,
    unlisted,
    journalError,
    otherViolations,
    coverage,
    sent,
    connections,
    rateLimit,
  } = evidence
  const foreign = notLeftBehind(leftAlone, leftovers)
  return defined({
    suite: { name, version },
    target: defined({ baseUrl: target.baseUrl, name: target.name, profile: target.profile }),
    seed,
    startedAt: started.toISOString(),
    durationMs: Date.now() - started.getTime(),
    requests,
    verdict,
    findings,
    errors,
    leftovers: [...leftovers, ...undone],
    smoke: withNotes(smoke, notes),
    coverage: coverageOf(coverage, checks.length),
    strict: options.strict === true ? true : undefined,
    selection:
      checks.length < requirements.size ? { requirements: checks.length, of: requirements.size } : undefined,
    sent,
    connections,
    rateLimit,
    otherViolations: otherViolations.length === 0 ? undefined : otherViolations,
    foreign: foreign.length === 0 ? undefined : foreign,
    unlisted: unlisted.length === 0 ? undefined : unlisted,
    journalError: noJournal ?? journalError,
    noJournal: noJournal === undefined ? undefined : true,
    baseline:
      options.baseline === undefined ? undefined : { file: options.baseline, known: knownCount, problems },
  })
}

/** A record is listed once: what the run itself tried to delete is its own. */
export function notLeftBehind(leftAlone: readonly Leftover[], leftovers: readonly Leftover[]): Leftover[] {
  const placeOf = ({ table, id }: Leftover) => `${table}/${id}`
  const left = new Set(leftovers.map(placeOf))
  return leftAlone.filter((each) => !left.has(placeOf(each)))
}

/** Two shards run at the same time: neither waits for the other. */
function inOrder(findings: readonly Finding[], checks: readonly { id: string }[]): Finding[] {
  const byId = new Map(findings.map((finding) => [finding.requirement, finding]))
  return checks.flatMap(({ id }) => byId.get(id) ?? [])
}

export function withNotes(smoke: Smoke, notes: readonly string[]): Smoke {
  return notes.length === 0 ? smoke : { ...smoke, notes: [...notes, ...smoke.notes] }
}

/** Of a report without a smoke check. */
export const noSmoke: Smoke = {
  tables: {},
  missingTables: [],
  actors: [],
  capabilities: {},
  unlocks: [],
  notes: [],
}
