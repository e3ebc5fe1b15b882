import { Option } from 'commander'
import { expect, it } from 'vitest'
import { declaredOptions, helpOf, type OptionDeclaration } from '../harness/run-options.ts'
import { readData } from '../spec/read-data.ts'
import { parserOf } from './parse-option.ts'
import { declaredRows } from './run-options.ts'

const declared = declaredOptions()

it('every option is passed under the name of its declaration', () => {
  const names = declared.flatMap(([name, { flags }]) => (flags === undefined ? [] : [[name, flags]]))
  expect(names.length).toBeGreaterThan(20)
  for (const [name, flags] of names)
    expect(new Option(flags ?? '').attributeName()).toBe(name === 'headers' ? 'header' : name)
})

it('every option with a value has a parser, which accepts a numeric default', () => {
  for (const [name, option] of declared) {
    if (option.flags === undefined) continue
    const parse = parserOf(option)
    expect([name, parse === undefined]).toEqual([name, option.kind === 'switch'])
    if (typeof option.default === 'number')
      expect(parse?.(String(option.default), undefined)).toBe(option.default)
  }
})

it('every key of a target file that an option names exists', () => {
  const { properties } = readData('target.schema') as { properties: object }
  const keys = declared.flatMap(([, { targetKey }]) => targetKey ?? [])
  expect(keys).toEqual(['baseUrl', 'profile', 'prefix'])
  expect(Object.keys(properties)).toEqual(expect.arrayContaining(keys))
})

it('a command has the options that it names, with the same help', () => {
  const rows = declaredRows(['level', 'only'])
  expect(rows.map(({ flags }) => flags)).toEqual(['--only <what>', '--level <level>'])
  const level = declared.find(([name]) => name === 'level')?.[1]
  expect(rows[1]?.description).toBe(level && helpOf(level))
})

const parsed = (kind: OptionDeclaration['kind'], text: string, previous?: unknown) =>
  parserOf({ kind, least: 1, most: 2, says: '' })?.(text, previous)

it.each<[OptionDeclaration['kind'], string, unknown, unknown]>([
  ['string', 'a b', undefined, 'a b'],
  ['prefix', '/api', undefined, '/api'],
  ['words', ' a, b,', ['c'], ['c', 'a', 'b']],
  ['level', 'must', undefined, 'MUST'],
  ['integer', '2', undefined, 2],
  ['number', '.5', undefined, 0.5],
  ['headers', 'X-A:  b:c', { 'x-b': '1' }, { 'x-b': '1', 'x-a': 'b:c' }],
  ['headers', 'X-API-Key: $KEY', undefined, { 'x-api-key': '$KEY' }],
])('an option of the kind %s reads %j', (kind, text, previous, value) => {
  expect(parsed(kind, text, previous)).toEqual(value)
})

it.each<[OptionDeclaration['kind'], string, string]>([
  ['string', '', 'must not be empty'],
  ['prefix', 'api/', 'must be a path such as /api/v1, without a trailing slash'],
  ['words', ' , ', 'must not be empty'],
  ['level', 'maybe', 'must be MUST, SHOULD or MAY'],
  ['integer', '0', 'must be an integer from 1 to 2'],
  ['integer', '3', 'must be an integer from 1 to 2'],
  ['integer', '1.5', 'must be an integer from 1 to 2'],
  ['number', '0', 'must be a number greater than 0 and at most 2'],
  ['number', '2.1', 'must be a number greater than 0 and at most 2'],
  ['headers', 'X-A', 'must have the form name:value'],
  ['headers', 'Authorization: x', 'must not be Authorization'],
  ['headers', 'X-API-Key: x', "use 'X-API-Key:$NAME'"],
])('an option of the kind %s rejects %j', (kind, text, message) => {
  expect(() => parsed(kind, text)).toThrow(message)
})
