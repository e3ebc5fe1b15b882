import { describe, expect, it } from 'vitest'
import { timed } from '../../scripts/support/timed.ts'
import { expectWithin } from '../../test/support/expect-within.ts'
import { makeFields } from './make-fields.ts'
import { parseIndex } from './parse-index.ts'

const fields = makeFields(
  {
    name: 't',
    fields: [
      { name: 'code', type: 'text' },
      { name: 'nick', type: 'text' },
      { name: 'slot', type: 'number' },
      { name: 'flag', type: 'bool' },
      { name: 'list', type: 'select', values: ['a', 'b'], maxSelect: 2 },
    ],
  },
  new Map(),
  {},
)
const columnOf = (name: string) => fields.find((field) => field.name === name.toLowerCase())

describe('parseIndex', () => {
  it.each([
    ['CREATE INDEX i ON t (code)', false, [['code', 'BINARY']]],
    [
      'create unique index if not exists `i` on `t` (`code`, `nick`);',
      true,
      [
        ['code', 'BINARY'],
        ['nick', 'BINARY'],
      ],
    ],
    [
      'CREATE UNIQUE INDEX "main"."i" ON [t] ("code" COLLATE NOCASE ASC, [slot] desc)',
      true,
      [
        ['code', 'NOCASE'],
        ['slot', 'BINARY'],
      ],
    ],
    ['CREATE UNIQUE INDEX\n i -- why\n ON t (CODE collate rtrim)', true, [['code', 'RTRIM']]],
  ])('reads %j', (statement, unique, expected) => {
    const index = parseIndex(statement, columnOf)
    expect(index).toMatchObject({ name: 'i', unique })
    expect(index.columns.map(({ field, collation }) => [field, collation])).toEqual(expected)
    expect(index.covers).toBeUndefined()
  })

  it.each([
    ['', 'expected CREATE, found the end'],
    ['garbage', 'expected CREATE, found "garbage"'],
    ['CREATE UNIQUE INDEX ON t (code)', 'expected the name of the index, found "ON"'],
    ['CREATE INDEX i ON t (nope)', 'no such column: nope'],
    ['CREATE UNIQUE INDEX i ON t (hex(code))', '"hex(...)" cannot be indexed here'],
    ['CREATE UNIQUE INDEX i ON t (lower(code)', 'expected ), found the end'],
    ['CREATE INDEX i ON t (code COLLATE other)', 'no such collation sequence: OTHER'],
    ['CREATE UNIQUE INDEX i ON t (code) WHERE', 'expected a column or a literal, found the end'],
    ['CREATE INDEX i (code)', 'expected ON, found "("'],
    ['CREATE INDEX i ON t (code) WHERE nope = 1', 'no such column: nope'],
    ['CREATE UNIQUE INDEX i ON t (code) more', 'expected the end, found "more"'],
    ["CREATE UNIQUE INDEX i ON t (code) WHERE code = 'open", 'cannot read it from'],
    [
      "CREATE UNIQUE INDEX i ON t (code) WHERE code GLOB 'a*'",
      'WHERE can compare only by =, ==, !=, <>, <, <=, >, >=, IS, IN, BETWEEN or LIKE; found "GLOB" after "code"',
    ],
    ["CREATE UNIQUE INDEX i ON t (code) WHERE code NOT GLOB 'a*'", 'found "GLOB" after "code NOT"'],
    ['CREATE UNIQUE INDEX i ON t (code) WHERE flag', 'found the end after "flag"'],
    ['CREATE UNIQUE INDEX i ON t (code) WHERE code IN (SELECT 1)', 'no query in WHERE: write the values'],
    ["CREATE UNIQUE INDEX i ON t (code) WHERE code IN ('a'", 'expected ), found the end'],
    ["CREATE UNIQUE INDEX i ON t (code) WHERE code IN 'a'", 'expected (, found "a"'],
    ['CREATE UNIQUE INDEX i ON t (code) WHERE code BETWEEN 1', 'expected AND, found the end'],
    [
      "CREATE UNIQUE INDEX i ON t (code) WHERE code LIKE 'a!%' ESCAPE '!'",
      'expected the end, found "ESCAPE"',
    ],
    ['CREATE UNIQUE INDEX i ON t (code) WHERE nope LIKE 1', 'no such column: nope'],
  ])('rejects %j', (statement, message) => {
    expect(() => parseIndex(statement, columnOf)).toThrow(message)
  })
})

describe('an index that is not unique', () => {
  it.each([
    'hex(code)',
    "json_extract(list, '$.a') DESC",
    'slot + 1',
    '(slot)',
    "code) WHERE (code LIKE 'a%'",
    'code) WHERE (length(code) > 3',
  ])('may be an index of an unknown expression: %s', (expression) => {
    const index = parseIndex(`CREATE INDEX IF NOT EXISTS \`i\` ON \`t\` (${expression})`, columnOf)
    expect(index).toMatchObject({ name: 'i', unique: false })
  })
})

describe('the rows of a partial index', () => {
  const row = { code: 'abc', nick: '', slot: 5, flag: true, list: [] }

  it.each([
    ["code = 'abc'", true],
    ["code == 'ABC'", false],
    ["`code` != ''", true],
    ['nick <> ""', false],
    ['"code" = "abc"', true],
    ['slot > 4 AND slot < 6', true],
    ["slot = '5'", true],
    ['slot >= 5.5', false],
    ['slot <= -1 OR flag = TRUE', true],
    ['flag = 1', true],
    ['NOT flag = FALSE', true],
    ['nick IS NULL', false],
    ['nick IS NOT NULL', true],
    ['code NOTNULL', true],
    ['code = NULL', false],
    ['NOT code = NULL', false],
    ['code = NULL OR flag = 1', true],
    ["list = '[]'", true],
    ["nick = '' OR nick = 'x' AND slot = 9", true],
    ["(nick = '' OR nick = 'x') AND slot = 9", false],
    ["code = 'it''s'", false],
    ["code IN ('x', 'abc')", true],
    ["code in ('x', 'ABC')", false],
    ['slot IN (4, 5)', true],
    ["slot IN ('5')", true],
    ["'abc' IN (nick, code)", true],
    ['code IN ()', false],
    ['code NOT IN ()', true],
    ['NULL IN ()', false],
    ['NULL IN (1)', false],
    ['NOT NULL IN (1)', false],
    ["code IN ('abc', NULL)", true],
    ["code NOT IN ('x', NULL)", false],
    ["code NOT IN ('x', 'y')", true],
    ["NOT code NOT IN ('x', 'y')", false],
    ['slot BETWEEN 5 AND 6', true],
    ['slot BETWEEN 4 AND 4.9', false],
    ['slot NOT BETWEEN 6 AND 9', true],
    ['slot NOT BETWEEN 5 AND 5', false],
    ['slot BETWEEN 1 AND 9 AND flag = 0', false],
    ['slot BETWEEN 6 AND NULL', false],
    ['NOT slot BETWEEN 6 AND NULL', true],
    ['NOT slot BETWEEN 1 AND NULL', false],
    ["code BETWEEN 'abb' AND 'abd'", true],
    ["code LIKE 'A%'", true],
    ["code LIKE 'a_c'", true],
    ["code LIKE 'b%'", false],
    ["code LIKE 'ab'", false],
    ["code NOT LIKE 'b%' OR slot = 9", true],
    ['code NOT LIKE NULL OR NOT code LIKE NULL', false],
    ["slot LIKE '5%'", true],
    ["flag LIKE '1'", true],
    ["nick LIKE ''", true],
    ["nick LIKE '%'", true],
    ["nick LIKE '_'", false],
    ["'\u{1f600}' LIKE '_'", true],
    ["'É' LIKE 'é'", false],
    ["'a\\b' LIKE 'A\\B'", true],
    ["'50%' LIKE '50\\%'", false],
    ['code NOT NULL', true],
    ['slot IS TRUE', true],
    ['slot IS NOT FALSE', true],
    ['code IS TRUE', false],
    ["(code LIKE 'a%' AND (slot IN (5) OR NOT flag = 1)) AND nick IS NOT NULL", true],
  ])('WHERE %s: %s', (where, covered) => {
    const index = parseIndex(`CREATE UNIQUE INDEX i ON t (code) WHERE ${where}`, columnOf)
    expect(index.covers?.(row)).toBe(covered)
  })

  // As SQLite 3.40.1 does for columns of the types TEXT, NUMERIC and JSON.
  it.each([
    ['a text column turns a number into text', { code: '05' }, 'code = 5', false],
    ['and back into the same text only', { code: '5' }, 'code = 5.0', false],
    ['a number with a fraction keeps it', { code: '5.0' }, 'code = 5.0', true],
    ['an exponent is written out', { code: '10.0' }, 'code = 1e1', true],
    ['numbers in a text column are ordered as text', { code: '10' }, 'code < 5', true],
    ['also between two bounds', { code: '5.0' }, 'code BETWEEN 1 AND 10', false],
    ['also in a list', { code: '05' }, 'code IN (5)', false],
    ['a number column reads text as a number', { slot: 10 }, "slot = '1e1'", true],
    ['but not what only a language reads as one', { slot: 16 }, "slot = '0x10'", false],
    ['any number is before any text', { slot: 10 }, "slot < 'abc'", true],
    ['two literals are of different kinds', {}, "5 = '5'", false],
    ['a list is compared as JSON', { list: ['a'] }, `list = '["a"]'`, true],
    ['texts are ordered by code points', { code: '\u{1f600}' }, "code < '\uff5e'", false],
    ['LIKE sees a fraction', { code: '5' }, 'code LIKE 5.0', false],
    ['LIKE sees a large number as it is written', { slot: 1e21 }, "slot LIKE '1.0e+21'", true],
  ])('%s', (_, changes, where, covered) => {
    const index = parseIndex(`CREATE UNIQUE INDEX i ON t (code) WHERE ${where}`, columnOf)
    expect(index.covers?.({ ...row, ...changes })).toBe(covered)
  })

  it('are found soon, whatever a pattern holds', () => {
    const where = `code LIKE '${'%a'.repeat(200)}%b'`
    const index = parseIndex(`CREATE UNIQUE INDEX i ON t (code) WHERE ${where}`, columnOf)
    const [covered, ms] = timed(() => index.covers?.({ ...row, code: 'a'.repeat(5000) }))
    expect(covered).toBe(false)
    expectWithin(ms, 2000)
  })

  it.each([
    ["code IN ('a', 'b')", "code in ('a','b')", true],
    ["code IN ('a', 'b')", "code IN ('a, b')", false],
    ["code IN ('a', 'b')", "code NOT IN ('a', 'b')", false],
    ["code LIKE 'a'", "code NOT LIKE 'a'", false],
    ['slot BETWEEN 1 AND 2', 'slot between 1 and 2', true],
    ['slot BETWEEN 1 AND 2', 'slot NOT BETWEEN 1 AND 2', false],
  ])('%s and %s make the same index: %s', (one, other, same) => {
    const [a, b] = [one, other].map(
      (where) => parseIndex(`CREATE UNIQUE INDEX i ON t (code) WHERE ${where}`, columnOf).fingerprint,
    )
    expect(a === b).toBe(same)
  })
})
