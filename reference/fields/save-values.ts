import type { AutodateDefinition, TextDefinition } from '../../spec/table-definition.ts'
import type { Environment, Field, Table, Value, Values } from '../vocabulary.ts'
import { dateText } from './date-input.ts'
import { kindOf } from './registry.ts'

/** Generates every text of a new record that was left empty and has a pattern to generate from, its id included. */
export function fillGenerated(table: Table, values: Values, environment: Environment): Values {
  const filled: Record<string, Value> = { ...values }
  if (filled.id === '' && environment.nextId && !table.system) filled.id = environment.nextId(table.name)
  for (const field of generatedFields(table)) {
    if (filled[field.name] !== '') continue
    filled[field.name] = kindOf(field).modifiers.autogenerate?.('', '', environment) ?? ''
  }
  return filled
}

/** Sets the autodates that are due: on create those with `onCreate`, on update those with `onUpdate`. */
export function stampDates(table: Table, values: Values, event: 'create' | 'update', now: number): Values {
  const stamped: Record<string, Value> = { ...values }
  const date = dateText(now)
  for (const field of table.fields) {
    if (field.type !== 'autodate') continue
    const { onCreate, onUpdate } = field.definition as Required<AutodateDefinition>
    if (event === 'create' ? onCreate : onUpdate) stamped[field.name] = date
  }
  return stamped
}

const generated = new WeakMap<Table, readonly Field[]>()

function generatedFields(table: Table): readonly Field[] {
  const known = generated.get(table)
  if (known) return known
  const fields = table.fields.filter(
    ({ type, definition }) =>
      type === 'text' && (definition as Required<TextDefinition>).autogeneratePattern !== '',
  )
  generated.set(table, fields)
  return fields
}
