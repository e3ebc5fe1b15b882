/**
 * Shows all mistakes of a table definition at once, so that they need not be corrected one by one.
 *
 * @module
 */

import { quoted } from '../../spec/nearest.ts'
import type { TableDefinition } from '../../spec/table-definition.ts'
import type { FieldError } from '../vocabulary.ts'

/** Errors of table definitions: from the place in the definition (`fields.2.name`, `indexes.0`) to the error. */
export type Problems = Record<string, FieldError>

/** An invalid table definition. Contains all errors that were found, not only the first. */
export class DefinitionError extends Error {
  override readonly name = 'DefinitionError'
  /** Name of the table. */
  readonly table: string
  readonly problems: Readonly<Problems>

  constructor({ name, fields = [] }: Pick<TableDefinition, 'name' | 'fields'>, problems: Problems) {
    const lines = Object.entries(problems).map(
      ([path, { code, message }]) => `  ${placeText(path, fields)}: ${message} (${code})`,
    )
    super(`The definition of table "${name}" cannot be used. Correct these places:\n${lines.join('\n')}`)
    this.table = name
    this.problems = problems
  }
}

/** `field "owner", collectionId` for `fields.2.collectionId`: people know the names of fields, and not their numbers. */
function placeText(path: string, fields: readonly { name?: unknown }[]): string {
  const [, place = '', option = ''] = /^fields\.(\d+)\.(.+)$/.exec(path) ?? []
  const name = fields[Number(place || Number.NaN)]?.name
  return typeof name === 'string' && name !== '' ? `field ${quoted(name)}, ${option}` : path
}
