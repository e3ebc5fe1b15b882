/**
 * Values for the fields of a table, by their types: what `spec/field-types.ts` says of each. A new field type is in
 * every check that uses these.
 *
 * @module
 */

import type { Body } from '../../../harness/vocabulary/api.ts'
import { factsOf } from '../../../spec/field-types.ts'
import type { FieldDefinition } from '../../../spec/table-definition.ts'
import { definedFieldsOf } from '../../../spec/tables.ts'

/** The fields of a table of the suites, without its stamps. */
export function fieldsOf(role: string): FieldDefinition[] {
  return definedFieldsOf(role).filter(({ name }) => name !== 'created' && name !== 'updated')
}

const everything = fieldsOf('everything')

const holdsList = (field: FieldDefinition) => 'maxSelect' in field && (field.maxSelect ?? 1) > 1

/** A value that is not empty for each field of `everything` that JSON can fill, those with several values aside. */
export function samples(relatedId: string): Body {
  const filled = everything.filter((field) => !holdsList(field))
  const values = filled.map(({ name, type }) => [
    name,
    type === 'relation' ? relatedId : factsOf(type)?.sample,
  ])
  return Object.fromEntries(values.filter(([, value]) => value !== undefined))
}

/** What each field of `everything` shows that was never set, in the standard profile. */
export function zeros(): Body {
  const written = everything.filter(({ type }) => type !== 'autodate')
  return Object.fromEntries(
    written.map((field) => [field.name, holdsList(field) ? [] : factsOf(field.type)?.zero]),
  )
}
