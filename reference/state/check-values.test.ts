import { describe, expect, test } from 'vitest'
import { createReference, type TableInput } from '../reference.ts'

/** Without their types, as in JavaScript: the compiler would reject most of what follows. */
const tables: TableInput[] = [
  {
    id: 'notes_table0001',
    name: 'notes',
    type: 'base',
    fields: [
      { name: 'title', type: 'text' },
      { name: 'tags', type: 'json' },
      { name: 'next', type: 'relation', collectionId: 'notes_table0001', maxSelect: 2 },
    ],
  },
]

const promise = '"title" of table "notes" was given a promise, not its value: await it first.'

describe('values that only code can pass are rejected by name, and nothing is stored', () => {
  test('a promise that was not awaited', async () => {
    const reference = createReference({ tables })
    const title = Promise.resolve('x')
    await expect(reference.records.create('notes', { title })).rejects.toThrow(promise)
    await expect(reference.make('notes', 2, (at) => (at === 0 ? {} : { title }))).rejects.toThrow(promise)
    await expect(reference.records.find('notes', { title })).rejects.toThrow(promise)
    const next = [(await reference.make('notes'))[0], reference.make('notes')]
    await expect(reference.records.create('notes', { next })).rejects.toThrow(
      '"next" of table "notes" was given a promise, not its value: await it first.',
    )
    await next[1]
    expect(reference.records.count('notes')).toBe(2)
  })

  test('values that are a promise as a whole', async () => {
    const reference = createReference({ tables })
    const values = Promise.resolve({ title: 'x' }) as unknown as Record<string, unknown>
    await expect(reference.make('notes', 1, () => values)).rejects.toThrow(
      'The values for notes[0] are a promise: await it first, and pass the result.',
    )
    await expect(reference.records.create('notes', values)).rejects.toThrow(
      'The values for a record of "notes" are a promise: await it first, and pass the result.',
    )
    expect(reference.records.count('notes')).toBe(0)
  })

  test('a record of the start that is a promise, or has a file', () => {
    const row = Promise.resolve({}) as unknown as Record<string, unknown>
    expect(() => createReference({ tables, records: { notes: [row] } })).toThrow(
      'The values for a record of "notes" are a promise',
    )
    const file = { title: new Blob(['x']) } as unknown as Record<string, unknown>
    expect(() => createReference({ tables, records: { notes: [file] } })).toThrow('use records.create()')
    expect(() => createReference(Promise.resolve({ tables }) as object)).toThrow(
      /^The options must be an object with .*; found a promise: await it first\.$/,
    )
  })

  test('the same in an update and in the records of the start', async () => {
    const reference = createReference({ tables, records: { notes: [{ id: 'n00000000000001', title: 'x' }] } })
    const title = Promise.resolve('y')
    await expect(reference.records.update('notes', 'n00000000000001', { title })).rejects.toThrow(promise)
    expect(await reference.records.find('notes', 'n00000000000001')).toMatchObject({ title: 'x' })
    expect(() => createReference({ tables, records: { notes: [{ title }] } })).toThrow(
      `Record notes[0] cannot be kept: ${promise}`,
    )
  })

  test.each([
    ['a function', () => 'x', 'a function, not a value: call it.'],
    ['a symbol', Symbol('x'), 'a symbol, which JSON cannot hold.'],
    ['a date that is none', new Date(Number.NaN), 'an invalid date.'],
    ['a bigint', 1n, 'a bigint, which JSON cannot hold.'],
  ])('%s', async (_name, value, message) => {
    const { records } = createReference({ tables })
    await expect(records.create('notes', { title: value })).rejects.toThrow(message)
  })

  const circular: Record<string, unknown> = { a: {} }
  circular.a = { b: [circular] }
  test.each([
    ['an object that contains itself', circular, 'contains itself at "a.b.0", which JSON cannot hold.'],
    ['a map', new Map([[1, 2]]), 'was given a Map, which JSON cannot hold: pass Object.fromEntries(map).'],
    ['a set', { a: new Set([1]) }, 'was given at "a" a Set, which JSON cannot hold: pass [...set].'],
    [
      'a regular expression',
      [/x/],
      'was given at "0" a RegExp, which JSON cannot hold: pass an object or an array.',
    ],
    ['NaN', { a: Number.NaN }, 'was given at "a" NaN, which JSON cannot hold.'],
    ['a function inside', { a: () => 1 }, 'was given at "a" a function, not a value: call it.'],
    ['a promise inside', [Promise.resolve(1)], 'was given at "0" a promise, not its value: await it first.'],
  ])('%s in a json field', async (_name, tags, message) => {
    const whole = `"tags" of table "notes" ${message}`
    const reference = createReference({ tables })
    await expect(reference.records.create('notes', { tags })).rejects.toThrow(whole)
    await expect(reference.make('notes', 1, { tags })).rejects.toThrow(whole)
    expect(() => createReference({ tables, records: { notes: [{ tags }] } })).toThrow(whole)
  })

  test('what says itself how it looks in JSON, and what occurs twice, are values of a json field', async () => {
    const { records } = createReference({ tables })
    const twice = {}
    const tags = { at: new Date(0), url: new URL('http://a.test/'), some: [twice, twice], none: null }
    expect(await records.create('notes', { tags })).toMatchObject({
      tags: { at: '1970-01-01T00:00:00.000Z', url: 'http://a.test/', some: [{}, {}], none: null },
    })
  })

  test('an object with a field "then" is a value', async () => {
    const { records } = createReference({ tables })
    const tags = JSON.parse('{"then": "what"}')
    expect(await records.create('notes', { tags })).toMatchObject({ tags })
  })
})
