/**
 * Reads one row of a data file of this folder key by key. Whatever is wrong is reported with file, row and fact, so
 * that an author finds it without knowing the loader.
 *
 * @module
 */

import { didYouMean } from './nearest.ts'
import type { Source } from './vocabulary.ts'

/** A data file of this folder contradicts itself or its format: our own mistake, never a target's. */
export class SpecError extends Error {
  override readonly name = 'SpecError'

  /** @param place file and row: `spec/gaps.yaml, list.paging` */
  constructor(place: string, fact: string) {
    super(`${place}: ${fact}`)
  }
}

export interface SpecRow {
  /** File and row, for messages. */
  readonly place: string
  readonly cells: Readonly<Record<string, unknown>>
}

/**
 * @param place file and position: `spec/gaps.yaml, row 3`
 * @param name key whose value names the row better than its position
 * @param keys all keys that a row may have
 */
export function toRow(value: unknown, place: string, name: string, keys: readonly string[]): SpecRow {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw new SpecError(place, 'a row is a mapping of keys to values.')
  }
  const cells = value as Record<string, unknown>
  const own = typeof cells[name] === 'string' ? place.replace(/, row \d+$/, `, ${cells[name]}`) : place
  for (const key of Object.keys(cells)) {
    if (keys.includes(key)) continue
    throw new SpecError(
      own,
      `"${key}" is not a known key; the keys are ${keys.join(', ')}.${didYouMean(key, keys)}`,
    )
  }
  return { place: own, cells }
}

/** A list under a key of the file's top level; absent counts as empty. */
export function rowsUnder(content: unknown, key: string, file: string): unknown[] {
  const list = (content as Record<string, unknown> | null)?.[key] ?? []
  if (!Array.isArray(list)) throw new SpecError(file, `"${key}" is a list of rows.`)
  return list
}

export function requiredText(row: SpecRow, key: string): string {
  const value = optionalText(row, key)
  if (value === undefined) throw new SpecError(row.place, `"${key}" is missing.`)
  return value
}

export function optionalText({ place, cells }: SpecRow, key: string): string | undefined {
  const value = cells[key]
  if (value === undefined) return undefined
  if (typeof value === 'string' && value.trim() !== '') return value
  throw new SpecError(place, `"${key}" is ${JSON.stringify(value)}; it must be a non-empty string.`)
}

/** One string or a list of strings; absent counts as an empty list. */
export function strings({ place, cells }: SpecRow, key: string): string[] {
  const value = cells[key] ?? []
  const list: unknown[] = Array.isArray(value) ? value : [value]
  return list.map((entry) => {
    if (typeof entry === 'string' && entry !== '') return entry
    throw new SpecError(
      place,
      `"${key}" contains ${JSON.stringify(entry)}; it must be a string or a list of strings.`,
    )
  })
}

/** One place of the document or a list of them; absent counts as an empty list. */
export function sources({ place, cells }: SpecRow, key = 'source'): Source[] {
  const value = cells[key] ?? []
  return (Array.isArray(value) ? value : [value]).map((entry) => {
    const row = toRow(entry, `${place}, ${key}`, 'place', ['section', 'place', 'hash'])
    const hash = requiredText(row, 'hash')
    if (!/^[0-9a-f]{8}$/.test(hash)) {
      throw new SpecError(
        row.place,
        `"${hash}" is not a hash; a hash has eight hex digits (npm run segments).`,
      )
    }
    return { section: requiredText(row, 'section'), place: requiredText(row, 'place'), hash }
  })
}
