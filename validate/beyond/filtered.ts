/**
 * Whether a page contains a record that does not match a simple filter: comparisons of plain fields with literals,
 * joined by `&&`. The suite tests the rest of the filter language. A part that cannot be parsed is ignored.
 *
 * @module
 */

import { isObject } from '../../exchange/json-object.ts'
import { innerFields } from '../../exchange/secrets/secret-key.ts'
import { shown } from '../mismatch.ts'
import { compareFieldText } from './compare.ts'
import { type Judging, parameter } from './judging.ts'

interface Comparison {
  field: string
  operator: string
  literal: string | number | boolean
  text: string
}

const comparison =
  /\s*([A-Za-z_]\w*)\s*(=|!=|>=|<=|>|<|~)\s*(?:'((?:[^'\\]|\\.)*)'|"((?:[^"\\]|\\.)*)"|(-?\d+(?:\.\d+)?)|(true|false))\s*(&&|$)/y

export function judgeFiltered({ query, add, claim }: Judging, items: readonly unknown[]): void {
  const filter = parameter(query, 'filter')
  if (filter === undefined || items.length === 0 || parameter(query, 'fields')?.includes(':') === true) return
  const comparisons = simpleFilter(filter)
  if (comparisons === undefined) return
  claim('filter.meaning')
  for (const [at, record] of items.entries()) {
    if (!isObject(record)) continue
    for (const { field, operator, literal, text } of comparisons) {
      const value = record[field]
      // A password field is always shown empty (requirement password.never-shown).
      if (innerFields.has(field)) continue
      if (holds(value, operator, literal) !== false) continue
      add('filter.meaning', `/items/${at}/${field}`, `a record for which ${text.trim()} holds`, shown(value))
      return
    }
  }
}

/** Undefined for a filter with anything but comparisons joined by `&&`. */
function simpleFilter(filter: string): Comparison[] | undefined {
  const found: Comparison[] = []
  comparison.lastIndex = 0
  while (comparison.lastIndex < filter.length) {
    const match = comparison.exec(filter)
    if (match === null) return undefined
    const [text, field = '', operator = '', single, double, number, truth, join] = match
    const quoted = single ?? double
    const literal =
      quoted !== undefined ? unescaped(quoted) : number !== undefined ? Number(number) : truth === 'true'
    found.push({ field, operator, literal, text: text.replace(/&&$/, '') })
    if (join === '') return found
  }
  return undefined
}

function unescaped(text: string): string {
  const escapes: Record<string, string> = { n: '\n', t: '\t', r: '\r' }
  return text.replace(/\\([ntr\\'"])/g, (_whole, letter: string) => escapes[letter] ?? letter)
}

/** Undefined if the record does not show enough to decide. */
function holds(value: unknown, operator: string, literal: string | number | boolean): boolean | undefined {
  if (typeof value !== typeof literal) return undefined
  if (operator === '~') return typeof value === 'string' ? contains(value, literal as string) : undefined
  if (operator === '=') return value === literal
  if (operator === '!=') return value !== literal
  if (typeof value === 'boolean') return undefined
  const order =
    typeof value === 'string'
      ? compareFieldText(value, literal as string)
      : (value as number) - (literal as number)
  if (operator === '>') return order > 0
  if (operator === '>=') return order >= 0
  return operator === '<' ? order < 0 : order <= 0
}

function contains(value: string, part: string): boolean | undefined {
  if (part === '' || /[%_\\]/.test(part)) return undefined
  return asciiLower(value).includes(asciiLower(part))
}

function asciiLower(text: string): string {
  return text.replace(/[A-Z]+/g, (letters) => letters.toLowerCase())
}
