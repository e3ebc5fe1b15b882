/**
 * From a stored row to the value that a comparison reads. `path.ts` makes terms of these, one for a field or a part of
 * one, and one for each modifier.
 *
 * @module
 */

import { isObject } from '../../exchange/json-object.ts'
import type { Affinity, Field, FieldOutline, Json, Row, SqlValue, Value } from '../vocabulary.ts'
import { lowerAscii } from './lower-ascii.ts'
import { sqlText, sqlValue } from './sql-value.ts'

/** How a field, or a part of one, is read from a row. A missing row is read as a missing value. */
export interface Column {
  affinity: Affinity
  exact: boolean
  read(row: Row | null): SqlValue
}

/** The stored value for comparisons (contract-records 2.8). */
export function plainColumn(field: FieldOutline): Column {
  const { name, column } = field
  return {
    affinity: affinityOf(field),
    exact: column.exact,
    read: (row) => column.read(row?.values[name]),
  }
}

export function affinityOf({ column, multiple }: FieldOutline): Affinity {
  return multiple ? 'number' : column.affinity
}

/** A part of a structured value. A number in the path is always an index into a list. */
export function pathColumn(field: Field, path: readonly string[]): Column {
  return {
    affinity: 'none',
    exact: true,
    read: (row) => sqlValue(valueAt(row?.values[field.name] as Json | undefined, path)),
  }
}

/** Number of elements: 0 for nothing, 1 for a single value. */
export function lengthColumn(field: Field): Column {
  return { affinity: 'none', exact: false, read: (row) => elementList(row?.values[field.name]).length }
}

/** The string in lower case; a number is converted to a string. */
export function lowerColumn(column: Column): Column {
  return { affinity: 'none', exact: column.exact, read: (row) => lowerValue(column.read(row)) }
}

export function lowerValue(value: SqlValue): SqlValue {
  if (value === null) return null
  return lowerAscii(typeof value === 'number' ? sqlText(value, false) : value)
}

/** Elements of a list-like value. A single value is a list of one, an empty value an empty list. */
export function elementList(value: Value | undefined): string[] {
  if (Array.isArray(value)) return value.map((element) => String(element))
  return typeof value === 'string' && value !== '' ? [value] : []
}

/** Follows names and indexes into a JSON value; undefined if the path does not exist. */
export function valueAt(value: Json | undefined, path: readonly string[]): Json | undefined {
  let current: Json | undefined = value
  for (const step of path) {
    if (/^[0-9]+$/.test(step)) {
      current = Array.isArray(current) ? current[Number(step)] : undefined
    } else if (isObject(current)) {
      current = Object.hasOwn(current, step) ? current[step] : undefined
    } else {
      return undefined
    }
  }
  return current
}

/**
 * The elements that `:each` iterates over: elements of a list, or a single value as one element, even if it is empty.
 */
export function elementsOf(field: Field, value: Value | undefined): string[] {
  return field.multiple ? elementList(value) : [typeof value === 'string' ? value : '']
}
