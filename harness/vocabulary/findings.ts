/**
 * What a run says: exchanges, findings, the verdict and the report, as types. Nothing here does anything: read it first.
 *
 * @module
 */

import type { Exchange } from '../../exchange/exchange.ts'
import type { Basis, Grade, Level } from '../../spec/vocabulary.ts'
import type { CoverageReport } from '../../validate/coverage/coverage-report.ts'

/** Outcome of one requirement on one target. design: "Findings and verdict". */
export type Status = 'pass' | 'fail' | 'warn' | 'observed' | 'not-applicable' | 'blocked' | 'untestable'

/** The counterexample of a property, shrunk, and how to see it again. */
export interface Replay {
  seed: number
  path: string
  /** The command line that repeats exactly this example. */
  command: string
}

/** Examples of a property: how many were run, and how many were meant to be. */
export interface Examples {
  run: number
  of: number
}

export interface Finding {
  requirement: string
  statement: string
  level: Level
  basis: Basis
  /** Of a requirement of the profile. */
  grade?: Grade
  /** What follows for security where the expectation does not hold, in one sentence. */
  security?: string
  /** Section of the document, or the gap's key. */
  source: string
  status: Status
  /** Of an `observed` finding: whether the expectation held, and would count as a pass where it is claimed. */
  held?: boolean
  /** Fact first. Empty for a pass. */
  message: string
  /** What one could do next: a configuration line that unlocks the check, for example. */
  hint?: string
  /** The requirement that it builds on and that does not hold: nothing was sent. */
  blockedBy?: string
  expected?: string
  received?: string
  /** The exchanges that show it, the deciding one last. Empty for a pass. */
  exchanges: Exchange[]
  /** Requests before these that are left out: they are too many, or too long. Absent: none. */
  leftOut?: number
  /** Each exchange as a curl line, secrets as `$VAR`. */
  curl: string[]
  replay?: Replay
  /** Why the check, or an example of it, was run again: its connection broke. In plain words. Absent: it was not. */
  retried?: string
  /** Of a property that its time limit cut short. Absent: all examples were run, or one of them failed. */
  examples?: Examples
  /** It is listed in the baseline: reported and counted, but not held against the target. */
  known?: { reason: string; issue?: string; expires?: string }
  /** Requests that the check sent. */
  requests: number
  ms: number
}

export interface BasisCount {
  /** Findings that count: pass, fail, warn. */
  counted: number
  passed: number
  failed: number
  warned: number
  observed: number
  notApplicable: number
  blocked: number
  untestable: number
  /** Those of fail, warn, blocked and untestable that the baseline lists: not counted as such. */
  known?: number
}

/** How many of the document's operations and requirements a verdict is about. */
export interface Share {
  /** Absent where no requirement was selected that an operation exists. */
  operations?: { present: number; of: number }
  requirements: { applicable: number; of: number }
}

/** How far a claimed profile is kept, by grade. */
export type GradeCounts = Record<Grade, Pick<BasisCount, 'counted' | 'passed'>>

export type Outcome = 'conformant' | 'non-conformant' | 'incomplete' | 'error'

export interface Verdict {
  outcome: Outcome
  exitCode: 0 | 1 | 2 | 3
  /** stated and implied together. `share` where the target declares a part absent: conformant then means in part. */
  document: BasisCount & { share?: Share }
  profile: BasisCount & { claimed: boolean; name: string; grades: GradeCounts }
  /** One sentence a line, as the terminal prints it. */
  lines: string[]
}

/** One thing wrong with one exchange, seen by the validator. */
export interface Violation {
  /** The requirement that it breaks. */
  requirement: string
  message: string
  expected: string
  received: string
  exchange: Exchange
  /** The check that sent it; none in the smoke check. */
  during: string | undefined
}

/** An exception that is no expectation: our own fault, or the target's disappearance. Never scored against the server. */
export interface RunError {
  /** Where it happened: a requirement's id, or `smoke`, `clean-up`, ... */
  place: string
  message: string
  stack?: string
  /** The target answered before, and stopped: no mistake of the run, and whose it is cannot be seen from here. */
  lost?: boolean
  /** The requests that may have ended it, as curl lines: those that got no answer last. */
  curl?: string[]
  /** The command line that repeats the check that was under way. */
  again?: string
}

/** A requirement that was not checked, and that an exchange of the run breaks: told, never counted. */
export interface SeenBeside {
  requirement: string
  message: string
  curl: string[]
}

/** Something that a run created and could not delete, or a record that it left alone. */
export interface Leftover {
  table: string
  id: string
  reason: string
}

/** A table that was not listed to its end, and why. */
export interface Unlisted {
  table: string
  reason: string
}

/** What the smoke check found before anything was judged. */
export interface Smoke {
  /** Roles of tables that the target has, and how they are known. */
  tables: Record<string, 'given' | 'found'>
  missingTables: string[]
  actors: string[]
  /** Known capabilities. Those absent were neither claimed nor could they be probed. */
  capabilities: Record<string, boolean>
  /** One line of configuration each, with the number of checks that it unlocks. */
  unlocks: { line: string; checks: number }[]
  notes: string[]
}

/** Everything about one run. `spec/report.schema.json` describes its JSON form. */
export interface RunReport {
  suite: { name: string; version: string }
  target: { baseUrl: string; name?: string; profile?: string }
  seed: number
  /** Warnings counted like failures. Absent: they did not. */
  strict?: boolean
  /** ISO 8601, UTC. */
  startedAt: string
  durationMs: number
  /** All that were sent, set-up and clean-up included. */
  requests: number
  verdict: Verdict
  findings: Finding[]
  errors: RunError[]
  leftovers: Leftover[]
  /** Records that responses named as this run's, and that are not, or are not shown to be: they were left alone. */
  foreign?: Leftover[]
  /** Tables of which a list did not show every record: there only what a record holds shows whose it is. Absent: none. */
  unlisted?: Unlisted[]
  smoke: Smoke
  /** What the checks sent and saw, and what of the description they never saw. */
  coverage: CoverageReport
  /** Requests of the checks by what they could do. A read-only run has no writes. */
  sent?: { reads: number; signIns: number; writes: number }
  /** Connections that broke, and what was done about it. Absent: all held. */
  connections?: { broken: number; sentAgain: number; runAgain: number }
  /** What was seen to break beside the checks that were selected. Absent: nothing. */
  beside?: SeenBeside[]
  /** Known failures, and what is wrong with their list. */
  baseline?: { file: string; known: number; problems: string[] }
}
