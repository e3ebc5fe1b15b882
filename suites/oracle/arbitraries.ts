/**
 * Random values, records, expressions and sort keys. Values lean towards what is easily got wrong: quotes,
 * backslashes, wildcards, letters beyond ASCII, combining marks, far numbers, leap days.
 *
 * @module
 */

import fc, { type Arbitrary } from 'fast-check'
import type { Comparison, Expression, Literal, Operand, Operator, OracleValues } from './expression.ts'
import type { SortKey } from './sort-key.ts'

const awkward = [
  '',
  "O'Brien",
  'say "hi"',
  'both \' and "',
  'back\\slash',
  'ends in \\',
  '100%',
  '%',
  'under_score',
  '_',
  'café',
  'cafe\u0301',
  'CAFÉ',
  'ﬁ',
  'İstanbul',
  '🐘',
  '👩‍👧',
  '漢字',
  '\uffee',
  ' leading and trailing ',
  'two\nlines',
  'tab\tand\rreturn',
  'null',
  'true',
  '0',
  '01',
  '-1',
  "') || (1 = 1",
  '// no comment',
  '<b>&amp;</b>',
]

const signs = [...'abAB09 \'"\\%_.,:;()&|<>=!?~@#é漢🐘\u0301\n']

/** Any text that a text field can hold, short. */
export const stringValues: Arbitrary<string> = fc.oneof(
  fc.constantFrom(...awkward),
  fc.string({ unit: fc.constantFrom(...signs), maxLength: 8 }),
  fc.string({ unit: 'grapheme', maxLength: 4 }),
)

/** Numbers that decimal notation without an exponent can say. */
const numbers: Arbitrary<number> = fc.oneof(
  fc.constantFrom(
    0,
    1,
    -1,
    2,
    10,
    0.1,
    0.5,
    -0.5,
    1.25,
    255,
    1e6,
    Number.MAX_SAFE_INTEGER,
    Number.MIN_SAFE_INTEGER,
  ),
  fc.integer({ min: -1000, max: 1000 }),
  fc.integer({ min: -100_000, max: 100_000 }).map((number) => number / 100),
)

/** Dates in the stored form, or none. */
const dates: Arbitrary<string> = fc.oneof(
  fc.constantFrom(
    '',
    '2024-02-29 00:00:00.000Z',
    '2024-02-29 23:59:59.999Z',
    '2024-03-01 00:00:00.000Z',
    '2000-02-29 12:00:00.000Z',
    '1999-12-31 23:59:59.999Z',
    '1970-01-01 00:00:00.000Z',
  ),
  fc
    .date({ min: new Date('1901-01-01'), max: new Date('2099-12-31'), noInvalidDate: true })
    .map((date) => date.toISOString().replace('T', ' ')),
)

const choices: Arbitrary<string> = fc.constantFrom('', 'a', 'b', 'c')
const manyChoices: Arbitrary<string[]> = fc.subarray(['a', 'b', 'c', 'd', 'e'])
const scalars: Arbitrary<Literal> = fc.oneof(stringValues, numbers, fc.boolean(), fc.constant(null))

/** Values of one record of `everything`. */
export const oracleValues: Arbitrary<OracleValues> = fc.record({
  text: stringValues,
  number: numbers,
  bool: fc.boolean(),
  date: dates,
  select: choices,
  selects: manyChoices,
  json: fc.oneof(
    fc.constant(null),
    fc.constant({}),
    scalars.map((a) => ({ a })),
  ),
})

const equality: Operator[] = ['=', '!=']
const ordering: Operator[] = [...equality, '>', '>=', '<', '<=']

function comparing(
  operand: Operand,
  operators: readonly Operator[],
  literals: Arbitrary<Literal>,
  any = false,
): Arbitrary<Comparison> {
  return fc
    .record({ operator: fc.constantFrom(...operators), literal: literals })
    .map((rest) => ({ kind: 'comparison', operand, any, ...rest }))
}

/** Patterns for `~`. Backslashes are left out: what they escape is the matter of a check of its own. */
const patterns: Arbitrary<string> = fc
  .oneof(stringValues, fc.string({ unit: fc.constantFrom('a', 'A', 'b', '%', '_', ' ', 'é'), maxLength: 5 }))
  .map((text) => text.replaceAll('\\', ''))

/** Comparisons with operands that always have a value, so that each has an opposite. */
const certain: Arbitrary<Comparison>[] = [
  comparing('text', ordering, stringValues),
  comparing('text', ['~', '!~'], patterns),
  comparing('number', ordering, numbers),
  comparing('bool', equality, fc.boolean()),
  comparing('date', ordering, dates),
  comparing('date', ['~', '!~'], fc.constantFrom('2024', '-02-29', '2024-02-29%', '%00Z')),
  comparing('select', ordering, choices),
  comparing('length', ordering, fc.integer({ min: 0, max: 5 })),
]

const choice: Arbitrary<string> = fc.constantFrom('a', 'b', 'c', 'd')
const choicePattern: Arbitrary<string> = fc.constantFrom('a', 'C', '%', '_')

/** Comparisons that each judge a record for themselves, those that meet missing values included. */
const independent: Arbitrary<Comparison>[] = [
  ...certain,
  comparing('text', equality, fc.constant(null)),
  comparing('each', ordering, choice),
  comparing('each', ['~', '!~'], choicePattern),
  comparing('json', ordering, fc.oneof(stringValues, numbers, fc.boolean())),
  comparing('json', equality, fc.constant(null)),
]

/** All comparisons whose meaning is certain. Those with `?` bind each other: one choice must meet them all. */
const all: Arbitrary<Comparison>[] = [
  ...independent,
  comparing('each', ordering, choice, true),
  comparing('each', ['~', '!~'], choicePattern, true),
]

function joined(leaves: Arbitrary<Comparison>): Arbitrary<Expression> {
  const { tree } = fc.letrec<{ tree: Expression; join: Expression }>((tie) => ({
    tree: fc.oneof({ maxDepth: 2, withCrossShrink: true }, leaves, tie('join')),
    join: fc
      .record({
        join: fc.constantFrom('&&' as const, '||' as const),
        parts: fc.array(tie('tree'), { minLength: 2, maxLength: 3 }),
      })
      .map((rest) => ({ kind: 'join', ...rest })),
  }))
  return tree
}

/** Any expression with a certain meaning. */
export const expressions: Arbitrary<Expression> = joined(fc.oneof(...all))

/** Expressions without `?`: what two of them select together follows from what each of them selects. */
export const independentExpressions: Arbitrary<Expression> = joined(fc.oneof(...independent))

/** Expressions that have an opposite. */
export const reversibleExpressions: Arbitrary<Expression> = joined(fc.oneof(...certain))

/** Single comparisons that have an opposite. */
export const reversibleComparisons: Arbitrary<Comparison> = fc.oneof(...certain)

/** One to four sort keys, each field once. */
export const sortKeys: Arbitrary<SortKey[]> = fc.uniqueArray(
  fc.record({ field: fc.constantFrom('text', 'number', 'bool', 'date', 'select'), descending: fc.boolean() }),
  {
    selector: ({ field }) => field,
    minLength: 1,
    maxLength: 4,
  },
)
