/**
 * The definition of a field from the values that it has in the rows of a table.
 *
 * @module
 */

import type { FieldDefinition } from '../spec/table-definition.ts'

/** A table that rows may point to, with the ids it holds. */
export interface Known {
  name: string
  id: string
  ids: ReadonlySet<string>
}

const instant = /^\d{4}-\d\d-\d\d([T ]\d\d:\d\d(:\d\d(\.\d+)?)?(Z|[+-]\d\d:?\d\d)?)?$/
const email = /^[^\s@<>()]+@[^\s@]+\.[a-z]{2,}$/i
const address = /^https?:\/\/[^\s/]+\.[^\s]+$/
const opaqueId = /^[A-Za-z0-9_-]{12,}$/
const longestText = 5000

const relating = { cascadeDelete: false, minSelect: 0 }

/** Where values disagree or say nothing, `json` keeps them as they are. */
export function inferField(
  name: string,
  values: readonly unknown[],
  known: readonly Known[],
): FieldDefinition {
  const present = values.filter((value) => value !== null && value !== undefined && value !== '')
  const all = (test: (value: unknown) => boolean) => present.length > 0 && present.every(test)
  const lists = all(Array.isArray)
  const target = targetOf(name, lists ? present.flat() : present, known)
  if (target !== undefined) {
    const most = lists ? Math.max(100, ...present.map((list) => (list as unknown[]).length)) : 1
    return { name, type: 'relation', collectionId: target.id, maxSelect: most, ...relating }
  }
  if (all((value) => typeof value === 'boolean')) return { name, type: 'bool' }
  if (all((value) => typeof value === 'number')) return { name, type: 'number' }
  if (all(isPoint)) return { name, type: 'geoPoint' }
  if (present.length > 0 && !all((value) => typeof value === 'string'))
    return { name, type: 'json', maxSize: roomFor(present) }
  if (all((value) => instant.test(String(value)) && !Number.isNaN(Date.parse(String(value)))))
    return { name, type: 'date' }
  if (all((value) => email.test(String(value)))) return { name, type: 'email' }
  if (all((value) => address.test(String(value)))) return { name, type: 'url' }
  const longest = Math.max(0, ...present.map((value) => [...String(value)].length))
  if (present.length === 0 && values.includes(null)) return { name, type: 'json' }
  return longest > longestText ? { name, type: 'text', max: longest * 2 } : { name, type: 'text' }
}

function isPoint(value: unknown): boolean {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false
  const { lon, lat } = value as { lon?: unknown; lat?: unknown }
  return typeof lon === 'number' && typeof lat === 'number' && Object.keys(value).length === 2
}

/**
 * The table whose ids all values are. Short ids, such as 1 and 2, prove nothing by themselves: the field must then be
 * called like the table, as `author`, `authorId` or `author_ids` are for `authors`.
 */
function targetOf(name: string, values: readonly unknown[], known: readonly Known[]): Known | undefined {
  const ids = values.map((value) => (typeof value === 'number' ? String(value) : value))
  if (ids.length === 0 || !ids.every((id): id is string => typeof id === 'string')) return undefined
  const base = name.replace(/(_ids?|Ids?)$/, '').toLowerCase()
  const called = (table: string) => [table, singular(table), plural(table)].includes(base)
  return known.find(
    (table) =>
      ids.every((id) => table.ids.has(id)) &&
      (called(table.name.toLowerCase()) || ids.every((id) => opaqueId.test(id))),
  )
}

const singular = (word: string) => word.replace(/ies$/, 'y').replace(/(?<!s)s$/, '')
const plural = (word: string) => `${word}s`

function roomFor(values: readonly unknown[]): number {
  const largest = Math.max(...values.map((value) => Buffer.byteLength(JSON.stringify(value))))
  return Math.max(1_048_576, largest * 2)
}
