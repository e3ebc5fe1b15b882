import { describe, expect, it } from 'vitest'
import { parseIndex } from './index-statement.ts'

const columns = ['code', 'nick', 'slot', 'flag', 'list']
const columnOf = (name: string) => columns.find((column) => column === name.toLowerCase())

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
  ])('refuses %j', (statement, message) => {
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
  ])('may be one of an expression that nobody knows here: %s', (expression) => {
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
  ])('WHERE %s: %s', (where, covered) => {
    const index = parseIndex(`CREATE UNIQUE INDEX i ON t (code) WHERE ${where}`, columnOf)
    expect(index.covers?.(row)).toBe(covered)
  })
})
