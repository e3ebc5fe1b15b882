/**
 * The fields of the tables of the suites by role, read once: `loadRoles` copies all tables at each call.
 *
 * @module
 */

import type { FieldDefinition } from '../../../spec/table-definition.ts'
import { loadRoles } from '../../../spec/tables.ts'

const fields = new Map(loadRoles().map(({ role, definition }) => [role, definition.fields ?? []]))

/** The fields that our definition gives to the table, its stamps included. None for a role that is not one of the suites. */
export function definedFieldsOf(role: string): readonly FieldDefinition[] {
  return fields.get(role) ?? []
}

/** The first text field of the table, in which a check can write anything. */
export function textFieldOf(role: string): string {
  const field = definedFieldsOf(role).find(({ name, type }) => type === 'text' && name !== 'id')
  if (field === undefined) throw new TypeError(`the table "${role}" of spec/tables.yaml has no text field`)
  return field.name
}
