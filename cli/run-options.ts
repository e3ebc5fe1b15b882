/**
 * The options of `conformance run`: one table feeds parser, help and documentation.
 *
 * @module
 */

import { isVariable, secretName } from '../exchange/secrets/secret-names.ts'
import { type ReportFormat, reportFormats } from '../harness/report/formats.ts'
import type { RunOptions } from '../harness/vocabulary/run.ts'
import { didYouMean } from '../spec/nearest.ts'

const formats = Object.keys(reportFormats)

export interface ReportOrder {
  format: ReportFormat
  /** `-` for the output. */
  file: string
}

export interface OptionRow {
  flags: string
  description: string
  /** Turns the text into a value, or throws with what is wrong. `previous` is set where an option may be repeated. */
  parse?: (text: string, previous: unknown) => unknown
}

export const runOptionRows: readonly OptionRow[] = [
  {
    flags: '--base-url <url>',
    description: 'test the server at this URL (default: the embedded reference)',
    parse: once,
  },
  {
    flags: '--target <file>',
    description: 'target file (YAML, JSON or module), or the name of a shipped target: pocketbase, reference',
    parse: once,
  },
  {
    flags: '--profile <name>',
    description:
      'profile that the target claims: standard, recommended, none, or a file written by --write-profile',
    parse: once,
  },
  {
    flags: '--prefix <path>',
    description: 'path prefix of the target (default: /api/v1)',
    parse: pathPrefix,
  },
  {
    flags: '--only <what>',
    description:
      'run only these: ids, globs, areas, sections, operations, levels or bases; comma-separated, repeatable',
    parse: words,
  },
  { flags: '--skip <what>', description: 'skip these; same values as --only', parse: words },
  { flags: '--level <level>', description: 'lowest level to check: MUST, SHOULD or MAY', parse: level },
  {
    flags: '--seed <number>',
    description: 'reproduce a run: the same seed sends the same requests',
    parse: integer(-(2 ** 31), 2 ** 32),
  },
  {
    flags: '--runs <factor>',
    description: 'factor for the number of examples per property (default: 1)',
    parse: positive,
  },
  {
    flags: '--path <path>',
    description: 'replay one counterexample; use with --only and --seed',
    parse: once,
  },
  {
    flags: '--timeout <ms>',
    description: 'time limit per request (default: 10000)',
    parse: integer(1, 3_600_000),
  },
  { flags: '--rate <number>', description: 'maximum requests per second', parse: positive },
  {
    flags: '--concurrency <number>',
    description: 'maximum concurrent requests to a server (default: 8)',
    parse: integer(1, 100),
  },
  {
    flags: '--max-requests <number>',
    description: 'stop after this many requests, then clean up',
    parse: integer(1, 10_000_000),
  },
  {
    flags: '--max-time <seconds>',
    description: 'stop after this many seconds, then clean up',
    parse: integer(1, 86_400),
  },
  {
    flags: '--baseline <file>',
    description: 'file of known failures; they are reported but not counted',
    parse: once,
  },
  {
    flags: '--write-profile <file>',
    description: 'write the observed behavior to a profile that the target can claim',
    parse: once,
  },
  { flags: '--strict', description: 'fail the run if a SHOULD is violated' },
  { flags: '--bail', description: 'stop after the first failure' },
  { flags: '--read-only', description: 'send only requests that change nothing' },
  { flags: '--allow-remote-writes', description: 'allow creating and deleting records on a remote host' },
  {
    flags: '--header <name:value>',
    description:
      "send this header with every request; repeatable; use '$NAME' to read a secret from the environment",
    parse: header,
  },
  {
    flags: '--report <format=file>',
    description:
      'write a report, to stdout with -; repeatable; formats: json, junit, html, markdown, badge (shields.io)',
    parse: report,
  },
  { flags: '--list', description: 'list what would be checked, and exit' },
  { flags: '--no-color', description: 'disable colors' },
  { flags: '--quiet', description: 'show only failures and the verdict' },
  { flags: '--verbose', description: 'also show passed and observed findings' },
]

/** What the parser makes of the options. */
export interface RunFlags
  extends Omit<RunOptions, 'target' | 'headers' | 'namespace' | 'signal' | 'onEvent'> {
  target?: string
  writeProfile?: string
  header?: Record<string, string>
  report?: ReportOrder[]
  list?: boolean
  color: boolean
  quiet?: boolean
  verbose?: boolean
}

export function once(text: string): string {
  if (text === '') throw new Error('must not be empty')
  return text
}

export function pathPrefix(text: string): string {
  if (/^(\/[\w.~-]+)*$/.test(text)) return text
  throw new Error('must be a path such as /api/v1, without a trailing slash')
}

function words(text: string, previous: unknown): string[] {
  const more = text
    .split(',')
    .map((word) => word.trim())
    .filter((word) => word !== '')
  if (more.length === 0) throw new Error('must not be empty')
  return [...((previous as string[] | undefined) ?? []), ...more]
}

function level(text: string): string {
  const upper = text.toUpperCase()
  if (!['MUST', 'SHOULD', 'MAY'].includes(upper)) throw new Error('must be MUST, SHOULD or MAY')
  return upper
}

export function integer(least: number, most: number): (text: string) => number {
  return (text) => {
    const value = Number(text)
    if (!/^-?\d+$/.test(text) || value < least || value > most)
      throw new Error(`must be an integer from ${least} to ${most}`)
    return value
  }
}

function positive(text: string): number {
  const value = Number(text)
  if (!/^\d*\.?\d+$/.test(text) || value <= 0 || value > 1000)
    throw new Error('must be a number greater than 0 and at most 1000')
  return value
}

function header(text: string, previous: unknown): Record<string, string> {
  const [, name, value] = /^([\w!#$%&'*+.^`|~-]+)\s*:\s*(.*)$/.exec(text) ?? []
  if (name === undefined || value === undefined) throw new Error('must have the form name:value')
  if (/^authorization$/i.test(name))
    throw new Error(
      'must not be Authorization, which the checks set themselves: put credentials in a target file',
    )
  if (secretName(name) !== undefined && !isVariable(value))
    throw new Error(
      `must not contain a secret, since arguments are visible to other processes: use '${name}:$NAME' to read it from the environment`,
    )
  return { ...((previous as Record<string, string> | undefined) ?? {}), [name.toLowerCase()]: value }
}

function report(text: string, previous: unknown): ReportOrder[] {
  const [, format = '', file] = /^(\w+)=(.+)$/.exec(text) ?? []
  if (file === undefined) throw new Error('must have the form json=FILE')
  if (!formats.includes(format))
    throw new Error(
      `unknown format "${format}"; use one of ${formats.join(', ')}.${didYouMean(format, formats)}`,
    )
  const earlier = (previous as ReportOrder[] | undefined) ?? []
  if (earlier.some((order) => order.file === file))
    throw new Error(`two reports have the same destination: ${file === '-' ? 'stdout' : file}`)
  return [...earlier, { format: format as ReportFormat, file }]
}
