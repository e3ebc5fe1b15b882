/**
 * Checks for values that code without types can pass and JSON cannot. They never arrive over HTTP, so the field rules do
 * not cover them.
 *
 * @module
 */

import { isObject } from '../../exchange/json-object.ts'
import { isPromise } from '../../spec/is-promise.ts'
import { kindName } from '../../spec/kind-name.ts'
import { fieldOfKey } from '../fields/body-keys.ts'
import type { Table } from '../vocabulary.ts'

/**
 * A promise without `await` would be stored as an empty string, a `Map` in a json field as `{}`, and noticed much later.
 *
 * @param name of the field, as the caller wrote it
 * @throws Error that names the field
 */
export function rejectNoValue(table: Table, name: string, value: unknown): void {
  if (fieldOfKey(table, name)?.type === 'json') {
    const what = noJson(value, '', [])
    if (what !== undefined) throw new Error(`"${name}" of table "${table.name}" ${what}`)
    return
  }
  const parts = Array.isArray(value) ? value : [value]
  for (const part of parts) {
    const what = noValue(part)
    if (what !== undefined) throw new Error(`"${name}" of table "${table.name}" was given ${what}`)
  }
}

/**
 * A promise, for example, has no fields of its own: the record would be created without any.
 *
 * @param whose the record, for the message
 * @throws TypeError unless the values are an object
 */
export function checkValues(whose: string, values: unknown): void {
  if (isPromise(values))
    throw new TypeError(`The values for ${whose} are a promise: await it first, and pass the result.`)
  if (!isObject(values))
    throw new TypeError(
      `The values for ${whose} must be an object with values by field name; found ${kindName(values)}.`,
    )
}

/**
 * @param what the argument, for the message
 * @throws TypeError unless the argument is a string
 */
export function checkString(what: string, given: unknown): void {
  if (isPromise(given)) throw new TypeError(`${what} is a promise: await it first.`)
  if (typeof given !== 'string') throw new TypeError(`${what} must be a string; found ${kindName(given)}.`)
}

/** What objects without a form in JSON can be given as. */
const instead: Readonly<Record<string, string>> = {
  Map: 'Object.fromEntries(map)',
  Set: '[...set]',
}

/**
 * What in a value JSON cannot hold, at any depth.
 *
 * @param at the path to it
 * @param around the objects that contain it: one of them again would have no end
 */
function noJson(value: unknown, at: string, around: readonly object[]): string | undefined {
  const place = at === '' ? '' : ` at "${at}"`
  const what = noValue(value)
  if (what !== undefined) return `was given${place} ${what}`
  if (typeof value === 'number' && !Number.isFinite(value))
    return `was given${place} ${value}, which JSON cannot hold.`
  if (typeof value !== 'object' || value === null) return undefined
  if (around.includes(value)) return `contains itself${place}, which JSON cannot hold.`
  // A date, for example, says itself what it is in JSON.
  if ('toJSON' in value && typeof value.toJSON === 'function') return undefined
  const entries = Object.entries(value)
  const kind = Object.prototype.toString.call(value).slice('[object '.length, -1)
  if (entries.length === 0 && kind !== 'Object' && kind !== 'Array')
    return `was given${place} a ${kind}, which JSON cannot hold: pass ${instead[kind] ?? 'an object or an array'}.`
  const inside = [...around, value]
  for (const [key, each] of entries) {
    const found = noJson(each, at === '' ? key : `${at}.${key}`, inside)
    if (found !== undefined) return found
  }
  return undefined
}

function noValue(value: unknown): string | undefined {
  if (typeof value === 'function') return 'a function, not a value: call it.'
  if (typeof value === 'symbol' || typeof value === 'bigint')
    return `a ${typeof value}, which JSON cannot hold.`
  if (value instanceof Date && Number.isNaN(value.getTime())) return 'an invalid date.'
  return isPromise(value) ? 'a promise, not its value: await it first.' : undefined
}
