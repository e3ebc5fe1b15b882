/**
 * The options of `conformance compare` and `conformance matrix`.
 *
 * @module
 */

import type { RunOptions } from '../harness/generated/run-options.ts'
import { once } from './parse-option.ts'
import { declaredRows, noColorRow, type OptionRow, reportsIn } from './run-options.ts'

const comparisonFormats = ['markdown', 'html', 'json'] as const

export type ComparisonFormat = (typeof comparisonFormats)[number]

/** The options of a run that make sense for two targets alike. */
const runNames = [
  'profile',
  'prefix',
  'only',
  'skip',
  'level',
  'seed',
  'runs',
  'timeout',
  'readOnly',
  'allowRemoteWrites',
] as const

export interface CompareFlags extends Pick<RunOptions, (typeof runNames)[number]> {
  report?: { format: ComparisonFormat; file: string }[]
  color: boolean
  quiet?: boolean
}

export const compareOptionRows: readonly OptionRow[] = [
  {
    flags: '--report <format=file>',
    group: 'Output',
    description: `write the comparison, to stdout with -; repeatable; formats: ${comparisonFormats.join(', ')}`,
    parse: reportsIn(comparisonFormats),
  },
  ...declaredRows(runNames),
  noColorRow,
  { flags: '--quiet', group: 'Output', description: 'print one line for each difference, and the result' },
]

export const compareHelp = [
  'Options under Selection also apply to reports. Those under Target, Reproduction and Limits apply only if BEFORE or AFTER is a target.',
]

export interface MatrixFlags {
  output: string
  title: string
}

export const matrixOptionRows: readonly OptionRow[] = [
  {
    flags: '--output <file>',
    description: 'file to write, or - for stdout (default: matrix.html)',
    parse: once,
  },
  { flags: '--title <text>', description: 'heading of the page (default: Conformance matrix)', parse: once },
]
