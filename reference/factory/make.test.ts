import { describe, expect, test, vi } from 'vitest'
import { loadTables, tableDefinitions } from '../../spec/tables.ts'
import { forumTables } from '../../test/support/forum-tables.ts'
import { signIn } from '../../test/support/reference-call.ts'
import { createReference } from '../reference.ts'

describe('made-up records satisfy every constraint', () => {
  const made = loadTables().map(({ definition }) => definition.name)
  test.each(made)('of the suite’s table %s, a hundred times', async (name) => {
    const reference = createReference({ tables: tableDefinitions(), seed: 11, passwordCost: 4 })
    await reference.make('conf_plain', 2)
    await reference.make('conf_related', 5)
    expect(await reference.make(name, 100)).toHaveLength(100)
    expect(reference.records.count(name)).toBeGreaterThanOrEqual(100)
  })

  const field = (definition: object) => ({ name: 'f', required: true, ...definition })
  test.each([
    { type: 'text', min: 40, pattern: '^[a-z]+$' },
    { type: 'text', min: 3, max: 3 },
    { type: 'text', pattern: '^(?:DE|AT)-[0-9]{4}(-[A-F]{2})?$' },
    { type: 'text', max: 1 },
    { type: 'number', min: -3, max: -1 },
    { type: 'number', min: 0, max: 0.001 },
    { type: 'number', onlyInt: true, min: -1, max: 1 },
    { type: 'bool' },
    { type: 'email', exceptDomains: ['example.com', 'example.org'] },
    { type: 'url', onlyDomains: ['vendor.example'] },
    { type: 'editor', maxSize: 3 },
    { type: 'date', min: '2031-01-01 00:00:00.000Z' },
    { type: 'date', max: '1999-01-01 00:00:00.000Z' },
    { type: 'select', values: ['one'] },
    { type: 'select', values: ['a', 'b', 'c'], maxSelect: 2 },
    { type: 'json', maxSize: 2 },
    { type: 'file', mimeTypes: ['image/jpeg'] },
    { type: 'file', mimeTypes: ['image/gif', 'image/webp'], maxSize: 100 },
    { type: 'file' },
    { type: 'password', min: 20 },
    { type: 'password', pattern: '^[0-9]{4}$' },
    { type: 'geoPoint' },
    { type: 'relation', collectionId: 'targets00000001' },
    { type: 'relation', collectionId: 'targets00000001', minSelect: 3, maxSelect: 4 },
  ])('for a required field %o', async (definition) => {
    const target = { id: 'targets00000001', name: 'targets', fields: [{ name: 'label', type: 'text' }] }
    const tables = JSON.parse(JSON.stringify([{ name: 'things', fields: [field(definition)] }, target]))
    const reference = createReference({ tables, seed: 5, passwordCost: 4 })
    expect(await reference.make('things', 30)).toHaveLength(30)
  })
})

test('accounts can sign in, unique values are, relations lead somewhere, and what is given is kept', async () => {
  const reference = createReference({ tables: forumTables, seed: 2, passwordCost: 4 })
  const members = await reference.make('members', 200)
  expect(new Set(members.map(({ nick }) => nick.toLowerCase())).size).toBe(200)
  expect(await signIn(reference, 'members', members[7]?.email ?? '', 'password1234')).toMatch(/^ey/)
  const posts = await reference.make('posts', 20, (position) => ({
    author: members[position],
    title: `No ${position}`,
  }))
  expect(posts.map(({ author }) => author)).toEqual(members.slice(0, 20).map(({ id }) => id))
  const other = createReference({ tables: forumTables, seed: 2, passwordCost: 4 })
  const [comment] = await other.make('comments')
  expect((await other.records.find('posts', comment?.post ?? ''))?.author).not.toBe('')
})

test('the same seed and time make the same records, whatever else uses the generator', async () => {
  const run = async () => {
    const reference = createReference({
      tables: forumTables,
      seed: 42,
      clock: '2030-01-01T00:00:00Z',
      passwordCost: 4,
    })
    reference.clock.freeze('2030-01-01T00:00:00Z')
    const snapshot = reference.snapshot()
    const first = await reference.make('posts', 5)
    reference.restore(snapshot)
    expect(await reference.make('posts', 5)).toEqual(first)
    return first
  }
  const [one, two] = await Promise.all([run(), run()])
  expect(one).toEqual(two)
})

test('all are made, or none; and what cannot be made up says why', async () => {
  const reference = createReference({ tables: forumTables, log: vi.fn() })
  const halfway = (position: number) => (position === 3 ? { title: '' } : {})
  await expect(reference.make('posts', 5, halfway)).rejects.toThrow(
    /^posts\[3\] cannot have the values that were passed: .*title: Cannot be blank/s,
  )
  expect([reference.records.count('posts'), reference.records.count('members')]).toEqual([0, 0])
  await expect(reference.make('members', 2, { nick: 'same' })).rejects.toThrow('Value must be unique')
  const circle = createReference({
    tables: [
      {
        id: 'circle000000001',
        name: 'circle',
        fields: [{ name: 'next', type: 'relation', collectionId: 'circle000000001', required: true }],
      },
    ],
  })
  await expect(circle.make('circle')).rejects.toThrow('Create the first records yourself')
})

test('a field may be named as something that every object has', async () => {
  const fields = ['constructor', 'toString'].map((name) => ({ name, type: 'text', required: true }) as const)
  const reference = createReference({ tables: [{ name: 'words', fields }] })
  const [made] = await reference.make('words')
  expect([made?.constructor, made?.toString]).toEqual([expect.any(String), expect.any(String)])
})
