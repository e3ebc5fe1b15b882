/**
 * Which keys of a body mean which field, those with a modifier included. Computed once for each table; `resolve-
 * body.ts` looks keys up.
 *
 * @module
 */

import type { Field, FieldBodyKey, Modifier, Modify, Table } from '../vocabulary.ts'

const spellings: Readonly<Record<Modifier, (name: string) => string>> = {
  append: (name) => `${name}+`,
  prepend: (name) => `+${name}`,
  remove: (name) => `${name}-`,
  autogenerate: (name) => `${name}:autogenerate`,
}

/** The keys that a body may use for these fields (contract-records 3.1). Clients cannot set an autodate. */
export function bodyKeys(fields: readonly Field[]): ReadonlyMap<string, FieldBodyKey> {
  const keys = new Map<string, FieldBodyKey>()
  for (const field of fields) {
    if (field.type === 'autodate') continue
    keys.set(field.name, { field })
    for (const [modifier, modify] of Object.entries(field.modifiers) as [Modifier, Modify][])
      keys.set(spellings[modifier](field.name), { field, modify })
  }
  return keys
}

/** `+` before the name of a field, and `+` or `-` behind it. */
const modifier = /^\+|[+-]$/g

/** The name in a key, without a modifier. Whether the field takes that modifier is not checked. */
export function nameInKey(key: string): string {
  return key.replace(modifier, '')
}

/** The field that a key names, with or without a modifier. */
export function fieldOfKey(table: Table, key: string): Field | undefined {
  return table.field(nameInKey(key))
}
