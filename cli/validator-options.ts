/**
 * Converts the flags of `validate` and `proxy` to the options of a validator and the coverage floor.
 *
 * @module
 */

import { existsSync, readFileSync } from 'node:fs'
import { ConfigurationError, messageOf, unwritable } from '../harness/errors.ts'
import { expectWritable, rewriteWhole } from '../harness/support/write-whole.ts'
import type { TableInput } from '../spec/table-definition.ts'
import { checkDefinition } from '../validate/check-definition.ts'
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
  const definitions = tables === undefined ? undefined : await readTableFile(tables, checked)
  return { tables: definitions, profile, prefix, strict }
}

function checked(definition: unknown, at: number): TableInput {
  checkDefinition(definition, at)
  return definition
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
