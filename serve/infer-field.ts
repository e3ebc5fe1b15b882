/**
 * Infers the definition of a field from its values in the rows of a table.
 *
 * @module
 */

import { fieldKind } from '../reference/fields/registry.ts'
import { countOf } from '../spec/count-of.ts'
import { type FieldType, fieldTypes } from '../spec/field-types.ts'
import type { FieldDefinition } from '../spec/table-definition.ts'

/** A table that rows may refer to, with its ids. */
export interface KnownTables {
  name: string
  id: string
  ids: ReadonlySet<string>
}

const opaqueId = /^[A-Za-z0-9_-]{12,}$/
const longestText = 5000

const types = Object.keys(fieldTypes) as FieldType[]

const relating = { cascadeDelete: false, minSelect: 0 }

/**
 * If values have different types or are all empty, the type is `json`, which keeps them unchanged. Strings that match
 * no other type are text.
 */
export function inferField(
  name: string,
  values: readonly unknown[],
  known: readonly KnownTables[],
): FieldDefinition {
  const present = values.filter((value) => value !== null && value !== undefined && value !== '')
  const all = (test: (value: unknown) => boolean) => present.length > 0 && present.every(test)
  const lists = all(Array.isArray)
  const target = targetOf(name, lists ? present.flat() : present, known)
  if (target !== undefined) {
    const most = lists ? greatest(100, present, (list) => (list as unknown[]).length) : 1
    return { name, type: 'relation', collectionId: target.id, maxSelect: most, ...relating }
  }
  const type = types.find((each) => all(fieldKind(each).infers))
  if (type !== undefined) return { name, type } as FieldDefinition
  if (present.length > 0 && !all((value) => typeof value === 'string'))
    return { name, type: 'json', maxSize: roomFor(present) }
  const longest = greatest(0, present, (value) => characters(String(value)))
  if (present.length === 0 && values.includes(null)) return { name, type: 'json' }
  return longest > longestText ? { name, type: 'text', max: longest * 2 } : { name, type: 'text' }
}

/**
 * The table whose ids include all values. Short ids, such as 1 and 2, are not enough: the field must then be named
 * after the table, like `author`, `authorId` or `author_ids` for `authors`.
 */
function targetOf(
  name: string,
  values: readonly unknown[],
  known: readonly KnownTables[],
): KnownTables | undefined {
  const ids = values.map((value) => (typeof value === 'number' ? String(value) : value))
  if (ids.length === 0 || !ids.every((id): id is string => typeof id === 'string')) return undefined
  return known.find(
    (table) =>
      ids.every((id) => table.ids.has(id)) &&
      (isCalled(name, table.name) || ids.every((id) => opaqueId.test(id))),
  )
}

/**
 * A field that is called like a table, with some values that are ids there and others that are not: a single wrong id
 * would silently make a number of the relation.
 */
export function danglingNotice(
  table: string,
  name: string,
  values: readonly unknown[],
  known: readonly KnownTables[],
): string | undefined {
  const target = known.find((each) => isCalled(name, each.name))
  if (target === undefined) return undefined
  const present = values.flat().filter((value) => value !== null && value !== undefined && value !== '')
  if (!present.some((value) => target.ids.has(String(value)))) return undefined
  const lost = present.filter((value) => !target.ids.has(String(value)))
  if (lost.length === 0 || !present.every((value) => typeof value === 'number' || typeof value === 'string'))
    return undefined
  const [first] = lost
  const others = lost.length === 1 ? '' : ` (and ${countOf(lost.length - 1, 'other value')})`
  const kept = typeof first === 'number' ? 'a number' : 'text'
  return `${table}.${name} looks like a relation to ${target.name}, but ${JSON.stringify(first)} is not an id there${others}: kept as ${kept}.`
}

/** `author`, `authorId` or `author_ids` for `authors`. */
function isCalled(name: string, table: string): boolean {
  const base = name.replace(/(_ids?|Ids?)$/, '').toLowerCase()
  return [table.toLowerCase(), singular(table.toLowerCase()), plural(table.toLowerCase())].includes(base)
}

const singular = (word: string) => word.replace(/ies$/, 'y').replace(/(?<!s)s$/, '')
const plural = (word: string) => `${word}s`

function roomFor(values: readonly unknown[]): number {
  const largest = greatest(0, values, (value) => Buffer.byteLength(JSON.stringify(value)))
  return Math.max(1_048_576, largest * 2)
}

/** Not `Math.max(...)`: a call with very many arguments exceeds the stack. */
function greatest(least: number, values: readonly unknown[], size: (value: unknown) => number): number {
  return values.reduce<number>((most, value) => Math.max(most, size(value)), least)
}

/** The characters of a short text are not counted: it fits anyway, and to count them takes longer than anything else here. */
function characters(text: string): number {
  return text.length > longestText ? [...text].length : text.length
}
