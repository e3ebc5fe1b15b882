/**
 * The fields of a record's own table, by type. Only their form: the suite tests whether the server was right to accept
 * a value.
 *
 * @module
 */

import { factsOf } from '../../spec/field-types.ts'
import type { FieldInput } from '../../spec/table-definition.ts'
import type { ClaimBeyondSchema } from '../claims.ts'
import { shown } from '../mismatch.ts'
import type { BodyObject, ClaimRequirement, Judging } from './judging.ts'
import type { IndexedTable } from './table-index.ts'

function requirementOf(field: FieldInput): ClaimBeyondSchema {
  const isSingle = field.type === 'relation' && (field.maxSelect ?? 1) <= 1
  return isSingle ? 'relation.single-id' : (factsOf(field.type)?.form ?? 'record.table-fields')
}

/** Empty values of a server without zero values. */
function isUnset({ type }: FieldInput, value: unknown): boolean {
  if (value === undefined) return true
  return type !== 'json' && (value === null || (Array.isArray(value) && value.length === 0))
}

/** Reports the requirements that `judgeTableFields` checks for a table. */
export function claimTableFields(claim: ClaimRequirement, { fields }: IndexedTable): void {
  for (const field of fields) claim(requirementOf(field))
  for (const id of ['record.table-fields', 'field.zero-values'] as const) claim(id)
}

/** @param table of the path, for records that do not name their table */
export function judgeTableFields(judging: Judging, record: BodyObject, path: string, table: string): void {
  const { tables, picked, add, strict } = judging
  const { collectionId, collectionName } = record
  const definition = [collectionId, collectionName, table]
    .map((key) => (typeof key === 'string' && key !== '' ? tables?.find(key) : undefined))
    .find((each) => each !== undefined)
  if (definition === undefined) return
  for (const field of definition.fields) {
    const value = record[field.name]
    // Only superusers see hidden fields; fields that were not selected are absent.
    if (value === undefined && (field.hidden === true || picked)) continue
    // A selected string may be an excerpt.
    if (picked && typeof value === 'string') continue
    const expected =
      value === undefined
        ? `the field ${field.name} of ${definition.name}`
        : factsOf(field.type)?.expected(value, field, { isPart: picked, isExact: definition.isExact })
    if (expected === undefined) continue
    const requirement = isUnset(field, value) ? 'field.zero-values' : requirementOf(field)
    add(requirement, `${path}/${field.name}`, expected, shownOf(field, value))
  }
  if (!strict) return
  for (const key in record)
    if (!definition.keys.has(key))
      add('record.table-fields', `${path}/${key}`, `only fields of ${definition.name}`, `a key ${shown(key)}`)
}

function shownOf({ type }: FieldInput, value: unknown): string {
  if (value === undefined) return 'no such key'
  return type === 'password' ? 'a value' : shown(value)
}
