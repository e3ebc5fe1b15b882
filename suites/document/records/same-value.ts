/**
 * Whether a record shows the value that was sent for a field, or the one that it showed before. In which form is left
 * open (document, section 2.3): another form of the same value is the same value. Truth values have one form only.
 *
 * @module
 */

import { isDeepStrictEqual } from 'node:util'
import { isObject } from '../../../exchange/json-object.ts'
import { sameFiles } from './same-files.ts'

type Same = (one: unknown, other: unknown) => boolean

/** By field of the table with all field types; what is not here is compared as it is. */
const otherForms: Record<string, Same> = {
  text: sameText,
  number: sameNumber,
  email: (shown, sent) => lower(shown) === lower(sent),
  url: (shown, sent) => hrefOf(shown) === hrefOf(sent),
  editor: (shown, sent) => wordsOf(shown) === wordsOf(sent),
  date: sameMoment,
  select: sameChoices,
  selects: sameChoices,
  json: sameJson,
  relations: sameChoices,
  geo: samePlace,
}

/** By field: two responses may show what did not change in two forms. */
const movingForms: Record<string, Same> = {
  selects: sameChoices,
  relations: sameChoices,
  file: sameFiles,
  files: sameFiles,
}

/** Whether a record shows the value that was sent. */
export function sameValue(field: string, shown: unknown, sent: unknown): boolean {
  return same(otherForms[field], shown, sent)
}

/** Whether a record shows the value that it showed before. */
export function sameShown(field: string, now: unknown, before: unknown): boolean {
  return same(movingForms[field], now, before)
}

function same(otherForm: Same | undefined, one: unknown, other: unknown): boolean {
  if (isNothing(one) && isNothing(other)) return true
  return isDeepStrictEqual(one, other) || (otherForm?.(one, other) ?? false)
}

/** No value: a server may show it as an empty string or list, as null, or leave the field out. */
function isNothing(value: unknown): boolean {
  return value === undefined || value === null || value === '' || (Array.isArray(value) && value.length === 0)
}

/** A server may compose characters, and remove invisible spaces and control characters. */
export function sameText(shown: unknown, sent: unknown): boolean {
  if (typeof shown !== 'string' || seenIn(shown) !== seenIn(String(sent))) return false
  return spacesIn(shown) <= spacesIn(String(sent))
}

function spacesIn(text: string): number {
  return text.match(/\r\n|\s/g)?.length ?? 0
}

function seenIn(text: string): string {
  return text
    .normalize('NFC')
    .replace(/\s+/g, ' ')
    .replace(/\p{Cc}/gu, '')
    .trim()
}

/** A number that is not whole may be kept with two decimals, or with six digits. */
function sameNumber(shown: unknown, sent: unknown): boolean {
  if (typeof shown !== 'number' && (typeof shown !== 'string' || shown === '')) return false
  const [one, other] = [Number(shown), Number(sent)]
  return Number.isInteger(other) ? one === other : isNear(one, other, Math.max(0.01, Math.abs(other) * 1e-6))
}

/** A server may keep it as a string. */
function sameJson(shown: unknown, sent: unknown): boolean {
  return likeJson(shown ?? null, sent) || likeJson(parsed(shown), sent)
}

/**
 * Rails removes null from lists, Laravel makes null of empty strings and trims others, and numbers may have six digits, as those of
 * a field of numbers.
 */
function likeJson(shown: unknown, sent: unknown): boolean {
  if (Array.isArray(shown) && Array.isArray(sent)) {
    const list = shown.length < sent.length ? sent.filter((each) => each !== null) : sent
    return list.length === shown.length && list.every((each, at) => likeJson(shown[at], each))
  }
  if (isObject(shown) && isObject(sent)) {
    const keys = Object.keys(sent)
    return (
      keys.length === Object.keys(shown).length &&
      keys.every((key) => Object.hasOwn(shown, key) && likeJson(shown[key], sent[key]))
    )
  }
  if (typeof sent === 'string') return (shown === null && sent.trim() === '') || sameText(shown, sent)
  if (typeof shown === 'number' && typeof sent === 'number' && !Number.isSafeInteger(sent))
    return isNear(shown, sent, Math.abs(sent) * 1e-6)
  return shown === sent
}

/** In seconds at least, or as a day. */
function sameMoment(shown: unknown, sent: unknown): boolean {
  const moment = momentOf(sent)
  if (Number.isNaN(moment)) return false
  const day = new Date(moment).toISOString().slice(0, 10)
  if (shown === day || Math.abs(momentOf(shown) - moment) < 1_000) return true
  // In the first years after 1970, a number does not show whether it counts seconds or milliseconds.
  return typeof shown === 'number' && Math.abs(shown - moment) < 1_000
}

/** One or several choices, in any order; none may be shown as nothing at all. */
function sameChoices(shown: unknown, sent: unknown): boolean {
  return isDeepStrictEqual(choicesIn(shown), choicesIn(sent))
}

/** A list, one string with commas, or an object by id; each as it is, or in an object with a label for example. */
function choicesIn(value: unknown): unknown[] {
  if (typeof value === 'string') return value.split(',').filter(Boolean).sort()
  return entriesOf(value)
    .map(choiceIn)
    .filter((choice) => !isNothing(choice))
    .sort()
}

function entriesOf(value: unknown): unknown[] {
  if (Array.isArray(value)) return value
  const isByKey = typeof value === 'object' && value !== null && choiceIn(value) === undefined
  return isByKey ? Object.values(value) : [value]
}

function choiceIn(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value
  const { value: its, id, name } = value as Record<string, unknown>
  return its ?? id ?? name
}

/** With a tolerance of about a hundred meters. */
function samePlace(shown: unknown, sent: unknown): boolean {
  const { lon, lat } = sent as { lon: number; lat: number }
  const near = (one: unknown, other: number) => isNear(Number(one), other, 1e-3)
  if (typeof shown === 'object' && shown !== null && 'lon' in shown && 'lat' in shown)
    return near(shown.lon, lon) && near(shown.lat, lat)
  const numbers = JSON.stringify(shown)?.match(/-?\d+(\.\d+)?(e[+-]?\d+)?/gi) ?? []
  if (numbers.length === 0) return lon === 0 && lat === 0 && isNothing(shown)
  return numbers.some((each) => near(each, lon)) && numbers.some((each) => near(each, lat))
}

function isNear(one: number, other: number, tolerance: number): boolean {
  return Math.abs(one - other) <= tolerance
}

function momentOf(value: unknown): number {
  if (typeof value === 'number') return value < 1e11 ? value * 1_000 : value
  if (typeof value === 'object' && value !== null) return momentOf(Object.values(value)[0])
  const text = String(value).trim()
  if (!/^\d{4}-/.test(text)) return Date.parse(text)
  return Date.parse(
    /([Zz]|[+-]\d\d:?\d\d)$/.test(text) ? text.replace(' ', 'T') : `${text.replace(' ', 'T')}Z`,
  )
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
    .replace(/&#(x?)([0-9a-f]+);/gi, (_, hex, digits) =>
      String.fromCodePoint(Number.parseInt(digits, hex === '' ? 10 : 16) || 0x20),
    )
    .replaceAll('&nbsp;', ' ')
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
