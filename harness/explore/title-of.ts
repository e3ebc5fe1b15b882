/**
 * Which field of a table fits one of ours best, by its name and by what the records hold. Pure.
 *
 * @module
 */

import { commonFields } from '../../spec/common-fields.ts'

type Row = Readonly<Record<string, unknown>>

/** Names that servers give to a line of text, with how well they fit a title. */
const titleNames: ReadonlyMap<string, number> = new Map([
  ['title', 12],
  ['name', 10],
  ['headline', 9],
  ['subject', 9],
  ['caption', 8],
  ['label', 8],
  ['heading', 8],
  ['text', 7],
  ['content', 7],
  ['body', 7],
  ['description', 7],
  ['message', 7],
  ['note', 7],
  ['summary', 7],
  ['comment', 7],
])

/** Names of a text field in a table whose records show none, the likeliest first. */
export const usualTitles: readonly string[] = [...titleNames.keys()]

/** Parts of a name that speak of something that is chosen or made, and not written. */
const chosen =
  /(^|_|[a-z])(id|ids|slug|status|state|type|kind|role|color|lang|locale|url|link|email|phone|at|date|hash|token|key|code)$/i
const common = new Set<string>([...commonFields, 'expand', 'password', 'email'])

/**
 * How well the field takes any text: above 0 it does, as far as its records show. What every record leaves empty may not
 * take one, or not alone: a field that is required is not empty.
 */
function fitOfText(field: string, rows: readonly Row[]): number {
  const values = rows.map((row) => row[field]).filter((value) => value !== null && value !== undefined)
  const strings = values.filter((value) => typeof value === 'string')
  if (values.length === 0 || strings.length < values.length) return 0
  const held = strings.filter((text) => text !== '')
  const usual = titleNames.get(field.toLowerCase())
  if (held.some((text) => isDate(text) || isAddress(text))) return 0
  const ids = held.filter(isId)
  // A field with the name of a text may hold words that look like an id: `release-notes-2024`.
  if (ids.length > 0 && (usual === undefined || held.some(isUuid))) return 0
  let fit = usual ?? 4
  if (chosen.test(field)) fit -= 3
  if (held.length > 0 && held.every((text) => /^[a-z0-9]+([-_][a-z0-9]+)+$/.test(text))) fit -= 3
  // A few values for many records are a choice between them.
  if (held.length >= 4 && new Set(held).size <= held.length / 2) fit -= 3
  if (held.some((text) => text.includes(' '))) fit += 1
  return held.length === 0 ? fit / 4 : fit
}

function isId(text: string): boolean {
  return isUuid(text) || (/^[A-Za-z0-9_-]{15,}$/.test(text) && /\d/.test(text))
}

function isUuid(text: string): boolean {
  return /^[0-9a-f]{8}-[0-9a-f]{4}-/i.test(text)
}

function isDate(text: string): boolean {
  return /^\d{4}-\d{2}-\d{2}/.test(text)
}

function isAddress(text: string): boolean {
  return /^[a-z][a-z+.-]*:\/\//i.test(text) || /^[^\s@]+@[^\s@]+\.[^\s@]+$/.test(text)
}

/** The field that fits a title best, and how well; `undefined` if no record shows one. */
export function titleOf(rows: readonly Row[]): { field: string; fit: number } | undefined {
  const fields = new Set(rows.flatMap((row) => Object.keys(row)))
  const fits = [...fields]
    .filter((field) => field !== '' && !common.has(field))
    .map((field) => ({ field, fit: fitOfText(field, rows) }))
    .filter(({ fit }) => fit > 0)
  return fits.sort((one, other) => other.fit - one.fit)[0]
}
