/**
 * Checks for values that code can pass and JSON cannot. They never arrive over HTTP, so the field rules do not cover
 * them.
 *
 * @module
 */

import type { Table } from './vocabulary.ts'

/**
 * A promise without `await` would be stored as an empty string, and noticed much later.
 *
 * @param name of the field, as the caller wrote it
 * @throws Error that names the field
 */
export function rejectNoValue(table: Table, name: string, value: unknown): void {
  const parts = Array.isArray(value) ? value : [value]
  for (const part of parts) {
    const what = noValue(part)
    if (what !== undefined) throw new Error(`"${name}" of table "${table.name}" was given ${what}`)
  }
}

/**
 * A promise has no fields of its own: the record would be created without any.
 *
 * @throws Error
 */
export function rejectPromise(whose: string, values: unknown): void {
  if (isPromise(values))
    throw new Error(`The values for ${whose} are a promise: await it before, and give what it gives.`)
}

function isPromise(value: unknown): boolean {
  return typeof value === 'object' && value !== null && 'then' in value && typeof value.then === 'function'
}

function noValue(value: unknown): string | undefined {
  if (typeof value === 'function') return 'a function, not a value: call it.'
  if (typeof value === 'symbol' || typeof value === 'bigint')
    return `a ${typeof value}, which JSON cannot hold.`
  return isPromise(value) ? 'a promise, not its value: await it first.' : undefined
}
