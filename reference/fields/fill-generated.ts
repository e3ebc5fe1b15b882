/**
 * Values of a record that the server sets automatically.
 *
 * @module
 */

import type { Environment, Table, Value, Values } from '../vocabulary.ts'
import { dateText } from './read-date.ts'

/** Generates every empty value of a new record that can be generated, its id included. */
export function fillGenerated(table: Table, values: Values, environment: Environment): Values {
  const filled: Record<string, Value> = { ...values }
  if (filled.id === '' && environment.nextId && !table.system) filled.id = environment.nextId(table.name)
  for (const { name, zero, generate } of table.fields)
    if (generate && filled[name] === zero) filled[name] = generate(environment)
  return filled
}

/** Sets the autodates: on create those with `onCreate`, on update those with `onUpdate`. */
export function stampDates(table: Table, values: Values, event: 'create' | 'update', now: number): Values {
  const stamped: Record<string, Value> = { ...values }
  let date: string | undefined
  for (const { definition, name } of table.fields) {
    if (definition.type !== 'autodate') continue
    if (!(event === 'create' ? definition.onCreate : definition.onUpdate)) continue
    // Only now: it takes as long as the checks of several fields.
    date ??= dateText(now)
    stamped[name] = date
  }
  return stamped
}
