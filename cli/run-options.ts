/**
 * The options of `conformance run`: options of a run, which `harness/run-options.ts` declares, and of the command.
 *
 * @module
 */

import type { RunOptions } from '../harness/generated/run-options.ts'
import { type ReportFormat, reportFormats } from '../harness/report/formats.ts'
import { declaredOptions, helpOf, type RunOptionName } from '../harness/run-options.ts'
import { shippedTargets } from '../harness/target/shipped-targets.ts'
import { didYouMean } from '../spec/nearest.ts'
import { once, type ParseOption, parserOf } from './parse-option.ts'

const formats = Object.keys(reportFormats) as ReportFormat[]
const describedFormats = formats.map((format) => (format === 'badge' ? 'badge (shields.io)' : format))

export interface ReportOrder {
  format: ReportFormat
  /** `-` for the output. */
  file: string
}

export interface OptionRow {
  flags: string
  description: string
  /** Details that are too long for `--help`: sentences in Markdown, for the page of the command. */
  more?: string
  /** Heading in `--help`. @default 'Options' */
  group?: string
  parse?: ParseOption
  /** Its value if it is not given. */
  standard?: string
}

/** The parsed options. */
export interface RunFlags
  extends Omit<RunOptions, 'target' | 'headers' | 'namespace' | 'signal' | 'onEvent'> {
  target?: string
  writeProfile?: string
  header?: Record<string, string>
  report?: ReportOrder[]
  list?: boolean
  failed?: boolean
  wait?: number
  watch?: boolean
  color: boolean
  quiet?: boolean
  verbose?: boolean
}

export const initOptionNames = [
  'prefix',
  'table',
  'headers',
  'timeout',
  'readOnly',
  'allowRemoteWrites',
] as const

const doctorOptionNames = ['baseUrl', 'target', 'profile', ...initOptionNames] as const

/** The options of `conformance doctor`, parsed. */
export type DoctorFlags = Pick<
  RunFlags,
  Exclude<(typeof doctorOptionNames)[number], 'headers'> | 'header' | 'color'
> & { forget?: boolean }

/** The options of `conformance init` alone. */
export const initOptionRows: readonly OptionRow[] = [
  { flags: '--base-url <url>', description: 'URL of the server, without the path prefix', group: 'Target' },
  {
    flags: '--output <file>',
    description: 'file to write, or - for stdout',
    group: 'Output',
    standard: 'conformance.target.yaml',
  },
  { flags: '--force', description: 'overwrite the file', group: 'Output' },
]

const forgetRow: OptionRow = {
  group: 'Output',
  flags: '--forget',
  description: 'stop listing what earlier runs left behind, if it cannot be deleted',
}

export const noColorRow: OptionRow = { flags: '--no-color', description: 'disable colors', group: 'Output' }

/** Rows of the options of a run, in the order of their declaration. @param names @default all */
export function declaredRows(names?: readonly RunOptionName[]): OptionRow[] {
  return declaredOptions().flatMap(([name, option]) => {
    const { flags } = option
    if (flags === undefined || names?.includes(name) === false) return []
    // Only the command that has all options writes a profile.
    const { syntax: _, ...bare } = option
    const help = helpOf(name === 'profile' && names !== undefined ? bare : option)
    return [
      {
        flags,
        group: option.group ?? 'Options',
        description: name === 'target' ? `${help}: ${shippedTargets().join(', ')}` : help,
        parse: parserOf(option),
      },
    ]
  })
}

/** The options of `conformance doctor`, which tests nothing. */
export const doctorOptionRows: readonly OptionRow[] = [
  ...declaredRows(doctorOptionNames).map((row) => ({
    ...row,
    description: row.description.replace('test the server at this URL', 'URL of the server'),
  })),
  forgetRow,
  noColorRow,
]

/** The options of `conformance list`, which runs nothing. */
export const listOptionRows: readonly OptionRow[] = declaredRows(['only', 'skip', 'level']).map((row) => ({
  ...row,
  description: row.description
    .replace('run only these', 'list only these')
    .replace('skip these', 'leave these out')
    .replace('level to check', 'level to list'),
}))

export const reportRow = {
  flags: '--report <format=file>',
  description: `write a report, to stdout with -; repeatable; formats: ${describedFormats.join(', ')}`,
  parse: reportsIn(formats),
} as const satisfies OptionRow

export const runOptionRows: readonly OptionRow[] = [
  ...declaredRows(),
  {
    flags: '--write-profile <file>',
    group: 'Output',
    description: 'write the observed behavior to a profile that the target can claim',
    parse: once,
  },
  { ...reportRow, group: 'Output' },
  { flags: '--list', description: 'list what would be checked, and exit', group: 'Selection' },
  {
    flags: '--wait <seconds>',
    group: 'Target',
    description: 'wait up to this many seconds until the server accepts connections',
    parse: parserOf({ kind: 'number', most: 3_600, says: '' }),
  },
  {
    flags: '--failed',
    description: 'of the selection, run only what failed in the last run on this target',
    group: 'Selection',
  },
  {
    flags: '--watch',
    description: 'run again when the target file changes or the server restarts',
    group: 'Selection',
  },
  noColorRow,
  { flags: '--quiet', description: 'show only failures and the verdict', group: 'Output' },
  { flags: '--verbose', description: 'also show passed and observed findings', group: 'Output' },
]

/** For messages. */
const exampleFiles: Readonly<Record<string, string>> = {
  json: 'report.json',
  junit: 'junit.xml',
  html: 'report.html',
  markdown: 'report.md',
  badge: 'badge.json',
}

/** The parser of `--report`: one entry per occurrence. */
export function reportsIn<Format extends string>(
  known: readonly Format[],
): (text: string, previous: unknown) => { format: Format; file: string }[] {
  return (text, previous) => {
    const [, word = '', file] = /^(\w+)(?:=(.+)$)?/.exec(text) ?? []
    const format = known.find((each) => each === word)
    if (file === undefined) {
      const shown = format ?? known[0] ?? ''
      throw new Error(
        `must have the form ${shown}=FILE, such as ${shown}=${exampleFiles[shown]}${format === undefined ? `.${didYouMean(word, known)}` : ''}`,
      )
    }
    if (format === undefined)
      throw new Error(`unknown format "${word}"; use one of ${known.join(', ')}.${didYouMean(word, known)}`)
    const earlier = (previous as { format: Format; file: string }[] | undefined) ?? []
    if (earlier.some((order) => order.file === file))
      throw new Error(`two reports have the same destination: ${file === '-' ? 'stdout' : file}`)
    return [...earlier, { format, file }]
  }
}
