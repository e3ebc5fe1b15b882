/**
 * Whether a record shows the value that was sent for a field. In which form is left open (document, section 2.3):
 * another form of the same value is the same value. Texts, truth values and relations have one form only (2.1).
 *
 * @module
 */

import { isDeepStrictEqual } from 'node:util'

type Same = (shown: unknown, sent: unknown) => boolean

/** By field of the table with all field types; what is not here is compared as it is. */
const otherForms: Record<string, Same> = {
  number: (shown, sent) => typeof shown === 'string' && shown !== '' && Number(shown) === sent,
  email: (shown, sent) => lower(shown) === lower(sent),
  url: (shown, sent) => hrefOf(shown) === hrefOf(sent),
  editor: (shown, sent) => wordsOf(shown) === wordsOf(sent),
  date: (shown, sent) => Math.abs(momentOf(shown) - momentOf(sent)) < 1_000,
  select: sameChoices,
  selects: sameChoices,
  json: (shown, sent) => isDeepStrictEqual(shown ?? null, sent) || isDeepStrictEqual(parsed(shown), sent),
  relation: (shown, sent) => shown === sent || (sent === '' && shown === null),
  relations: sameChoices,
  geo: samePlace,
}

export function sameValue(field: string, shown: unknown, sent: unknown): boolean {
  return isDeepStrictEqual(shown, sent) || (otherForms[field]?.(shown, sent) ?? false)
}

/** One or several choices, in any order; none may be shown as nothing at all. */
function sameChoices(shown: unknown, sent: unknown): boolean {
  return isDeepStrictEqual(choicesIn(shown), choicesIn(sent))
}

function choicesIn(value: unknown): unknown[] {
  if (Array.isArray(value)) return value.toSorted()
  return value === '' || value === null || value === undefined ? [] : [value]
}

function samePlace(shown: unknown, sent: unknown): boolean {
  const { lon, lat } = sent as { lon: number; lat: number }
  if (typeof shown === 'object' && shown !== null && 'lon' in shown && 'lat' in shown)
    return Number(shown.lon) === lon && Number(shown.lat) === lat
  const numbers = (JSON.stringify(shown)?.match(/-?\d+(\.\d+)?(e[+-]?\d+)?/gi) ?? []).map(Number)
  return numbers.includes(lon) && numbers.includes(lat)
}

function momentOf(value: unknown): number {
  if (typeof value === 'number') return value < 1e11 ? value * 1_000 : value
  const text = String(value).trim().replace(' ', 'T')
  return Date.parse(/([Zz]|[+-]\d\d:?\d\d)$/.test(text) ? text : `${text}Z`)
}

function lower(value: unknown): string {
  return String(value).toLowerCase()
}

function hrefOf(value: unknown): string {
  const text = String(value)
  return URL.canParse(text) ? new URL(text).href : text
}

/** What a reader sees of a piece of HTML. */
function wordsOf(value: unknown): string {
  return String(value)
    .replace(/<[^>]*>/g, ' ')
    .replaceAll('&amp;', '&')
    .replace(/\s+/g, ' ')
    .trim()
}

function parsed(value: unknown): unknown {
  try {
    return typeof value === 'string' ? JSON.parse(value) : undefined
  } catch {
    return undefined
  }
}
