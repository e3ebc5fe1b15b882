import type { FieldActions, Json, Value } from '../vocabulary.ts'
import { toTextList } from './cast.ts'

/**
 * What select, relation and file have in common: a list of different texts, of which a single-valued field keeps
 * the last (contract-records 3.4, 3.7).
 *
 * @param read makes a list of what a client sent
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
      append: (base, input) => keep([...new Set([...textsOf(base), ...read(input)])]),
      prepend: (base, input) => keep([...new Set([...read(input), ...textsOf(base)])]),
      remove(base, input) {
        const removed = new Set(read(input))
        return keep(textsOf(base).filter((text) => !removed.has(text)))
      },
    },
    render: (value) => value as Json,
  }
}

/** The texts of a stored value, single or not. Stored values were cast before, so nothing is read into them. */
export function textsOf(value: Value | undefined): readonly string[] {
  if (Array.isArray(value)) return value as string[]
  return typeof value === 'string' && value !== '' ? [value] : []
}
