/**
 * The results of a run: findings, the verdict and the report, as types. Read this file first.
 *
 * @module
 */

import type { Exchange } from '../../exchange/exchange.ts'
import type { Basis, Grade, Level } from '../../spec/vocabulary.ts'
import type { CoverageReport } from '../../validate/coverage/coverage-report.ts'
import type { Mismatch } from '../../validate/mismatch.ts'

/**
 * Outcome of one requirement on one target. `fail` is a violated MUST, and `warn` a violated SHOULD. `observed` is for
 * requirements of a profile that the target does not claim. `not-applicable`: the target declares the feature absent.
 * `blocked`: a requirement that the check depends on failed. `untestable`: something is missing on the tester's side.
 */
export type Status = 'pass' | 'fail' | 'warn' | 'observed' | 'not-applicable' | 'blocked' | 'untestable'

/** The shrunk counterexample of a property, and how to replay it. */
export interface Replay {
  /** Seed of the run. */
  seed: number
  /** Path of the example in fast-check. */
  path: string
  /** The command line that repeats exactly this example. */
  command: string
  /** Of a property: how many random examples were run until one failed. */
  runs?: number
  /** Of a property: the smallest example that fails, as fast-check prints it. */
  example?: string
}

/** How many examples of a property were run. */
export interface Examples {
  /** Examples that were run. */
  run: number
  /** Examples that should have been run. */
  of: number
}

/** The outcome of one requirement on one target, with its evidence. */
export interface Finding {
  /** Id of the requirement: `list.total-pages`. */
  requirement: string
  /** What the requirement says. */
  statement: string
  /** How strict the requirement is: a violated MUST fails the run, a violated SHOULD is a warning. */
  level: Level
  /** Where the requirement comes from: the document, or the profile. */
  basis: Basis
  /** Grade of a requirement of the profile. */
  grade?: Grade
  /** The security consequence if the expectation does not hold, in one sentence. */
  security?: string
  /** Section of the document, or the key of the gap. */
  source: string
  /** The outcome. */
  status: Status
  /** Of an `observed` finding: whether the expectation held, so that it would pass if the profile was claimed. */
  held?: boolean
  /** The message, beginning with the fact. Empty for a pass. */
  message: string
  /** The next step: for example, a configuration line that enables the check. */
  hint?: string
  /** The failed requirement that it depends on: nothing was sent. */
  blockedBy?: string
  /** Another requirement that the deciding response violates. If it fails too, the cause is the same. */
  breaks?: string
  /** The check that sent the deciding request, if it is another one: its replay runs both. */
  seenIn?: string
  /** The value or response that was expected, as text. */
  expected?: string
  /** The value or response that was received, as text. */
  received?: string
  /** The exchanges that show it, the deciding one last. Empty for a pass. */
  exchanges: Exchange[]
  /** Number of earlier requests that are omitted, because they are too many or too long. Absent: none. */
  leftOut?: number
  /** Each exchange as a line of a shell script: ids and tokens come from the responses before, secrets are `$VAR`. */
  curl: string[]
  /** The counterexample of a property. Absent if the check is not a property, or passed. */
  replay?: Replay
  /** Why the check, or an example of it, was run again after a broken connection. Absent: it was not. */
  retried?: string
  /** How many examples ran, if the time limit ended the property. Absent: all ran, or one failed. */
  examples?: Examples
  /** Entry of the baseline that lists it. It is reported as known, and does not fail the run. */
  known?: KnownFailure
  /** Requests that the check sent. */
  requests: number
  /** Milliseconds that the check took. */
  ms: number
}

/** Why a failure is in the baseline. */
export interface KnownFailure {
  /** Why it is accepted for now. */
  reason: string
  /** Address of an issue about it. */
  issue?: string
  /** Day after which it fails again: `2026-12-31`. */
  expires?: string
}

/** Findings of one basis by outcome. */
export interface BasisCount {
  /** Findings that count: pass, fail, warn. */
  counted: number
  /** Findings with status `pass`. */
  passed: number
  /** Findings with status `fail`. */
  failed: number
  /** Findings with status `warn`. */
  warned: number
  /** Findings with status `observed`. */
  observed: number
  /** Findings with status `not-applicable`. */
  notApplicable: number
  /** Findings with status `blocked`. */
  blocked: number
  /** Findings with status `untestable`. */
  untestable: number
  /** Those of fail, warn, blocked and untestable that the baseline lists: not counted as such. */
  known?: number
}

/** How many of the document's operations and requirements a verdict is about. */
export interface Share {
  /**
   * Operations that the target has, of all. Absent if no requirement about the existence of an operation was selected.
   */
  operations?: {
    /** Operations that the target has. */
    present: number
    /** Operations of the document. */
    of: number
  }
  /** Requirements that apply to the target, of all that were selected. */
  requirements: {
    /** Requirements that apply. */
    applicable: number
    /** Requirements that were selected. */
    of: number
  }
}

/** Findings of a claimed profile, by grade. */
export type GradeCounts = Record<Grade, Pick<BasisCount, 'counted' | 'passed'>>

/** The result of a run in one word. `incomplete`: some requirements, or all of them, could not be checked. */
export type Outcome = 'conformant' | 'non-conformant' | 'incomplete' | 'error'

/** What a run says about its target. */
export interface Verdict {
  /** The result in one word. */
  outcome: Outcome
  /** Exit code of the command: 0 conformant, 1 non-conformant, 2 error, 3 incomplete. */
  exitCode: 0 | 1 | 2 | 3
  /** Findings of the document: stated and implied requirements together. */
  document: BasisCount & {
    /** How much was tested, if the target declares a part absent: conformant then means in part. */
    share?: Share
  }
  /** Findings of the profile. */
  profile: BasisCount & {
    /** Whether the target claims the profile. Otherwise its findings are `observed`. */
    claimed: boolean
    /** Name of the profile. */
    name: string
    /** Findings that count, by grade. */
    grades: GradeCounts
  }
  /** The sentences that the terminal prints, one for each line. */
  lines: string[]
}

/** One violation in one exchange, found by the validator. */
export interface Violation extends Omit<Mismatch, 'path'> {
  exchange: Exchange
  /** The check that sent it; undefined in the smoke check. */
  during: string | undefined
}

/** An error of the run itself, or a target that stopped responding. It does not count as a failure of the server. */
export interface RunError {
  /** Where it happened: a requirement's id, or `smoke`, `clean-up`, ... */
  place: string
  /** What went wrong. */
  message: string
  /** Stack trace, if there is one. */
  stack?: string
  /** The target responded before, and stopped. That is not an error of the run, and its cause is unknown. */
  lost?: boolean
  /** An entry of recorded traffic that could not be read. It says nothing about the server. */
  unread?: boolean
  /** How many entries could not be read, if they are only counted. Absent: one. */
  entries?: number
  /** The requests that may have ended it, as curl lines: those without a response last. */
  curl?: string[]
  /** The command line that repeats the check that was running. */
  again?: string
}

/** A requirement that was not selected, and that an exchange of the run violates. It is reported and never counts. */
export interface OtherViolation {
  /** Id of the requirement. */
  requirement: string
  /** What is wrong. */
  message: string
  /** The exchanges that show it, as curl lines. */
  curl: string[]
}

/** Something that a run created and could not delete, or a record that it left alone. */
export interface Leftover {
  /** Name of the table, as in the path. */
  table: string
  /** Id of the record. */
  id: string
  /** Why it was not deleted. */
  reason: string
}

/** A table that was not listed completely, and why. */
export interface Unlisted {
  /** Name of the table, as in the path. */
  table: string
  /** Why not all of its records are known. */
  reason: string
}

/** What the smoke check found before the first check. */
export interface Smoke {
  /** Roles of tables that the target has, and how they were found. */
  tables: Record<string, 'given' | 'found'>
  /** Roles of tables that the target does not have. */
  missingTables: string[]
  /** Names of the actors that can sign in: `superuser`, for example. */
  actors: string[]
  /** Capabilities by name. Missing ones were neither declared nor could be probed. */
  capabilities: Record<string, boolean>
  /** Lines of the target file that would enable more checks. */
  unlocks: {
    /** The line to add. */
    line: string
    /** Number of checks that it enables. */
    checks: number
  }[]
  /** Other facts that readers of the report should know. */
  notes: string[]
}

/** How many exchanges were validated. */
export interface TrafficCount {
  /** All exchanges. */
  exchanges: number
  /** Exchanges whose request matches an operation. */
  matched: number
  /** Exchanges that do not conform. */
  broken: number
  /** Exchanges whose body could not be validated. */
  unjudged: number
  /** What makes the traffic non-conformant in addition to its findings: a coverage below its floor, for example. */
  problems?: string[]
}

/** Everything about one run. `spec/report.schema.json` describes its JSON form. */
export interface RunReport {
  /** The package that ran the checks. */
  suite: {
    /** Name of the package. */
    name: string
    /** Version of the package. */
    version: string
  }
  /** What was tested. */
  target: {
    /** The part of the URL before the prefix. */
    baseUrl: string
    /** Name from the target file. */
    name?: string
    /** Profile that the target claims. */
    profile?: string
  }
  /** Seed of all random data: the same seed sends the same requests. 0 in a report of validated traffic. */
  seed: number
  /** Whether warnings counted like failures. Absent: they did not. */
  strict?: boolean
  /** How many of the requirements were selected: the verdict is about these. Absent: all. */
  selection?: {
    /** Requirements that were selected. */
    requirements: number
    /** All requirements. */
    of: number
  }
  /** ISO 8601, UTC. */
  startedAt: string
  /** Milliseconds from start to end. */
  durationMs: number
  /** Number of requests, including set-up and clean-up. */
  requests: number
  /** The result of the run. */
  verdict: Verdict
  /** One finding for each requirement that was selected, in the order of the checks. */
  findings: Finding[]
  /** Errors that are not failures of the server. */
  errors: RunError[]
  /** What the run created and could not delete. */
  leftovers: Leftover[]
  /**
   * Records that responses named as this run's, but that are not, or not provably, this run's: they were left alone.
   */
  foreign?: Leftover[]
  /**
   * Tables whose list did not show every record: there, only the content of a record shows whose it is. Absent: none.
   */
  unlisted?: Unlisted[]
  /** Why the journal of the run is incomplete: later runs do not delete all that it left. Absent: it is complete. */
  journalError?: string
  /** What the smoke check found out about the target. */
  smoke: Smoke
  /** What the checks sent and saw, and which parts of the description they never saw. */
  coverage: CoverageReport
  /** Present in a report of `conformance validate` or `proxy`, which sends no requests itself. */
  traffic?: TrafficCount
  /** Requests of the checks by effect. A read-only run has no writes. */
  sent?: {
    /** Requests that change nothing. */
    reads: number
    /** Requests that sign someone in. */
    signIns: number
    /** Requests that may change something. */
    writes: number
  }
  /** Connections that broke, and what was done about it. Absent: none broke. */
  connections?: {
    /** Connections that broke. */
    broken: number
    /** Requests that were sent again. */
    sentAgain: number
    /** Checks that were run again. */
    runAgain: number
  }
  /** Violations of requirements that were not selected. Absent: none. */
  otherViolations?: OtherViolation[]
  /** The baseline of known failures, if given. */
  baseline?: {
    /** Path of the file. */
    file: string
    /** Findings that it lists. */
    known: number
    /** Problems of its entries: stale or expired ones, for example. */
    problems: string[]
  }
}
