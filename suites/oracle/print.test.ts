import { describe, expect, it } from 'vitest'
import { fc } from '../../test/support/seeded.ts'
import { expressions, stringValues } from './arbitraries.ts'
import type { Comparison, Expression } from './expression.ts'
import { print, printLiteral, quote } from './print.ts'

const one: Comparison = { kind: 'comparison', operand: 'number', operator: '=', literal: 1, any: false }
const each: Comparison = { kind: 'comparison', operand: 'each', operator: '!~', literal: "it's", any: true }
const join = (sign: '&&' | '||', ...parts: Expression[]): Expression => ({ kind: 'join', join: sign, parts })

/** The value of a string literal, read in the simplest way. */
function unquote(literal: string): string {
  const decoded: Record<string, string> = { n: '\n', r: '\r', t: '\t' }
  return literal.slice(1, -1).replace(/\\([\\'"nrt])/g, (_, char: string) => decoded[char] ?? char)
}

describe('quote', () => {
  it.each(["'", '"'] as const)('can be read back, in %s', (mark) => {
    fc.assert(
      fc.property(stringValues, (text) => {
        expect(unquote(quote(text, mark))).toBe(text)
      }),
    )
  })

  it('never ends early', () => {
    fc.assert(
      fc.property(stringValues, (text) => {
        expect(quote(text)).toMatch(/^'(?:[^'\\\n\r\t]|\\.)*'$/s)
      }),
    )
  })
})

describe('print', () => {
  it('writes comparisons', () => {
    expect([print(one), print(each)]).toEqual(['number = 1', 'selects:each ?!~ "it\'s"'])
    expect([printLiteral(null), printLiteral(true), printLiteral(-0.5)]).toEqual(['null', 'true', '-0.5'])
  })

  it('writes groups where they are needed and nowhere else', () => {
    expect(print(join('&&', one, join('||', one, one)))).toBe('number = 1 && (number = 1 || number = 1)')
    expect(print(join('||', one, join('&&', one, one)))).toBe('number = 1 || number = 1 && number = 1')
  })

  it('stays within the length of a filter', () => {
    fc.assert(
      fc.property(expressions, (expression) => {
        expect(Buffer.byteLength(print(expression))).toBeLessThan(1500)
      }),
    )
  })

  it('writes numbers without an exponent', () => {
    fc.assert(
      fc.property(expressions, (expression) => {
        expect(print(expression).replace(/'[^']*'|"[^"]*"/g, '')).not.toMatch(/\d[eE][+-]?\d/)
      }),
    )
  })
})
