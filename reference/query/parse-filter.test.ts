import { describe, expect, test } from 'vitest'
import { parseFilter, usesRestrictedReferences } from './parse-filter.ts'
import { QueryError } from './query-error.ts'
import type { FilterSyntax, OperandSyntax } from './syntax.ts'

describe('parseFilter', () => {
  test.each([
    ["k='A'", "k = 'A'"],
    ["k='A' || k='B' && k='C'", "(k = 'A' or (k = 'B' and k = 'C'))"],
    ["(k='A' || k='B') && k='C'", "((k = 'A' or k = 'B') and k = 'C')"],
    ['a ?!~ b', 'a ?!~ b'],
    ["'A' = k // tail\n&& n=-5", "('A' = k and n = -5)"],
    ['k = \'it\\\'s\' || k = "a\\"b"', "(k = 'it's' or k = 'a\"b')"],
    ["k = '\\n\\t\\r\\\\ \\% \\u0041'", "k = '\n\t\r\\ \\% \\u0041'"],
    ['n = 01 && m = 2.5', '(n = 1 and m = 2.5)'],
    ["strftime('%Y', d,) = '2020'", "strftime('%Y',d) = '2020'"],
    [`${'('.repeat(1000)}a=1${')'.repeat(1000)}`, 'a = 1'],
    ["(a = 1 // it's )\n)", 'a = 1'],
    [
      'a=1&&(b=2||(c=3&&d=4)||e=5)&&f=6||g=7',
      '((a = 1 and (b = 2 or (c = 3 and d = 4) or e = 5) and f = 6) or g = 7)',
    ],
    ['((a=1)&&(b=2))||((c=3))', '((a = 1 and b = 2) or c = 3)'],
  ])('reads %j', (text, shown) => {
    expect(show(parseFilter(text, 'client'))).toBe(shown)
  })

  test.each([
    '',
    ' ',
    '// only a comment',
    'n',
    'n =',
    "k = 'open",
    'a = 1 &&',
    '()',
    '(a=1',
    'a=1)',
    'a == 1',
    'a <> 1',
    'a =! 1',
    'a ! ~ 1',
    'a=1 and b=2',
    'a=1 & b=2',
    'a=1, b=2',
    'n = +1',
    'n = .5',
    'n = 5.',
    'n = 1e3',
    'n = 0x1',
    'n = --5',
    'n = 1.2.3',
    'k. = 1',
    'k: = 1',
    'é = 1',
    'k\r= 1',
    'k\u00a0= 1',
    '/* x */ k=1',
    'k = `a`',
    "k='A'\0junk",
    'f (1) = 1',
    'a=1 (b=2)',
    'k = (b=2)',
    'f(g(h(i(1)))) = 1',
  ])('rejects %j', (text) => {
    expect(() => parseFilter(text, 'client')).toThrow(QueryError)
  })

  test('groups may be nested as deep as the filter is long', () => {
    const nested = (depth: number) => `${'('.repeat(depth)}a=1${')'.repeat(depth)}`
    expect(show(parseFilter(nested(1748), 'client'))).toBe('a = 1')
    expect(show(parseFilter(nested(20_000), 'rule'))).toBe('a = 1')
    expect(() => parseFilter('('.repeat(3490), 'client')).toThrow(QueryError)
    expect(() => parseFilter('('.repeat(20_000), 'rule')).toThrow(QueryError)
    expect(() => parseFilter(`${nested(20_000)})`, 'rule')).toThrow(QueryError)
  })

  test('bounds the bytes of client filters and the comparisons of all', () => {
    const long = (bytes: number) => `k = '${'é'.repeat((bytes - 6) / 2)}'`
    expect(() => parseFilter(long(3500), 'client')).not.toThrow()
    expect(() => parseFilter(long(3502), 'client')).toThrow(QueryError)
    expect(() => parseFilter(long(3502), 'rule')).not.toThrow()
    const many = (count: number) => Array.from({ length: count }, () => 'a=1').join('&&')
    expect(() => parseFilter(many(200), 'client')).not.toThrow()
    expect(() => parseFilter(many(201), 'rule')).toThrow(QueryError)
  })
})

test('usesRestrictedReferences looks at the raw text, literals included', () => {
  expect(usesRestrictedReferences("t = '@request.'")).toBe(true)
  expect(usesRestrictedReferences('@collection.x.y = 1')).toBe(true)
  expect(usesRestrictedReferences('@now > created')).toBe(false)
})

function show(expression: FilterSyntax): string {
  if (expression.kind !== 'comparison') return `(${expression.items.map(show).join(` ${expression.kind} `)})`
  const { left, any, operator, right } = expression
  return `${showOperand(left)} ${any ? '?' : ''}${operator} ${showOperand(right)}`
}

function showOperand(operand: OperandSyntax): string {
  if (operand.kind === 'function') return `${operand.name}(${operand.args.map(showOperand).join(',')})`
  if (operand.kind === 'text') return `'${operand.value}'`
  return operand.kind === 'number' ? String(operand.value) : operand.name
}
