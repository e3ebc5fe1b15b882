/**
 * The first step of a filter: from text to tokens. `parse-filter.ts` reads them.
 *
 * @module
 */

import { QueryError } from './query-error.ts'

export type Token =
  | { kind: 'identifier'; text: string; at: number }
  /** A name directly followed by `(`; the parenthesis belongs to the token. */
  | { kind: 'function'; text: string; at: number }
  | { kind: 'number'; value: number; text: string; at: number }
  | { kind: 'text'; value: string; text: string; at: number }
  | { kind: 'operator'; text: string; at: number }
  | { kind: 'join'; text: '&&' | '||'; at: number }
  | { kind: 'open' | 'close' | 'comma'; text: string; at: number }

const OPERATORS = new Set('= != > >= < <= ~ !~ ?= ?!= ?> ?>= ?< ?<= ?~ ?!~'.split(' '))
const SPACE = /[ \t\n]+/y
const COMMENT = /\/\/[^\n]*/y
const IDENTIFIER = /[A-Za-z_@#][A-Za-z0-9_.:]*/y
const NUMBER = /-?[0-9][0-9.]*/y
const OPERATOR = /[=?!><~]+/y
const ESCAPES: Record<string, string> = { n: '\n', t: '\t', r: '\r', '\\': '\\', "'": "'", '"': '"' }

/**
 * Splits a filter into tokens (contract-records 2.1). White space is space, tab and line feed only.
 *
 * @throws QueryError at the first character that starts no token, with its position.
 */
export function tokenize(text: string): Token[] {
  const tokens: Token[] = []
  let at = 0

  const take = (pattern: RegExp): string | undefined => {
    pattern.lastIndex = at
    const found = pattern.exec(text)?.[0]
    if (found !== undefined) at += found.length
    return found
  }

  while (at < text.length) {
    if (take(SPACE) !== undefined || take(COMMENT) !== undefined) continue
    const start = at
    const char = text.charAt(at)

    if (char === "'" || char === '"') {
      const value = takeText(char)
      tokens.push({ kind: 'text', value, text: text.slice(start, at), at: start })
      continue
    }
    if (char === '(' || char === ')' || char === ',') {
      at += 1
      tokens.push({ kind: char === '(' ? 'open' : char === ')' ? 'close' : 'comma', text: char, at: start })
      continue
    }
    if (text.startsWith('&&', at) || text.startsWith('||', at)) {
      at += 2
      tokens.push({ kind: 'join', text: char === '&' ? '&&' : '||', at: start })
      continue
    }

    const name = take(IDENTIFIER)
    if (name !== undefined) {
      if (/[.:]$/.test(name)) throw unexpected(`"${name}" ends with a separator`, start)
      const called = text.charAt(at) === '('
      if (called) at += 1
      tokens.push({ kind: called ? 'function' : 'identifier', text: name, at: start })
      continue
    }
    const digits = take(NUMBER)
    if (digits !== undefined) {
      if (!/^-?[0-9]+(\.[0-9]+)?$/.test(digits)) throw unexpected(`"${digits}" is not a number`, start)
      tokens.push({ kind: 'number', value: Number(digits), text: digits, at: start })
      continue
    }
    const operator = take(OPERATOR)
    if (operator !== undefined) {
      if (!OPERATORS.has(operator))
        throw unexpected(`"${operator}" is not an operator`, start, useInstead(operator))
      tokens.push({ kind: 'operator', text: operator, at: start })
      continue
    }
    throw unexpected(`nothing starts with ${JSON.stringify(char)}`, start, useInstead(char))
  }
  return tokens

  function takeText(quote: string): string {
    const start = at
    let value = ''
    for (at += 1; at < text.length; at += 1) {
      const char = text.charAt(at)
      if (char === quote) {
        at += 1
        return value
      }
      if (char === '\0') break
      if (char !== '\\' || at + 1 >= text.length) {
        value += char
        continue
      }
      at += 1
      const escaped = text.charAt(at)
      value += ESCAPES[escaped] ?? `\\${escaped}`
    }
    throw unexpected('a string is not closed', start)
  }
}

const INSTEAD: ReadonlyMap<string, string> = new Map(
  Object.entries({
    ...{ '==': '=', '===': '=', eq: '=', is: '=', '!==': '!=', '<>': '!=', ne: '!=', '!': '!=' },
    ...{
      '=>': '>=',
      gt: '>',
      gte: '>=',
      '=<': '<=',
      lt: '<',
      lte: '<=',
      like: '~',
      '=~': '~',
      contains: '~',
    },
    ...{ '&': '&&', and: '&&', '|': '||', or: '||' },
  }),
)

/** ` Use "=".`: the sign for one of another language, or nothing. */
export function useInstead(foreign: string): () => string {
  return () => {
    const sign = INSTEAD.get(foreign.toLowerCase())
    return sign === undefined ? '' : ` Use "${sign}".`
  }
}

function unexpected(fact: string, at: number, hint?: () => string): QueryError {
  return new QueryError(`Filter, character ${at + 1}: ${fact}.`, hint)
}
