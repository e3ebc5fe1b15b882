/**
 * The options of `conformance coverage`.
 *
 * @module
 */

import { operationPaths } from '../spec/generated/operations.ts'
import { didYouMean } from '../spec/nearest.ts'
import type { OperationId } from '../spec/vocabulary.ts'
import type { CoverageFloor } from '../validate/coverage.ts'
import { type OptionRow, runOptionRows } from './run-options.ts'
import { failUnderRow, oneOf } from './validate-options.ts'

export interface CoverageFlags {
  format?: 'text' | 'markdown' | 'json'
  missing?: boolean
  operation?: OperationId[]
  failUnder?: CoverageFloor
  seed?: number
  color: boolean
}

export const coverageOptionRows: readonly OptionRow[] = [
  {
    flags: '--format <name>',
    description: 'text (default), markdown or json',
    parse: oneOf('text', 'markdown', 'json'),
  },
  {
    flags: '--missing',
    description:
      'show only what the API description contains and was not seen, with the reasons that are known',
  },
  {
    flags: '--operation <id>',
    description: 'show one operation, such as listRecords, with the ids of the requirements; can be repeated',
    parse: operation,
  },
  failUnderRow,
  ...runOptionRows.filter(({ flags }) => /^--(seed|no-color)/.test(flags)),
]

function operation(text: string, previous: unknown): OperationId[] {
  const ids = operationPaths.map(({ id }) => id)
  const found = ids.find((id) => id === text)
  if (found === undefined) throw new Error(`there is no operation "${text}".${didYouMean(text, ids)}`)
  return [...((previous as OperationId[] | undefined) ?? []), found]
}
