/**
 * Expressions as filter text of the standard profile.
 *
 * @module
 */

import type { Comparison, Expression, Literal, Operand } from './expression.ts'

const names: Record<Operand, string> = {
  text: 'text',
  number: 'number',
  bool: 'bool',
  date: 'date',
  select: 'select',
  length: 'selects:length',
  each: 'selects:each',
  json: 'json.a',
}

const escapes: Record<string, string> = { '\n': '\\n', '\r': '\\r', '\t': '\\t', '\\': '\\\\' }

/** A string literal in the given quotes, for any string. */
export function quote(text: string, mark: "'" | '"' = "'"): string {
  const inner = text.replace(/[\n\r\t\\'"]/g, (char) => escapes[char] ?? (char === mark ? `\\${char}` : char))
  return mark + inner + mark
}

export function printLiteral(literal: Literal): string {
  if (typeof literal !== 'string') return String(literal)
  return quote(literal, literal.includes("'") ? '"' : "'")
}

function printComparison({ operand, operator, any, literal }: Comparison): string {
  return `${names[operand]} ${any ? '?' : ''}${operator} ${printLiteral(literal)}`
}

/** Groups only where they are needed: `&&` has higher precedence than `||`. */
export function print(expression: Expression): string {
  if (expression.kind === 'comparison') return printComparison(expression)
  return expression.parts.map((part) => grouped(part, expression.join)).join(` ${expression.join} `)
}

function grouped(part: Expression, around: '&&' | '||'): string {
  const text = print(part)
  return part.kind === 'join' && part.join === '||' && around === '&&' && part.parts.length > 1
    ? `(${text})`
    : text
}
