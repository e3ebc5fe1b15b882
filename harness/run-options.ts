/**
 * The options of a run, each declared once: from here come the command line with its help, the type `RunOptions`, the
 * page docs/options.md (both written by `npm run generate`), and the command that replays a finding.
 *
 * @module
 */

import { documentPrefix } from '../spec/prefix.ts'
import type { RunOptions } from './generated/run-options.ts'

/** Values of an option of the kind `level`, from the strictest on. */
export const levels: readonly string[] = ['MUST', 'SHOULD', 'MAY']

export interface OptionDeclaration {
  /** On the command line. Absent: for programs only. */
  flags?: string
  /**
   * What the text on the command line is: `string` · `prefix`, a path without a slash at its end · `words`, separated by
   * commas · `level` of a requirement · `number` above 0, at most
   * `most` · `integer` from `least` to `most` · `switch`, which has no
   * value · `headers`, one each time.
   */
  kind: 'string' | 'prefix' | 'words' | 'level' | 'number' | 'integer' | 'switch' | 'headers'
  least?: number
  most?: number
  /** The type for programs, if it does not follow from the kind. */
  type?: string
  /** What it does. */
  says: string
  /** How it is written on the command line, for `--help`. Not for programs. */
  syntax?: string
  /** Heading in `--help`. Absent: for programs only. */
  group?: 'Target' | 'Selection' | 'Reproduction' | 'Limits' | 'Verdict'
  /** Details that are too long for `--help`. */
  more?: string
  /** The value, or what happens without one. */
  default?: number | string
  /** Equivalent key of a target file. The option takes precedence. */
  targetKey?: string
  /** Whether it is passed to the session of each worker. */
  session?: boolean
  /** Whether a replay command must repeat it, since it would otherwise test something else. */
  replayed?: boolean
  /** Whether only `runConformance` and the command take it, since a test runner decides which check runs when. */
  wholeRun?: boolean
}

/** In the order of `--help`. */
export const runOptions = {
  baseUrl: {
    flags: '--base-url <url>',
    group: 'Target',
    kind: 'string',
    says: 'test the server at this URL',
    more: 'The part before the prefix, without credentials: `http://127.0.0.1:8090`.',
    default: 'the embedded reference',
    targetKey: 'baseUrl',
    replayed: true,
  },
  target: {
    flags: '--target <file>',
    group: 'Target',
    kind: 'string',
    type: 'string | Target',
    says: 'target file (YAML, JSON or module), or the name of a shipped target',
    more: 'A program can also pass a target that is ready for use.',
    replayed: true,
  },
  profile: {
    flags: '--profile <name>',
    group: 'Target',
    kind: 'string',
    says: 'profile that the target claims: standard, recommended, none, or a profile file',
    syntax: '--write-profile writes one',
    more: 'Requirements of a profile that is not claimed are only observed.',
    targetKey: 'profile',
    replayed: true,
  },
  prefix: {
    flags: '--prefix <path>',
    group: 'Target',
    kind: 'prefix',
    says: 'path prefix of the target',
    default: documentPrefix,
    targetKey: 'prefix',
    replayed: true,
  },
  table: {
    flags: '--table <name>',
    group: 'Target',
    kind: 'words',
    says: 'tables to look for, in addition to common names',
    syntax: 'comma-separated, repeatable',
    more: 'For a server whose tables no target file names. `conformance init` takes it as well.',
    replayed: true,
  },
  only: {
    flags: '--only <what>',
    group: 'Selection',
    kind: 'words',
    says: 'run only these: ids, globs, areas, sections, operations, levels or bases (stated, implied, profile)',
    syntax: 'comma-separated, repeatable',
    more: '`list.page`, `list.*`, `list`, `4.1` or `§4`, `listRecords`, `MUST`, `profile`. The document is `stated,implied`.',
    default: 'all',
  },
  skip: {
    flags: '--skip <what>',
    group: 'Selection',
    kind: 'words',
    says: 'skip these: ids, globs, areas, sections, operations, levels or bases (stated, implied, profile)',
    syntax: 'comma-separated, repeatable',
  },
  level: {
    flags: '--level <level>',
    group: 'Selection',
    kind: 'level',
    says: 'lowest level to check: MUST, SHOULD or MAY',
    default: 'MAY',
  },
  seed: {
    flags: '--seed <number>',
    group: 'Reproduction',
    kind: 'integer',
    least: -(2 ** 31),
    most: 2 ** 32,
    says: 'reproduce a run: the same seed sends the same requests',
    default: 'random',
  },
  runs: {
    flags: '--runs <factor>',
    group: 'Reproduction',
    kind: 'number',
    most: 1_000,
    says: 'factor for the number of examples per property',
    default: 1,
    replayed: true,
    session: true,
  },
  path: {
    flags: '--path <path>',
    group: 'Reproduction',
    kind: 'string',
    says: 'replay one counterexample',
    syntax: 'use with --only and --seed',
    more: 'Needs the seed and the requirement of the finding. Its "replay" line has all three.',
    wholeRun: true,
  },
  timeout: {
    flags: '--timeout <ms>',
    group: 'Limits',
    kind: 'integer',
    least: 1,
    most: 3_600_000,
    says: 'time limit per request in milliseconds',
    more: 'Measured from sending the request to the last byte of its response.',
    default: 10_000,
    replayed: true,
    session: true,
  },
  rate: {
    flags: '--rate <number>',
    group: 'Limits',
    kind: 'number',
    most: 1_000,
    says: 'maximum requests per second; below 200, checks of concurrent requests are untestable',
    more: 'A run with such checks is then incomplete (exit code 3), unless `--only` or `--skip` leaves them out.',
    default: 'no limit',
    session: true,
  },
  concurrency: {
    flags: '--concurrency <number>',
    group: 'Limits',
    kind: 'integer',
    least: 1,
    most: 100,
    says: 'maximum concurrent requests to a server',
    default: 8,
    session: true,
  },
  maxRequests: {
    flags: '--max-requests <number>',
    group: 'Limits',
    kind: 'integer',
    least: 1,
    most: 10_000_000,
    says: 'stop after this many requests, then clean up',
    more: 'Requests that explore the server count; those of the clean-up do not.',
    default: 'no limit',
    session: true,
  },
  maxTime: {
    flags: '--max-time <seconds>',
    group: 'Limits',
    kind: 'integer',
    least: 1,
    most: 86_400,
    says: 'stop after this many seconds, then clean up',
    default: 'no limit',
    wholeRun: true,
  },
  baseline: {
    flags: '--baseline <file>',
    group: 'Verdict',
    kind: 'string',
    says: 'file of known failures; they are reported but not counted',
  },
  strict: {
    flags: '--strict',
    group: 'Verdict',
    kind: 'switch',
    says: 'fail the run if a SHOULD is violated',
  },
  bail: {
    flags: '--bail',
    group: 'Limits',
    kind: 'switch',
    says: 'stop after the first failure',
    wholeRun: true,
  },
  readOnly: {
    flags: '--read-only',
    group: 'Limits',
    kind: 'switch',
    says: 'send only requests that change nothing',
    replayed: true,
    session: true,
  },
  allowRemoteWrites: {
    flags: '--allow-remote-writes',
    group: 'Limits',
    kind: 'switch',
    says: 'allow creating and deleting records on a remote host',
    replayed: true,
  },
  headers: {
    flags: '--header <name:value>',
    group: 'Target',
    kind: 'headers',
    says: 'headers to send with every request',
    syntax: "repeatable; use '$NAME' to read a secret from the environment",
    more: 'For a gateway in front of the target. A value `$NAME` is read from the environment, and every report shows only the name.',
    replayed: true,
    session: true,
  },
  namespace: {
    kind: 'string',
    says: 'letters in the names of everything that the run creates',
    default: 'derived from the seed',
  },
  signal: {
    kind: 'string',
    type: 'AbortSignal',
    says: 'stops the run when it is aborted',
    more: 'What the run created is deleted first.',
    wholeRun: true,
  },
  onEvent: {
    kind: 'string',
    type: '(event: RunEvent) => void',
    says: 'called with what happens during the run',
    wholeRun: true,
  },
} as const satisfies Readonly<Record<string, OptionDeclaration>>

export type RunOptionName = keyof typeof runOptions

/** Names of the options that are passed to a session unchanged. */
export type SessionOptionName = {
  [Name in RunOptionName]: (typeof runOptions)[Name] extends { session: true } ? Name : never
}[RunOptionName]

/** All declarations, by name. */
export function declaredOptions(): [RunOptionName, OptionDeclaration][] {
  return Object.entries(runOptions) as [RunOptionName, OptionDeclaration][]
}

/** Selects the options of a run that are passed to its sessions. */
export function sessionOptionsOf(options: RunOptions): Pick<RunOptions, SessionOptionName> {
  const names = declaredOptions().filter(([, { session }]) => session === true)
  return Object.fromEntries(names.map(([name]) => [name, options[name]]))
}

/** The help text of an option. */
export function helpOf({ says, syntax, default: value }: OptionDeclaration): string {
  const text = syntax === undefined ? says : `${says}; ${syntax}`
  return value === undefined ? text : `${text} (default: ${value})`
}
