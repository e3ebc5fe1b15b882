import { Option } from 'commander'
import { expect, it } from 'vitest'
import { declaredOptions, helpOf } from '../harness/run-options.ts'
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
