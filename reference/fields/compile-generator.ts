/**
 * Random strings for a pattern: those of `autogeneratePattern`, and values for records that tests generate.
 *
 * @module
 */

import type { Environment } from '../vocabulary.ts'

/** Generates one string that matches the pattern. */
export type Generator = (environment: Pick<Environment, 'random'>) => string

const digits = '0123456789'
const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
const printable = Array.from({ length: 95 }, (_, at) => String.fromCharCode(32 + at)).join('')
const escapes: Record<string, string> = {
  d: digits,
  w: `${digits}${letters}_`,
  s: ' ',
  n: '\n',
  t: '\t',
  r: '\r',
}

/**
 * Reads a pattern once into a generator. Known: literals, `.`, escapes, classes with ranges, groups, `|`, `^`, `$` and
 * the repeats `?` `*` `+` `{n}` `{n,}` `{n,m}`.
 *
 * @param openEnd most repeats for `+`, `*` and open ranges
 * @throws Error that names the place in the pattern
 */
export function compileGenerator(pattern: string, openEnd = 8): Generator {
  let at = 0
  const generator = alternatives()
  if (at < pattern.length) throw unexpected()
  return generator

  function alternatives(): Generator {
    const choices = [sequence()]
    while (pattern[at] === '|') {
      at += 1
      choices.push(sequence())
    }
    const [only] = choices
    if (only && choices.length === 1) return only
    return (environment) => choices[chooseBelow(choices.length, environment)]?.(environment) ?? ''
  }

  function sequence(): Generator {
    const parts: Generator[] = []
    while (at < pattern.length && pattern[at] !== '|' && pattern[at] !== ')') parts.push(repeated())
    return (environment) => parts.map((part) => part(environment)).join('')
  }

  function repeated(): Generator {
    const char = pattern[at]
    if (char === '^' || char === '$') {
      at += 1
      return () => ''
    }
    const alphabet = char === '(' ? undefined : oneOf()
    const part = alphabet === undefined ? group() : undefined
    const [least, most] = repeat()
    return (environment) => {
      const times = least + chooseBelow(most - least + 1, environment)
      if (alphabet !== undefined) return environment.random(alphabet, times)
      return Array.from({ length: times }, () => part?.(environment) ?? '').join('')
    }
  }

  function group(): Generator {
    at += 1
    const marker = /^\?(?::|P?<\w+>)/.exec(pattern.slice(at))
    at += marker?.[0].length ?? 0
    if (pattern[at] === '?') throw unexpected()
    const inner = alternatives()
    if (pattern[at] !== ')') throw unexpected()
    at += 1
    return inner
  }

  /** The characters that can appear at this position. */
  function oneOf(): string {
    const char = pattern[at] ?? ''
    if (char === '[') return characterClass()
    if (char === '\\') return escaped()
    if ('?*+{'.includes(char)) throw unexpected()
    at += 1
    return char === '.' ? printable : char
  }

  function escaped(): string {
    const char = pattern[at + 1]
    if (char === undefined || (/[A-Za-z0-9]/.test(char) && !(char in escapes))) throw unexpected()
    at += 2
    return escapes[char] ?? char
  }

  function characterClass(): string {
    at += 1
    const negated = pattern[at] === '^'
    if (negated) at += 1
    const members = new Set<string>()
    for (let first = true; first || pattern[at] !== ']'; first = false) {
      if (at >= pattern.length) throw unexpected()
      for (const char of classMember()) members.add(char)
    }
    at += 1
    const alphabet = negated ? [...printable].filter((char) => !members.has(char)) : [...members]
    if (alphabet.length === 0) throw unexpected()
    return alphabet.join('')
  }

  function classMember(): string {
    const low = pattern[at] === '\\' ? escaped() : (pattern[at++] ?? '')
    if (low.length !== 1 || pattern[at] !== '-' || pattern[at + 1] === ']') return low
    at += 1
    const high = pattern[at] === '\\' ? escaped() : (pattern[at++] ?? '')
    if (high.length !== 1 || high < low) throw unexpected()
    const size = high.charCodeAt(0) - low.charCodeAt(0) + 1
    return Array.from({ length: size }, (_, step) => String.fromCharCode(low.charCodeAt(0) + step)).join('')
  }

  function repeat(): [least: number, most: number] {
    const match = /^(?:([?*+])|\{(\d+)(,?)(\d*)\})\??/.exec(pattern.slice(at))
    if (!match) return [1, 1]
    at += match[0].length
    const [, sign, low, comma, high] = match
    if (sign) return sign === '?' ? [0, 1] : [sign === '+' ? 1 : 0, openEnd]
    const least = Number(low)
    const most = high ? Number(high) : comma ? least + openEnd : least
    if (most < least || most > 1000) throw unexpected()
    return [least, most]
  }

  function unexpected(): Error {
    const found = at < pattern.length ? `"${pattern[at]}"` : 'the end'
    return new Error(`Cannot generate from the pattern "${pattern}": unexpected ${found} at position ${at}.`)
  }
}

/** A number from 0 up to but not including `limit` (at most 1001), drawn as three characters of 32. */
function chooseBelow(limit: number, environment: Pick<Environment, 'random'>): number {
  if (limit <= 1) return 0
  let number = 0
  for (const char of environment.random('0123456789abcdefghijklmnopqrstuv', 3)) {
    number = number * 32 + Number.parseInt(char, 32)
  }
  return number % limit
}
