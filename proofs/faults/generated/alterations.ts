/**
 * Values instead of others.
 *
 * @module
 */

import { isJsonObject } from '../combinators/combinators.ts'

/** Stands for: the key is left out. */
export const dropped = Symbol('dropped')

export type Alter = (value: unknown) => unknown

/** By the name of the mutation. */
export const alterations = {
  dropped: () => dropped,
  altered,
  'of another type': ofAnotherType,
  zero: () => 0,
  'an empty string': () => '',
  false: () => false,
  null: () => null,
  'an empty array': () => [],
  'an empty object': () => ({}),
} satisfies Record<string, Alter>

/** Another value of the same type. */
function altered(value: unknown): unknown {
  if (typeof value === 'string') return /^\d{4}-/.test(value) ? `1999${value.slice(4)}` : `${value}x`
  if (typeof value === 'number') return value + 1
  if (typeof value === 'boolean') return !value
  if (Array.isArray(value)) return value.length === 0 ? ['x'] : value.slice(1)
  if (isJsonObject(value)) {
    const [first, ...others] = Object.entries(value)
    return first === undefined ? { x: 1 } : Object.fromEntries(others)
  }
  return 'x'
}

function ofAnotherType(value: unknown): unknown {
  if (typeof value === 'string') return 12_345
  if (Array.isArray(value)) return Object.fromEntries(value.entries())
  if (isJsonObject(value)) return [value]
  return value === null ? 0 : String(value)
}
