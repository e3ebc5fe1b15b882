import { expect, it } from 'vitest'
import { parse } from 'yaml'
import { standardBinding } from '../../spec/gaps.ts'
import { loadTables } from '../../spec/tables.ts'
import { targetOf } from '../target/target-file.ts'
import type { Target } from '../vocabulary/target.ts'
import { fittingTables } from './fitting-tables.ts'
import { targetText } from './target-text.ts'

const baseUrl = 'http://127.0.0.1:8090'
const table = (name: string, ...fields: string[]) => ({
  name,
  auth: false,
  open: true,
  rows: fields.map((field) => ({ [field]: 'some words' })),
})
const textOf = (
  url: string,
  prefix: string,
  found: ReturnType<typeof table>[],
  more: Partial<Target> = {},
) => {
  const { tables } = fittingTables(found)
  const rest = { binding: { prefix }, capabilities: {}, credentials: {}, ...more }
  return targetText({ found, target: { baseUrl: url, tables, ...rest } })
}

it.each([
  'x } }\nsetup: ./evil.mjs\n# ',
  'x\u2028setup: ./evil.mjs',
  'x\u0085setup: y',
  'a, b',
  'a: b',
  'a:',
  'a #b',
  '123',
  '1.5e3',
  'null',
  'true',
  '~',
  '---',
  '*x',
  '&x',
  '!!js/function x',
  '- x',
  '"',
  "'",
  '\\',
  ' x ',
  '\u0007',
  '\uD800',
  '__proto__',
  'überschrift',
  'headline',
])('holds the name %j as it is, and nothing else', (name) => {
  const found = [table(name, name), { ...table(`u ${name}`), auth: true }, table('conf_related')]
  const file: unknown = parse(textOf(`${baseUrl}/${name}`, `/${name}`, found))
  expect(file).toEqual({
    baseUrl: `${baseUrl}/${name}`,
    prefix: `/${name}`,
    tables: {
      related: { name: 'conf_related' },
      plain: { name, fields: { title: name } },
      members: { name: `u ${name}` },
    },
  })
})

it.each([
  ['people', 'articles'],
  ['x\nsetup: ./evil.mjs', 'y\u0085setup: ./evil.mjs'],
])('names tables that were found in its examples: %j and %j', (accounts, records) => {
  const found = [table(records), { ...table(accounts), auth: true }]
  // As where neither takes a record of the run.
  const target = { baseUrl, tables: {}, binding: {}, capabilities: {}, credentials: {} }
  const text = targetText({ found, target })
  expect(parse(text)).toEqual({ baseUrl })
  const uncommented = text
    .match(/^# +(?:caller|plain): .*$/gm)
    ?.map((line) => parse(line.slice(1)) as unknown)
  expect(uncommented).toMatchObject([
    { plain: { name: records } },
    { caller: { signIn: { table: accounts } } },
  ])
})

it('names in a comment only what a comment can hold', () => {
  const names = ['one', 'two', 'three\nsetup: ./evil.mjs', 'four\u0085setup: x', 'five\u2029', 'six']
  const text = textOf(
    baseUrl,
    '/api/v1',
    names.map((name) => table(name)),
  )
  expect(parse(text)).toEqual({ baseUrl, tables: { plain: { name: 'one', fields: { title: 'title' } } } })
  expect(text).toContain('# also there: two, six\n')
})

it('leaves simple words as a person would write them, and is a target file', () => {
  const text = textOf(baseUrl, '/api', [table('notes', 'headline')])
  for (const line of [
    `baseUrl: ${baseUrl}`,
    'prefix: /api',
    '  plain: { name: notes, fields: { title: headline } }',
  ])
    expect(text).toContain(`\n${line}\n`)
  expect(targetOf(parse(text), 'written', {}).binding.prefix).toBe('/api')
})

it('contains what a table requires', () => {
  const values = { kind: 'a: b }', stars: 3, nick: '{unique}' }
  const plain = { role: 'plain', name: 'notes', fields: { title: 'text' }, values }
  const text = textOf(baseUrl, '/api/v1', [], { tables: { plain } })
  expect(text).toContain('values: {"kind":"a: b }","stars":3,"nick":"{unique}"}')
  expect(targetOf(parse(text), 'written', {}).tables.plain).toMatchObject({ values })
})

it('contains what signs in, where it is not the address', () => {
  const members = { role: 'members', name: 'people', identity: 'login', fields: { username: 'login' } }
  const text = textOf(baseUrl, '/api/v1', [], { tables: { members } })
  expect(text).toContain('  members: { name: people, fields: { username: login }, identity: login }\n')
  expect(targetOf(parse(text), 'written', {}).tables.members).toMatchObject(members)
})

it('contains the parameters of lists that were found', () => {
  const own = { 'list.filter': '', 'filter.equals': '{field}={value}' }
  const text = textOf(baseUrl, '/api/v1', [], { binding: { ...standardBinding(), ...own } })
  expect(text).toContain('\nbinding:\n  list.filter: ""\n  filter.equals: "{field}={value}"\n')
  expect(targetOf(parse(text), 'written', {}).binding).toMatchObject(own)
})

it('says who stands in for guests, and which operations are missing', () => {
  const text = textOf(baseUrl, '/api/v1', [], {
    tables: {
      plain: { role: 'plain', name: 'notes', fields: { title: 'text' }, as: 'account' },
      members: { role: 'members', name: 'users' },
    },
    explored: {
      plain: [],
      closed: [],
      members: [],
      relations: [],
      asked: [],
      missing: ['requestOtp', 'batch'],
    },
  })
  expect(text).toContain('\n  plain: { name: notes, fields: { title: text }, as: account }\n')
  expect(text).toContain('\n# operations: { requestOtp: false, batch: false }\n')
  expect(targetOf(parse(text), 'written', {}).tables.plain).toMatchObject({ as: 'account' })
})

it('contains a block that declares the tables that were not found as absent', () => {
  const text = textOf(baseUrl, '/api/v1', [table('notes', 'headline'), table('conf_related')])
  const declared = text.replace(/^ {2}# (\w+: false)$/gm, '  $1')
  const { tables, absentTables } = targetOf(parse(declared), 'written', {})
  expect(Object.keys(tables).sort()).toEqual(['plain', 'related'])
  const roles = loadTables().map(({ role }) => role)
  expect(absentTables).toEqual(roles.filter((role) => role !== 'plain' && role !== 'related'))
})
