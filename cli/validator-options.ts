/**
 * Converts the flags of `validate` and `proxy` to the options of a validator and the coverage floor.
 *
 * @module
 */

import { existsSync, readFileSync } from 'node:fs'
import { ConfigurationError, messageOf, unwritable } from '../harness/errors.ts'
import { expectWritable, rewriteWhole } from '../harness/support/write-whole.ts'
import type { TableDefinition } from '../spec/table-definition.ts'
import {
  type Coverage,
  createCoverage,
  describeCoverage,
  isCoverage,
} from '../validate/coverage/create-coverage.ts'
import type { ValidatorOptions } from '../validate/vocabulary.ts'
import { readTableFile } from './table-file.ts'
import type { CommonFlags } from './validate-options.ts'

/** @throws ConfigurationError if the table definitions cannot be read */
export async function validatorOptions(flags: CommonFlags): Promise<ValidatorOptions> {
  const { tables, profile, prefix, strict } = flags
  const definitions = tables === undefined ? undefined : await readTableFile(tables, definitionOf)
  return { tables: definitions, profile, prefix, strict }
}

/** The part that the validator checks. */
function definitionOf(row: unknown, at: number): TableDefinition {
  const table = objectOf(row)
  if (typeof table?.name !== 'string') throw new Error(`entry ${at} is not a table with a "name"`)
  const { name, fields = [] } = table
  if (!Array.isArray(fields)) throw new Error(`the "fields" of table "${name}" are not an array`)
  const odd = fields.findIndex((field) => typeof objectOf(field)?.name !== 'string')
  if (odd >= 0) throw new Error(`field ${odd} of table "${name}" is not an object with a "name"`)
  const open = fields.find(({ type, values }) => type === 'select' && !Array.isArray(values))
  if (open !== undefined)
    throw new Error(`the "values" of field "${open.name}" of table "${name}" are not an array`)
  return table as unknown as TableDefinition
}

function objectOf(value: unknown): Record<string, unknown> | undefined {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : undefined
}

/** Tests first whether its file can be written, so that a day of traffic is not lost. @throws ConfigurationError */
export function startCoverage({ coverage: file }: CommonFlags): Coverage {
  if (file !== undefined) {
    try {
      expectWritable(file)
    } catch (error) {
      throw unwritable('the coverage', `--coverage ${file}`, error)
    }
    addKnown(createCoverage(), file)
  }
  return createCoverage()
}

/**
 * Writes and prints the coverage, if requested.
 *
 * @returns what is below the floor, in words
 */
export function settleCoverage(
  coverage: Coverage,
  { coverage: file, failUnder }: CommonFlags,
  print: (line: string) => void,
): string[] {
  if (file === undefined && failUnder === undefined) return []
  if (file !== undefined) writeCoverage(coverage, file)
  print(describeCoverage(coverage.report()))
  const missed = coverage.below(failUnder ?? {})
  for (const line of missed) print(`below --fail-under: ${line}`)
  return missed
}

function writeCoverage(coverage: Coverage, file: string): void {
  addKnown(coverage, file)
  try {
    rewriteWhole(file, `${JSON.stringify(coverage.report(), null, 2)}\n`)
  } catch (error) {
    throw unwritable('the coverage', `--coverage ${file}`, error)
  }
}

/** The coverage from earlier commands. */
function addKnown(coverage: Coverage, file: string): void {
  if (!existsSync(file)) return
  try {
    const known: unknown = JSON.parse(readFileSync(file, 'utf8'))
    if (!isCoverage(known)) throw new Error('it is not a coverage file')
    coverage.merge(known)
  } catch (error) {
    throw new ConfigurationError(
      `the coverage cannot be added to the file: ${messageOf(error)}`,
      `--coverage ${file}`,
      'use a file that this command wrote before, or one that does not exist yet',
    )
  }
}
