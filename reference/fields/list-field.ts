/**
 * What the field types share that may hold one string or several: select, relation and file.
 *
 * @module
 */

import type { FieldActions, Json, Value } from '../vocabulary.ts'
import { toTextList } from './cast.ts'

/**
 * The common behavior of select, relation and file: a list of distinct strings. A single-valued field keeps the
 * last one (contract-records 3.4, 3.7).
 *
 * @param read converts a value from a client to a list
 */
export function listField(
  multiple: boolean,
  read: (input: unknown) => string[] = toTextList,
): Omit<FieldActions, 'check'> {
  const keep = (list: string[]): Value => (multiple ? list : (list.at(-1) ?? ''))
  return {
    zero: multiple ? (Object.freeze([]) as unknown as Value) : '',
    accept: (input) => keep(read(input)),
    modifiers: {
      append: (base, input) => keep([...new Set([...stringsOf(base), ...read(input)])]),
      prepend: (base, input) => keep([...new Set([...read(input), ...stringsOf(base)])]),
      remove(base, input) {
        const removed = new Set(read(input))
        return keep(stringsOf(base).filter((text) => !removed.has(text)))
      },
    },
    render: (value) => value as Json,
  }
}

/** The strings of a stored value, single or not. Stored values were cast before, so they are not parsed again. */
export function stringsOf(value: Value | undefined): readonly string[] {
  if (Array.isArray(value)) return value as string[]
  return typeof value === 'string' && value !== '' ? [value] : []
}
