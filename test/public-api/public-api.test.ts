import { beforeAll, describe, expect, test } from 'vitest'
import { type EntrySurface, readSurface } from './read-surface.ts'

let surface: EntrySurface[]

beforeAll(() => {
  surface = readSurface()
})

const eachExport = () =>
  surface.flatMap(({ entry, exports }) => exports.map((exported) => ({ ...exported, entry })))

/** Users import and extend what is here: a change that shows up in this file goes into the changelog. */
test('the public API is frozen', async () => {
  const text = surface
    .map(({ entry, exports }) => [`## ${entry}`, ...exports.map(({ text }) => text)].join('\n\n'))
    .join('\n\n')
  await expect(`${text}\n`).toMatchFileSnapshot('./surface.snap.txt')
})

test('every entry has exports, and some exist at run time', () => {
  for (const { entry, exports } of surface)
    expect(
      exports.filter(({ isValue }) => isValue),
      entry,
    ).not.toEqual([])
})

test('every export and every member has a summary', () => {
  expect(
    eachExport().flatMap(({ entry, undocumented }) => undocumented.map((name) => `${entry}: ${name}`)),
  ).toEqual([])
})

/** Types that users write, by how their names end. In what the package returns, a missing member has no default. */
const written = /(?:Options|Habits|Ports|Filter|Pattern|Floor)$/

test('every optional member of a type that users write has a default', () => {
  const exports = eachExport().filter(({ name }) => written.test(name))
  expect(exports.length).toBeGreaterThan(20)
  expect(exports.flatMap(({ withoutDefault }) => withoutDefault)).toEqual([])
})

test('every type in a signature can be named', () => {
  expect(
    eachExport().flatMap(({ entry, name, unnamed }) => unnamed.map((type) => `${entry}: ${type} in ${name}`)),
  ).toEqual([])
})

describe('internals that no entry exports', () => {
  test.each(['Store', 'Services', 'WritableLog', 'PretendProviderInternals'])('%s', (name) => {
    expect(eachExport().filter((exported) => exported.name === name)).toEqual([])
  })
})
