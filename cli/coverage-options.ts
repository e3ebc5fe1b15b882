/**
 * The options of `conformance coverage`.
 *
 * @module
 */

import type { CoverageFloor } from '../validate/coverage/create-coverage.ts'
import { oneOf } from './parse-option.ts'
import { declaredRows, noColorRow, type OptionRow } from './run-options.ts'
import { failUnderRow } from './validate-options.ts'

export interface CoverageFlags {
  format?: 'text' | 'markdown' | 'json'
  missing?: boolean
  /** Not validated as ids yet. */
  operation?: string[]
  failUnder?: CoverageFloor
  seed?: number
  color: boolean
}

export const coverageOptionRows: readonly OptionRow[] = [
  {
    flags: '--format <name>',
    group: 'Output',
    description: 'text (default), markdown or json',
    parse: oneOf('text', 'markdown', 'json'),
  },
  {
    flags: '--missing',
    group: 'Selection',
    description: 'show only described parts that were not seen, with known reasons',
  },
  {
    flags: '--operation <id>',
    group: 'Selection',
    description: 'show one operation, such as listRecords, with the ids of the requirements; repeatable',
    parse: words,
  },
  failUnderRow,
  ...declaredRows(['seed']),
  noColorRow,
]

function words(text: string, previous: unknown): string[] {
  return [...((previous as string[] | undefined) ?? []), text]
}
