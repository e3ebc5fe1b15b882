import { definedFieldsOf } from '../../../spec/tables.ts'

/** The first text field of the table, in which a check can write anything. */
export function textFieldOf(role: string): string {
  const field = definedFieldsOf(role).find(({ name, type }) => type === 'text' && name !== 'id')
  if (field === undefined) throw new TypeError(`the table "${role}" of spec/tables.yaml has no text field`)
  return field.name
}
