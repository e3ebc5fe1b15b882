/**
 * The fields of a record's own table, by type. Only forms: whether a value was accepted rightly is the suite's to ask.
 *
 * @module
 */

import { isObject } from '../../exchange/json-object.ts'
import { isRecordTime } from '../../spec/formats.ts'
import type { FieldInput, FieldType } from '../../spec/table-definition.ts'
import type { ClaimBeyondSchema } from '../claims.ts'
import { shown } from '../mismatch.ts'
import type { Body, Claim, Judging } from './judging.ts'
import type { IndexedTable } from './table-index.ts'

/**
 * The document says how a text and a truth value look (2.1), and a single relation. The form of everything else is the
 * profile's.
 */
const requirements: Readonly<Record<FieldType, ClaimBeyondSchema>> = {
  text: 'record.table-fields',
  number: 'number.casts',
  bool: 'record.table-fields',
  email: 'email.format',
  url: 'url.format',
  editor: 'editor.keeps-markup',
  date: 'date.normalises',
  autodate: 'date.normalises',
  select: 'select.casts',
  json: 'field.zero-values',
  file: 'file.stored-name',
  relation: 'relation.casts',
  password: 'password.never-shown',
  geoPoint: 'geo.casts',
}

function requirementOf(field: FieldInput): ClaimBeyondSchema {
  const isSingle = field.type === 'relation' && (field.maxSelect ?? 1) <= 1
  return isSingle ? 'relation.single-id' : requirements[field.type]
}

/**
 * What a field of this definition reads as, or undefined where `value` is just that.
 *
 * @param isExact whether bounds and choices are known as well
 */
function expectedForm(
  field: FieldInput,
  value: unknown,
  picked: boolean,
  isExact: boolean,
): string | undefined {
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
      return isExact && field.onlyInt && !Number.isInteger(value) ? 'an integer' : undefined
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
        isExact,
        (text) => !isExact || field.values.includes(text),
        `of ${shown(field.values)}`,
      )
    case 'file':
      return textOrList(value, field.maxSelect, isExact, (text) => text !== '', 'names of files')
    case 'relation':
      return textOrList(value, field.maxSelect, isExact, (text) => text !== '', 'ids of records')
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
  isExact: boolean,
  fits: (text: string) => boolean,
  what: string,
): string | undefined {
  const most = maxSelect ?? 1
  if (most <= 1)
    return value === '' || (typeof value === 'string' && fits(value)) ? undefined : `a string, ${what}, or ""`
  const list = Array.isArray(value) && (!isExact || value.length <= most)
  return list && value.every((each) => typeof each === 'string' && fits(each))
    ? undefined
    : `an array of at most ${most}, ${what}`
}

/** What stands for no value on a server that has no zero values. */
function isUnset({ type }: FieldInput, value: unknown): boolean {
  if (value === undefined) return true
  return type !== 'json' && (value === null || (Array.isArray(value) && value.length === 0))
}

/** Tells what `judgeTableFields` judges of a table. */
export function claimTableFields(claim: Claim, { fields }: IndexedTable): void {
  for (const field of fields) claim(requirementOf(field))
  for (const id of ['record.table-fields', 'field.zero-values'] as const) claim(id)
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
    // What is hidden is shown to superusers only; what was not picked is not there.
    if (value === undefined && (field.hidden === true || picked)) continue
    // A picked text may be an excerpt.
    if (picked && typeof value === 'string') continue
    const expected =
      value === undefined
        ? `the field ${field.name} of ${definition.name}`
        : expectedForm(field, value, picked, definition.isExact)
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
