/**
 * Shows all mistakes of a table definition at once, so that they need not be corrected one by one.
 *
 * @module
 */

import type { FieldError } from '../vocabulary.ts'

/** Errors of table definitions: from the place in the definition (`fields.2.name`, `indexes.0`) to the error. */
export type Problems = Record<string, FieldError>

/** An invalid table definition. Contains all errors that were found, not only the first. */
export class DefinitionError extends Error {
  override readonly name = 'DefinitionError'
  /** Name of the table. */
  readonly table: string
  readonly problems: Readonly<Problems>

  constructor(table: string, problems: Problems) {
    const lines = Object.entries(problems).map(
      ([path, { code, message }]) => `  ${path}: ${message} (${code})`,
    )
    super(`The definition of table "${table}" cannot be used. Correct these places:\n${lines.join('\n')}`)
    this.table = table
    this.problems = problems
  }
}
