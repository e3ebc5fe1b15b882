/**
 * Generated from harness/run-options.ts by `npm run generate`. Not to be edited.
 *
 * @module
 */

import type { Level } from '../../spec/vocabulary.ts'
import type { RunEvent } from '../vocabulary/run.ts'
import type { Target } from '../vocabulary/target.ts'

/** The options of a run. */
export interface RunOptions {
  /**
   * Test the server at this URL (`--base-url`). The part before the prefix, without credentials:
   * `http://127.0.0.1:8090`.
   *
   * @default the embedded reference
   */
  baseUrl?: string | undefined
  /**
   * Target file (YAML, JSON or module), or the name of a shipped target (`--target`). A program can also pass
   * a target that is ready for use.
   *
   * @default none
   */
  target?: string | Target | undefined
  /**
   * Profile that the target claims: standard, recommended, none, or a profile file (`--profile`).
   * Requirements of a profile that is not claimed are only observed.
   *
   * @default none
   */
  profile?: string | undefined
  /** Path prefix of the target (`--prefix`). @default /api/v1 */
  prefix?: string | undefined
  /**
   * Tables to look for, in addition to common names (`--table`). For a server whose tables no target file
   * names. `conformance init` takes it as well.
   *
   * @default none
   */
  table?: readonly string[] | undefined
  /**
   * Run only these: ids, globs, areas, sections, operations, levels or bases (stated, implied, profile)
   * (`--only`). `list.page`, `list.*`, `list`, `4.1` or `§4`, `listRecords`, `MUST`, `profile`. The document
   * is `stated,implied`.
   *
   * @default all
   */
  only?: readonly string[] | undefined
  /**
   * Skip these: ids, globs, areas, sections, operations, levels or bases (stated, implied, profile)
   * (`--skip`).
   *
   * @default none
   */
  skip?: readonly string[] | undefined
  /** Lowest level to check: MUST, SHOULD or MAY (`--level`). @default MAY */
  level?: Level | undefined
  /** Reproduce a run: the same seed sends the same requests (`--seed`). @default random */
  seed?: number | undefined
  /** Factor for the number of examples per property (`--runs`). @default 1 */
  runs?: number | undefined
  /**
   * Replay one counterexample (`--path`). Needs the seed and the requirement of the finding. Its "replay"
   * line has all three.
   *
   * @default none
   */
  path?: string | undefined
  /**
   * Time limit per request in milliseconds (`--timeout`). Measured from sending the request to the last byte
   * of its response.
   *
   * @default 10000
   */
  timeout?: number | undefined
  /**
   * Maximum requests per second; below 200, checks of concurrent requests are untestable (`--rate`). A run
   * with such checks is then incomplete (exit code 3), unless `--only` or `--skip` leaves them out.
   *
   * @default no limit
   */
  rate?: number | undefined
  /** Maximum concurrent requests to a server (`--concurrency`). @default 8 */
  concurrency?: number | undefined
  /**
   * Stop after this many requests, then clean up (`--max-requests`). Requests that explore the server count;
   * those of the clean-up do not.
   *
   * @default no limit
   */
  maxRequests?: number | undefined
  /** Stop after this many seconds, then clean up (`--max-time`). @default no limit */
  maxTime?: number | undefined
  /** File of known failures; they are reported but not counted (`--baseline`). @default none */
  baseline?: string | undefined
  /** Fail the run if a SHOULD is violated (`--strict`). @default false */
  strict?: boolean | undefined
  /** Stop after the first failure (`--bail`). @default false */
  bail?: boolean | undefined
  /** Send only requests that change nothing (`--read-only`). @default false */
  readOnly?: boolean | undefined
  /** Allow creating and deleting records on a remote host (`--allow-remote-writes`). @default false */
  allowRemoteWrites?: boolean | undefined
  /**
   * Headers to send with every request (`--header`). For a gateway in front of the target. A value `$NAME` is
   * read from the environment, and every report shows only the name.
   *
   * @default none
   */
  headers?: Readonly<Record<string, string>> | undefined
  /** Letters in the names of everything that the run creates. @default derived from the seed */
  namespace?: string | undefined
  /** Stops the run when it is aborted. What the run created is deleted first. @default none */
  signal?: AbortSignal | undefined
  /** Called with what happens during the run. @default none */
  onEvent?: ((event: RunEvent) => void) | undefined
}

/** The options of a run, without those that decide when a check runs: in a test runner, the runner decides. */
export type SuiteOptions = Omit<RunOptions, 'path' | 'maxTime' | 'bail' | 'signal' | 'onEvent'>
