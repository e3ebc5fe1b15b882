import { checkTable, placeInTable } from '../spec/check-table.ts'
import { fieldTypes } from '../spec/field-types.ts'
import { nearest } from '../spec/nearest.ts'
import type { TableInput } from '../spec/table-definition.ts'

const types = Object.keys(fieldTypes)

/**
 * A definition for the validator. A misspelled type or option would validate nothing; a type that is like none of the known
 * ones may be one of a newer server.
 *
 * @param at its position in the list of definitions
 * @throws TypeError that names the table, the place in it and what is expected there
 */
export function checkDefinition(definition: unknown, at: number): asserts definition is TableInput {
  checkTable(definition, at, TypeError)
  for (const [position, field] of ((definition as TableInput).fields ?? []).entries()) {
    const { name, type }: { name?: string; type?: string } = field
    const place = (option: string) => placeInTable(definition, at, ['fields', String(position), option])
    if (name === undefined) throw new TypeError(`${place('name')} is missing.`)
    if (type === undefined) throw new TypeError(`${place('type')} is missing. Types: ${types.join(', ')}.`)
    const meant = types.includes(type) ? undefined : nearest(type, types, 2)
    if (meant !== undefined)
      throw new TypeError(`${place('type')} is "${type}": there is no such type. Did you mean "${meant}"?`)
    if (field.type === 'select' && !Array.isArray(field.values))
      throw new TypeError(`${place('values')} is missing: a list of strings.`)
  }
}
