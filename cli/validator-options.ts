/**
 * From the flags of `validate` and `proxy` to a validator's options, and to what their coverage has to reach.
 *
 * @module
 */

import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { parse } from 'yaml'
import { ConfigurationError } from '../harness/errors.ts'
import type { TableDefinition } from '../spec/table-definition.ts'
import { type Coverage, type CoverageReport, describeCoverage } from '../validate/coverage.ts'
import type { ValidatorOptions } from '../validate/vocabulary.ts'
import type { CommonFlags } from './validate-options.ts'

/** @throws ConfigurationError when the table definitions cannot be read */
export function validatorOptions({ tables, profile, prefix, strict }: CommonFlags): ValidatorOptions {
  return {
    ...(tables === undefined ? {} : { tables: readTables(tables) }),
    ...(profile === undefined ? {} : { profile }),
    ...(prefix === undefined ? {} : { prefix }),
    ...(strict === undefined ? {} : { strict }),
  }
}

function readTables(file: string): TableDefinition[] {
  try {
    const content: unknown = parse(readFileSync(file, 'utf8'))
    const list = Array.isArray(content) ? content : (content as { tables?: unknown } | null)?.tables
    if (!Array.isArray(list)) throw new Error('it is neither a list of tables nor an object with "tables"')
    return list.map((row: { definition?: TableDefinition } & TableDefinition) => row.definition ?? row)
  } catch (error) {
    throw new ConfigurationError(
      `the table definitions cannot be read: ${error instanceof Error ? error.message : String(error)}`,
      `--tables ${file}`,
      'give a JSON or YAML file in the form of spec/tables.yaml, or an export of the living server family',
    )
  }
}

/**
 * Writes and prints the coverage, where that was asked for.
 *
 * @returns whether it reaches the floor
 */
export function settleCoverage(
  coverage: Coverage,
  { coverage: file, failUnder }: CommonFlags,
  print: (line: string) => void,
): boolean {
  if (file === undefined && failUnder === undefined) return true
  if (file !== undefined) writeCoverage(coverage, file)
  print(describeCoverage(coverage.report()))
  const missed = coverage.below(failUnder ?? {})
  for (const line of missed) print(`not enough: ${line}`)
  return missed.length === 0
}

function writeCoverage(coverage: Coverage, file: string): void {
  try {
    if (existsSync(file)) coverage.merge(JSON.parse(readFileSync(file, 'utf8')) as CoverageReport)
    writeFileSync(file, `${JSON.stringify(coverage.report(), null, 2)}\n`)
  } catch (error) {
    throw new ConfigurationError(
      `the coverage cannot be written: ${error instanceof Error ? error.message : String(error)}`,
      `--coverage ${file}`,
      'name a file that this command wrote before, or one that does not exist yet',
    )
  }
}
