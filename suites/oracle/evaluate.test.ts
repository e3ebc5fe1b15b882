import { describe, expect, it } from 'vitest'
import { fc } from '../../test/support/seeded.ts'
import { expressions, oracleValues, reversibleExpressions } from './arbitraries.ts'
import { evaluate } from './evaluate.ts'
import { type Comparison, type Expression, type OracleValues, opposite } from './expression.ts'

const noOne: OracleValues = {
  text: '',
  number: 0,
  bool: false,
  date: '',
  select: '',
  selects: [],
  json: null,
}
const is = (
  operand: Comparison['operand'],
  operator: Comparison['operator'],
  literal: Comparison['literal'],
  any = false,
): Comparison => ({
  kind: 'comparison',
  operand,
  operator,
  literal,
  any,
})
const both = (...parts: Expression[]): Expression => ({ kind: 'join', join: '&&', parts })
const either = (...parts: Expression[]): Expression => ({ kind: 'join', join: '||', parts })

describe('evaluate', () => {
  it.each<[Expression, Partial<OracleValues>, boolean]>([
    [is('text', '=', 'a'), { text: 'a' }, true],
    [is('text', '=', 'a'), { text: 'A' }, false],
    [is('text', '=', null), {}, true],
    [is('text', '>', 'Z'), { text: 'a' }, true],
    [is('text', '~', 'EL'), { text: 'hello' }, true],
    [is('text', '!~', ''), { text: 'x' }, false],
    [is('number', '<=', 2.5), { number: 2.5 }, true],
    [is('number', '>', 9), { number: 10 }, true],
    [is('bool', '!=', true), {}, true],
    [is('date', '>=', '2024-02-29'), { date: '2024-02-29 00:00:00.000Z' }, true],
    [is('length', '=', 0), {}, true],
    [is('each', '=', 'a'), { selects: ['a', 'b'] }, false],
    [is('each', '=', 'a', true), { selects: ['a', 'b'] }, true],
    [is('each', '=', 'a', true), {}, false],
    [is('each', '!=', 'a'), {}, true],
    [is('each', '<', 'b'), {}, false],
    [is('json', '=', null), { json: {} }, true],
    [is('json', '=', ''), { json: {} }, false],
    [is('json', '=', '1'), { json: { a: 1 } }, false],
    [is('json', '=', true), { json: { a: 1 } }, true],
    [is('json', '>', 4), { json: { a: 'text' } }, true],
    [is('json', '>', 4), { json: { a: null } }, false],
  ])('%j of %j is %s', (expression, some, expected) => {
    expect(evaluate(expression, { ...noOne, ...some })).toBe(expected)
  })

  it('requires the same choice to satisfy all comparisons with `?`', () => {
    const set = { ...noOne, selects: ['a', 'b'] }
    const [a, b] = [is('each', '=', 'a', true), is('each', '=', 'b', true)]
    expect([evaluate(both(a, b), set), evaluate(either(a, b), set)]).toEqual([false, true])
  })

  it('gives the opposite of an expression the opposite value', () => {
    fc.assert(
      fc.property(reversibleExpressions, oracleValues, (expression, set) => {
        expect(evaluate(opposite(expression), set)).toBe(!evaluate(expression, set))
      }),
    )
  })

  it('holds for a join by "or" if it holds for either side', () => {
    fc.assert(
      fc.property(expressions, expressions, oracleValues, (one, other, set) => {
        expect(evaluate(either(one, other), set)).toBe(evaluate(one, set) || evaluate(other, set))
      }),
    )
  })

  it('is true for some random values and false for others', () => {
    const met = fc
      .sample(fc.tuple(expressions, oracleValues), 300)
      .filter(([expression, set]) => evaluate(expression, set)).length
    expect(met).toBeGreaterThan(60)
    expect(met).toBeLessThan(240)
  })
})
