/**
 * Everything about one run, as types: its findings, its verdict, errors, and what it left behind.
 *
 * @module
 */

import type { CoverageReport } from '../../validate/coverage/coverage-report.ts'
import type { Finding } from './finding.ts'
import type { Verdict } from './verdict.ts'

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

/** A requirement that was not selected, but that an exchange of the run violates. It is reported, and never counts. */
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
  /** What makes the traffic non-conformant in addition to its findings: for example, a coverage below its minimum. */
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
  /** Whether there is no journal at all, because nothing could be written. Absent: there is one. */
  noJournal?: boolean
  /** What the smoke check found out about the target. */
  smoke: Smoke
  /** What the checks sent and saw, and which parts of the description they never saw. */
  coverage: CoverageReport
  /** Present in a report of `conformance validate` or `proxy`, which sends no requests itself. */
  traffic?: TrafficCount
  /** Requests of the run by effect, each counted once even if it was sent again. A read-only run has no writes. */
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
  /** What the rate limits of the server cost the run. Absent: no request was rejected with 429. */
  rateLimit?: {
    /** Requests that were rejected with 429, and sent again later. */
    rejected: number
    /** How many of them each operation had, by its id. Requests of no operation are not in it. */
    operations: Record<string, number>
    /** Milliseconds in which requests waited to be sent again. */
    waitedMs: number
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
