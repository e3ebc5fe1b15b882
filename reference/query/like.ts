/**
 * The patterns of `~` and `!~` (contract-records 2.8): from a right side to a pattern, and from a pattern to a test.
 *
 * @module
 */

import { escapePattern } from '../../spec/escape-pattern.ts'
import { RecentMap } from '../limits/recent-map.ts'
import { isAscii, lowerAscii } from './lower-ascii.ts'

/** How a literal right side of `~` is read: as a pattern of its own, or as a substring to find. */
export function containsPattern(text: string): string {
  return hasBarePercent(text) ? text : `%${quoteWildcards(text)}%`
}

/** True if a `%` has no backslash before it: then the string is used as the pattern unchanged. */
function hasBarePercent(text: string): boolean {
  let escaped = false
  for (const char of text) {
    if (char === '%' && !escaped) return true
    escaped = char === '\\' && !escaped
  }
  return false
}

/**
 * Puts a backslash before each `\`, `%` and `_` that has none. Runs from the end, since a backslash escapes what
 * follows.
 */
function quoteWildcards(text: string): string {
  const chars = [...text]
  const out: string[] = []
  for (let at = chars.length - 1; at >= 0; at -= 1) {
    const char = chars[at] as string
    out.push(char)
    if (char !== '\\' && char !== '%' && char !== '_') continue
    out.push('\\')
    if (chars[at - 1] === '\\') at -= 1
  }
  return out.reverse().join('')
}

/** A pattern may be the value of a field, of any length: only the patterns used last are cached. */
const remembered = new RecentMap<LikeTest>({ entries: 500, characters: 50_000 })

/** @param spend receives the steps that a match costs in addition to reading each character */
type LikeTest = (text: string, spend?: (steps: number) => void) => boolean

/**
 * A test for a pattern of `%` (any run), `_` (one character) and `\` (escapes the next character). Letters A to Z match
 * in either case. Between two `%` the leftmost match is enough, so a pattern without `_` is a linear search by the
 * engine for one piece after the other; the additional cost of `_` goes to `spend`.
 */
export function likeMatcher(pattern: string): LikeTest {
  const known = remembered.get(pattern)
  if (known !== undefined) return known
  const made = makeMatcher(pattern)
  remembered.set(pattern, made)
  return made
}

/** Codes of the special characters. */
const SPECIAL = new Set(['%', '_', '\\'].map((char) => char.charCodeAt(0)))

/** The part between two `%`: a literal string, or characters and `undefined` for each `_`. */
type Piece = string | (string | undefined)[]

function makeMatcher(pattern: string): LikeTest {
  const pieces = parsePattern(pattern)
  if (pieces === undefined) return () => false
  const [first = '', ...others] = pieces
  const last = others.pop()
  if (last === undefined) {
    return (text) => {
      const lower = lowerAscii(text)
      return typeof first === 'string' ? lower === first : endOf(lower, first, 0) === lower.length
    }
  }
  const middle = others.filter((piece) => piece.length > 0)
  const [only] = middle
  if (first === '' && last === '' && middle.length === 1 && typeof only === 'string')
    return containsMatcher(only)
  return (text, spend = () => {}) => {
    const lower = lowerAscii(text)
    let at = endOf(lower, first, 0)
    for (const piece of middle) {
      if (at < 0) return false
      at = endOfNext(lower, piece, at, spend)
    }
    return at >= 0 && startOf(lower, last) >= at
  }
}

/** Characters of a substring that the engine can look for in both letter cases. */
const shortSubstring = 30

/**
 * The test for a substring, which most patterns are. Without letters nothing needs to be lowered. Otherwise the engine
 * looks for both cases: beyond ASCII it would also find the other case of a letter, which SQL does not.
 *
 * @param piece lowered
 */
function containsMatcher(piece: string): LikeTest {
  if (!/[a-z]/.test(piece)) return (text) => text.includes(piece)
  if (piece.length > shortSubstring || !isAscii(piece)) return (text) => lowerAscii(text).includes(piece)
  const either = new RegExp(escapePattern(piece), 'i')
  return (text) => either.test(text)
}

/** The cost of parsing a pattern: mainly its special characters, and single characters where it contains `_`. */
export function patternSteps(pattern: string): number {
  let steps = pattern.includes('_') ? pattern.length >> 3 : 0
  for (let at = 0; at < pattern.length; at += 1) if (SPECIAL.has(pattern.charCodeAt(at))) steps += 1
  return steps
}

/** Undefined for a pattern that ends with a single backslash: it matches nothing. */
function parsePattern(pattern: string): Piece[] | undefined {
  let runs: (string | undefined)[] = []
  const pieces = [runs]
  let from = 0
  // By runs of literal text, not by characters: a pattern may be as long as a field.
  for (const { 0: special, index } of pattern.matchAll(/[%_\\]/g)) {
    // This character is escaped.
    if (index < from) continue
    if (index > from) runs.push(lowerAscii(pattern.slice(from, index)))
    from = index + 1
    if (special === '_') runs.push(undefined)
    else if (special === '\\') {
      const literal = pattern.codePointAt(from)
      if (literal === undefined) return undefined
      const text = String.fromCodePoint(literal)
      runs.push(lowerAscii(text))
      from += text.length
    } else if (runs.length > 0 || pieces.length === 1) {
      runs = []
      pieces.push(runs)
    }
  }
  if (from < pattern.length) runs.push(lowerAscii(pattern.slice(from)))
  return pieces.map((piece) =>
    piece.includes(undefined)
      ? piece.flatMap((run) => (run === undefined ? [undefined] : [...run]))
      : piece.join(''),
  )
}

/** End of the first match of a piece at or after `from`; -1 if there is none. */
function endOfNext(text: string, piece: Piece, from: number, spend: (steps: number) => void): number {
  if (typeof piece === 'string') {
    const found = text.indexOf(piece, from)
    return found < 0 ? -1 : found + piece.length
  }
  const [first] = piece
  let looked = 0
  for (let at = from; at <= text.length; at += 1) {
    // The engine finds the next place where it may begin.
    if (first !== undefined) at = text.indexOf(first, at)
    if (at < 0) return -1
    if (at > 0 && isPair(text, at - 1)) continue
    const end = endOf(text, piece, at)
    if (end >= 0) return end
    looked += 2 - end
    if (looked < 1000) continue
    spend(looked >> 3)
    looked = 0
  }
  return -1
}

/** End of a piece that matches at `from`; otherwise minus the number of characters that were compared. */
function endOf(text: string, piece: Piece, from: number): number {
  if (typeof piece === 'string') return text.startsWith(piece, from) ? from + piece.length : -1
  let at = from
  for (let step = 0; step < piece.length; step += 1) {
    const char = piece[step]
    if (at >= text.length) return -step - 1
    if (char === undefined) at += isPair(text, at) ? 2 : 1
    else if (text.startsWith(char, at)) at += char.length
    else return -step - 1
  }
  return at
}

/** Start of a piece that the text ends with; -1 if it does not. */
function startOf(text: string, piece: Piece): number {
  if (typeof piece === 'string') return text.endsWith(piece) ? text.length - piece.length : -1
  let at = text.length
  for (let step = piece.length - 1; step >= 0; step -= 1) {
    if (at <= 0) return -1
    const char = piece[step]
    if (char === undefined) at -= at > 1 && isPair(text, at - 2) ? 2 : 1
    else if (text.endsWith(char, at)) at -= char.length
    else return -1
  }
  return at
}

/** Whether a character of two units starts here. */
function isPair(text: string, at: number): boolean {
  const high = text.charCodeAt(at)
  if (high < 0xd800 || high > 0xdbff) return false
  const low = text.charCodeAt(at + 1)
  return low >= 0xdc00 && low <= 0xdfff
}
