/**
 * The fields of a record's own table, by type. Only forms: whether a value was accepted rightly is the suite's to ask.
 *
 * @module
 */

import { factsOf } from '../../spec/field-types.ts'
import type { FieldInput } from '../../spec/table-definition.ts'
import type { ClaimBeyondSchema } from '../claims.ts'
import { shown } from '../mismatch.ts'
import type { Body, Judging } from './judging.ts'

function claimOf({ type, ...field }: FieldInput): ClaimBeyondSchema {
  if (type === 'password') return 'password.never-shown'
  if (type === 'relation' && ((field as { maxSelect?: number }).maxSelect ?? 1) <= 1)
    return 'relation.single-id'
  return type === 'text' || type === 'bool' ? 'record.table-fields' : 'field-types.all'
}

/** @param table of the path, for records that do not tell their own */
export function judgeTableFields(judging: Judging, record: Body, path: string, table: string): void {
  const { tables, picked, add, strict } = judging
  const { collectionId, collectionName } = record
  const definition = [collectionId, collectionName, table]
    .map((key) => (typeof key === 'string' && key !== '' ? tables?.find(key) : undefined))
    .find((each) => each !== undefined)
  if (definition === undefined) return
  for (const field of definition.fields) {
    const value = record[field.name]
    if (value === undefined) {
      // What is hidden is shown to superusers only; what was not picked is not there.
      if (field.hidden !== true && !picked)
        add(
          'record.table-fields',
          `${path}/${field.name}`,
          `the field ${field.name} of ${definition.name}`,
          'no such key',
        )
      continue
    }
    // A picked text may be an excerpt.
    if (picked && typeof value === 'string') continue
    const expected = factsOf(field.type)?.expected(value, field, picked)
    if (expected !== undefined) {
      const shownValue = field.type === 'password' ? 'a value' : shown(value)
      add(claimOf(field), `${path}/${field.name}`, expected, shownValue)
    }
  }
  if (!strict) return
  for (const key in record)
    if (!definition.keys.has(key))
      add('record.table-fields', `${path}/${key}`, `only fields of ${definition.name}`, `a key ${shown(key)}`)
}
