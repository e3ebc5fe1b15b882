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
    description: 'profile that the target claims: standard, recommended, none, or a file of --write-profile',
    parse: once,
  },
  {
    flags: '--prefix <path>',
    description: 'path prefix of the target, where it is not /api/v1',
    parse: pathPrefix,
  },
  {
    flags: '--only <what>',
    description: 'ids, globs, areas, sections, operations, levels or bases; comma-separated, repeatable',
    parse: words,
  },
  { flags: '--skip <what>', description: 'leave these out', parse: words },
  { flags: '--level <level>', description: 'weakest level to check: MUST, SHOULD or MAY', parse: level },
  {
    flags: '--seed <number>',
    description: 'repeat a run: the same seed makes the same requests',
    parse: integer(-(2 ** 31), 2 ** 32),
  },
  {
    flags: '--runs <factor>',
    description: 'factor on the examples of every property (default: 1)',
    parse: positive,
  },
  { flags: '--path <path>', description: 'replay one counterexample; with --only and --seed', parse: once },
  {
    flags: '--timeout <ms>',
    description: 'time for one request (default: 10000)',
    parse: integer(1, 3_600_000),
  },
  { flags: '--rate <number>', description: 'most requests in a second', parse: positive },
  {
    flags: '--concurrency <number>',
    description: 'most requests to a server at once (default: 8)',
    parse: integer(1, 100),
  },
  {
    flags: '--max-requests <number>',
    description: 'stop after so many requests; what was created is still deleted',
    parse: integer(1, 10_000_000),
  },
  {
    flags: '--max-time <seconds>',
    description: 'stop after so many seconds; what was created is still deleted',
    parse: integer(1, 86_400),
  },
  {
    flags: '--baseline <file>',
    description: 'known failures, with reasons: reported, but not counted',
    parse: once,
  },
  {
    flags: '--write-profile <file>',
    description: 'write how the target fills the gaps as a profile that it can claim',
    parse: once,
  },
  { flags: '--strict', description: 'a broken SHOULD fails the run' },
  { flags: '--bail', description: 'stop after the first failure' },
  { flags: '--read-only', description: 'only requests that change nothing' },
  { flags: '--allow-remote-writes', description: 'allow creating and deleting records on another machine' },
  {
    flags: '--header <name:value>',
    description:
      "send this header with every request; repeatable; a secret as '$NAME', read from the environment",
    parse: header,
  },
  {
    flags: '--report <format=file>',
    description:
      'write a report, with - for the output; repeatable; formats: json, junit, html, markdown, badge (shields.io)',
    parse: report,
  },
  { flags: '--list', description: 'print what would be checked, and stop' },
  { flags: '--no-color', description: 'no colours' },
  { flags: '--quiet', description: 'only failures and the verdict' },
  { flags: '--verbose', description: 'passed and observed findings too' },
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
  if (text === '') throw new Error('a value is missing')
  return text
}

export function pathPrefix(text: string): string {
  if (/^(\/[\w.~-]+)*$/.test(text)) return text
  throw new Error('must be a path like /api/v1, without a slash at the end')
}

function words(text: string, previous: unknown): string[] {
  const more = text
    .split(',')
    .map((word) => word.trim())
    .filter((word) => word !== '')
  if (more.length === 0) throw new Error('names nothing')
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
      throw new Error(`must be a whole number from ${least} to ${most}`)
    return value
  }
}

function positive(text: string): number {
  const value = Number(text)
  if (!/^\d*\.?\d+$/.test(text) || value <= 0 || value > 1000)
    throw new Error('must be a number above 0, at most 1000')
  return value
}

function header(text: string, previous: unknown): Record<string, string> {
  const [, name, value] = /^([\w!#$%&'*+.^`|~-]+)\s*:\s*(.*)$/.exec(text) ?? []
  if (name === undefined || value === undefined) throw new Error('must look like name:value')
  if (/^authorization$/i.test(name))
    throw new Error('may not replace the header that the checks sign in with: use a target file')
  if (secretName(name) !== undefined && !isVariable(value))
    throw new Error(
      `may not carry a secret, since arguments are visible: write '${name}:$NAME', and the environment is asked`,
    )
  return { ...((previous as Record<string, string> | undefined) ?? {}), [name.toLowerCase()]: value }
}

function report(text: string, previous: unknown): ReportOrder[] {
  const [, format = '', file] = /^(\w+)=(.+)$/.exec(text) ?? []
  if (file === undefined) throw new Error('must look like json=FILE')
  if (!formats.includes(format))
    throw new Error(`knows no format "${format}", only ${formats.join(', ')}.${didYouMean(format, formats)}`)
  const earlier = (previous as ReportOrder[] | undefined) ?? []
  if (earlier.some((order) => order.file === file))
    throw new Error(`would write two reports to ${file === '-' ? 'the output' : file}`)
  return [...earlier, { format: format as ReportFormat, file }]
}
