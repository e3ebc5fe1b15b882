import { describe, expect, it } from 'vitest'
import { createReference, type Reference } from '../reference/reference.ts'
import type { TableDefinition } from '../spec/table-definition.ts'
import { completeTables } from './complete-tables.ts'
import { guestsMayPass } from './guests.ts'
import type { ExportedTable } from './vocabulary.ts'

const people = 'people_000001'
const fields: ExportedTable['fields'] = [
  { name: 'title', type: 'text', required: true },
  { name: 'note', type: 'text' },
  { name: 'open', type: 'bool' },
  { name: 'code', type: 'password', required: true },
  { name: 'edited', type: 'autodate', onUpdate: true, required: true },
  { name: 'rank', type: 'number', required: true },
  { name: 'owner', type: 'relation', collectionId: people, required: true },
  { name: 'editor', type: 'relation', collectionId: people },
  { name: 'readers', type: 'relation', collectionId: people, maxSelect: 9, required: true },
]
const tables: ExportedTable[] = [
  { id: people, name: 'people', type: 'auth', fields: [{ name: 'role', type: 'text' }] },
  { id: 'posts_0000001', name: 'posts', fields },
]

const passing: (string | null)[] = [
  '',
  'open = true',
  'open = true || @request.auth.id != ""',
  '@request.auth.id = ""',
  '@request.auth.id = null',
  '@request.auth.id != "someone"',
  'title != @request.auth.id',
  'editor = @request.auth.id',
  'note = @request.auth.id',
  'edited = @request.auth.id',
  'readers ?= @request.auth.id',
  'readers.id ?= @request.auth.id',
  'owner.role = @request.auth.role',
  '@request.auth.id = @request.auth.role',
  '@request.auth.id:isset = false',
  '@request.auth.id:length = 0',
  '@request.headers.x_key = "1"',
  'strftime("%Y", created) = @request.auth.id',
  'rank = @request.auth.rank',
  '@request.auth.rank = 0',
  '@request.auth.open = false',
  'this is not a rule',
]

const failing: (string | null)[] = [
  null,
  '@request.auth.id != ""',
  "'' != @request.auth.id",
  '@request.auth.id != null',
  '@request.auth.id = "someone"',
  'id = @request.auth.id',
  'owner = @request.auth.id',
  'code = @request.auth.id',
  '@request.auth.id = title',
  '@request.auth.open = true',
  '@request.auth.rank = 3',
  '@request.auth.rank > 3',
  '@request.auth.id ~ "a"',
  '@request.auth.id !~ "a"',
  '@request.auth.id ?= "a"',
  'open = true && @request.auth.id != ""',
  '(open = true || note = "x") && (owner = @request.auth.id || @request.auth.role = "admin")',
]

const [, posts] = completeTables(tables)

it.each(passing)('may be true for a guest: %s', (rule) => {
  expect(posts && guestsMayPass(rule, posts)).toBe(true)
})

it.each(failing)('is false for every guest: %s', (rule) => {
  expect(posts && guestsMayPass(rule, posts)).toBe(false)
})

function referenceWith(rules: Pick<ExportedTable, 'listRule' | 'viewRule'>): Reference {
  return createReference({
    tables: tables.map(
      (table) => ({ ...table, ...(table.name === 'posts' ? rules : {}) }) as TableDefinition,
    ),
  })
}

describe('on the reference', () => {
  it.each(failing)('shows guests nothing: %s', async (rule) => {
    const reference = referenceWith({ viewRule: rule, listRule: rule })
    const [ann] = await reference.make('people', 1)
    const made = await reference.make('posts', 8, { owner: ann?.id, readers: [ann?.id] })
    for (const { id } of made) {
      const { status } = await reference.fetch(`/api/v1/collections/posts/records/${id}`)
      expect([403, 404]).toContain(status)
    }
    const list = await reference.fetch('/api/v1/collections/posts/records')
    const { items = [] } = (await list.json()) as { items?: unknown[] }
    expect(items).toEqual([])
  })

  it.each(['', 'editor = @request.auth.id', 'note = @request.auth.id', '@request.auth.id = ""'])(
    'shows guests what the rule says: %s',
    async (rule) => {
      const reference = referenceWith({ listRule: rule })
      await reference.make('posts', 1, { editor: '', note: '' })
      const list = await reference.fetch('/api/v1/collections/posts/records')
      expect(await list.json()).toMatchObject({ totalItems: 1 })
    },
  )
})
