/**
 * The fields of a record's own table, by type. Only forms: whether a value was accepted rightly is the suite's to ask.
 *
 * @module
 */

import { isObject } from '../../exchange/json-object.ts'
import { isRecordTime } from '../../spec/formats.ts'
import type { FieldInput } from '../../spec/table-definition.ts'
import type { ClaimBeyondSchema } from '../claims.ts'
import { shown } from '../mismatch.ts'
import type { Body, Judging } from './judging.ts'

/** What a field of this definition reads as, or undefined where `value` is just that. */
function expectedForm(field: FieldInput, value: unknown, picked: boolean): string | undefined {
  switch (field.type) {
    case 'text':
    case 'editor':
      return typeof value === 'string' ? undefined : 'text'
    case 'email':
      return value === '' || (typeof value === 'string' && value.includes('@'))
        ? undefined
        : 'an address or ""'
    case 'url':
      // The profile takes a host without a scheme for one.
      return value === '' || (typeof value === 'string' && /[:.]/.test(value)) ? undefined : 'a URL or ""'
    case 'number':
      if (typeof value !== 'number') return 'a number'
      return field.onlyInt && !Number.isInteger(value) ? 'an integer' : undefined
    case 'bool':
      return typeof value === 'boolean' ? undefined : 'true or false'
    case 'date':
    case 'autodate':
      return value === '' || (typeof value === 'string' && isRecordTime(value))
        ? undefined
        : 'an instant as YYYY-MM-DD HH:MM:SS.mmmZ, or ""'
    case 'select':
      return textOrList(
        value,
        field.maxSelect,
        (text) => field.values.includes(text),
        `of ${shown(field.values)}`,
      )
    case 'file':
      return textOrList(value, field.maxSelect, (text) => text !== '', 'names of files')
    case 'relation':
      return textOrList(value, field.maxSelect, (text) => text !== '', 'ids of records')
    case 'password':
      return value === '' ? undefined : '"", whatever is stored'
    case 'geoPoint':
      return isObject(value) && isNumber(value.lon, picked) && isNumber(value.lat, picked)
        ? undefined
        : 'an object with the numbers lon and lat'
    case 'json':
      return undefined
  }
}

/** @param picked so that it may be missing */
function isNumber(value: unknown, picked: boolean): boolean {
  return typeof value === 'number' || (picked && value === undefined)
}

/** One value as text where at most one can be chosen, otherwise a list. */
function textOrList(
  value: unknown,
  maxSelect: number | undefined,
  fits: (text: string) => boolean,
  what: string,
): string | undefined {
  const most = maxSelect ?? 1
  if (most <= 1)
    return value === '' || (typeof value === 'string' && fits(value)) ? undefined : `a string, ${what}, or ""`
  const list = Array.isArray(value) && value.length <= most
  return list && value.every((each) => typeof each === 'string' && fits(each))
    ? undefined
    : `an array of at most ${most}, ${what}`
}

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
    const expected = expectedForm(field, value, picked)
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
