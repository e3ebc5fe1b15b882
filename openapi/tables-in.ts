/**
 * Accepts the forms in which users have table definitions, so that they need not extract the list themselves.
 *
 * @module
 */

import { isObject } from '../exchange/json-object.ts'
import { didYouMean, quoted } from '../spec/nearest.ts'
import type { ExportedTable } from './vocabulary.ts'

/** Keys under which files and responses have their tables. */
const keys = ['collections', 'tables', 'items'] as const

/**
 * The table definitions in the content of a file: a list of them, or an object with the list under `collections` (an
 * export), `tables` (a data file of `conformance serve`, or a state of the reference server) or `items` (a response of
 * the living family). An entry may have its definition under `definition`, as in `spec/tables.yaml`.
 *
 * Each definition is checked by `describeTables`.
 *
 * @throws Error with what was found instead
 *
 * @example
 * ```ts
 * import { readFile } from 'node:fs/promises'
 * import { describeTables, tablesIn } from 'record-auth-conformance/openapi'
 *
 * const tables = tablesIn(JSON.parse(await readFile('tables.json', 'utf8')))
 * const description = describeTables(tables)
 * ```
 */
export function tablesIn(content: unknown): ExportedTable[] {
  return listIn(content).map((entry, at) => {
    const definition = isObject(entry) && isObject(entry.definition) ? entry.definition : entry
    if (!isObject(definition)) throw new Error(`Table ${at} must be an object, not ${kindOf(definition)}.`)
    return definition as unknown as ExportedTable
  })
}

function listIn(content: unknown): readonly unknown[] {
  if (Array.isArray(content)) return content
  if (!isObject(content))
    throw new Error(`Table definitions must be a list or an object, not ${kindOf(content)}.`)
  for (const key of keys) if (Array.isArray(content[key])) return content[key]
  const [found] = Object.keys(content)
  const hint = found === undefined ? '' : ` Its first key is ${quoted(found)}.${didYouMean(found, keys)}`
  throw new Error(`The object has no list of tables under ${keys.join(', ')}.${hint}`)
}

function kindOf(value: unknown): string {
  if (value === null || value === undefined) return 'nothing'
  return Array.isArray(value) ? 'a list' : `a ${typeof value}`
}
