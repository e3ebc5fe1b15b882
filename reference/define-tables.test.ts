import { expect, expectTypeOf, test } from 'vitest'
import type { TableDefinition } from '../spec/table-definition.ts'
import { forumTables } from '../test/support/forum-tables.ts'
import {
  createReference,
  defineTables,
  type ExactTables,
  type Records,
  type Reference,
  type TableInputs,
} from './reference.ts'

type Forum = Records<typeof forumTables>

test('records have the types that their tables say', async () => {
  expectTypeOf<keyof Forum>().toEqualTypeOf<'members' | 'posts' | 'comments'>()
  expectTypeOf<Forum['posts']['title']>().toEqualTypeOf<string>()
  expectTypeOf<Forum['posts']['author']>().toEqualTypeOf<string>()
  expectTypeOf<Forum['posts']['tags']>().toEqualTypeOf<('news' | 'help' | 'fun')[]>()
  expectTypeOf<Forum['posts']['score']>().toEqualTypeOf<number>()
  expectTypeOf<Forum['posts']['pinned']>().toEqualTypeOf<boolean>()
  expectTypeOf<Forum['posts']['place']>().toEqualTypeOf<{ lon: number; lat: number }>()
  expectTypeOf<Forum['posts']['collectionName']>().toEqualTypeOf<'posts'>()
  expectTypeOf<Forum['comments']['likes']>().toEqualTypeOf<string[]>()
  expectTypeOf<Forum['members']['role']>().toEqualTypeOf<'reader' | 'writer'>()
  expectTypeOf<Forum['members']['verified']>().toEqualTypeOf<boolean>()
  expectTypeOf<Forum['posts']>().not.toHaveProperty('verified')
  expectTypeOf<Forum['members']>().not.toHaveProperty('password')

  const reference = createReference({ tables: forumTables })
  expectTypeOf(reference.records.find('posts', 'x')).resolves.toEqualTypeOf<Forum['posts'] | undefined>()
  expectTypeOf(reference.make('members')).resolves.toEqualTypeOf<[Forum['members']]>()
  expectTypeOf(reference.make('comments', 2)).resolves.toEqualTypeOf<[Forum['comments'], Forum['comments']]>()
  expectTypeOf(reference.make('comments', 11)).resolves.toEqualTypeOf<Forum['comments'][]>()
  expectTypeOf(reference.make('comments', 0)).resolves.toEqualTypeOf<[]>()
  const some: number = 1
  expectTypeOf(reference.make('comments', some)).resolves.toEqualTypeOf<Forum['comments'][]>()
  expectTypeOf(reference.fork()).toEqualTypeOf<typeof reference>()
  // @ts-expect-error There is no such table.
  expect(() => reference.records.count('nope')).toThrow('There is no table "nope"')
  // @ts-expect-error There is no such field.
  await expect(reference.records.create('members', { role: 'reader', nik: 'x' })).rejects.toThrow(
    'no field "nik"',
  )
  // @ts-expect-error A post requires a title.
  await expect(reference.records.create('posts', { author: 'x' })).rejects.toThrow('title: Cannot be blank.')
  // @ts-expect-error There is no such role.
  await expect(reference.make('members', 1, { role: 'king' })).rejects.toThrow('Invalid value king.')
})

test('tables written in place, as const, mutable or not typed at all are taken', async () => {
  const inPlace = createReference({ tables: [{ name: 'notes', fields: [{ name: 'text', type: 'text' }] }] })
  const [note] = await inPlace.make('notes')
  expectTypeOf(note.text).toEqualTypeOf<string>()
  const constant = [{ name: 'notes', fields: [{ name: 'done', type: 'bool' }] }] as const
  const [done] = await createReference({ tables: constant }).make('notes')
  expectTypeOf(done.done).toEqualTypeOf<boolean>()
  const mutable: TableDefinition[] = [{ name: 'notes', fields: [{ name: 'text', type: 'text' }] }]
  const wide = createReference({ tables: mutable })
  await wide.records.create('notes', { text: 'x' })
  expect((await wide.records.find('notes', { text: 'x' }))?.text).toBe('x')
  // @ts-expect-error There is no such field type.
  expect(() => createReference({ tables: [{ name: 'a', fields: [{ name: 'b', type: 'txt' }] }] })).toThrow(
    'field "b"',
  )
  const whatever: Reference = createReference({ tables: forumTables })
  expect(whatever.prefix).toBe('/api/v1')
})

test('options that a table or a field of its type does not have are errors of the compiler', () => {
  const text = { name: 'a', type: 'text' } as const
  // @ts-expect-error There is no such option of a table.
  defineTables([{ name: 'notes', listRul: '', fields: [text] }])
  // @ts-expect-error A text has no values.
  defineTables([{ name: 'notes', fields: [{ name: 'a', type: 'text', values: ['x'] }] }])
  // @ts-expect-error There is no such option of a field.
  defineTables([{ name: 'notes', fields: [{ name: 'a', type: 'text', requird: true }] }])
  // @ts-expect-error There is no such option of an auth table.
  defineTables([{ name: 'notes', type: 'auth', passwordAuth: { enabld: true } }])
  // @ts-expect-error There is no such option of a table.
  const inline = () => createReference({ tables: [{ name: 'notes', listRul: '', fields: [text] }] })
  expect(inline).toThrow('"listRul" of table "notes" is unknown. Did you mean "listRule"?')
  const misspelled = () =>
    // @ts-expect-error There is no such option of a field.
    createReference({ tables: [{ name: 'notes', fields: [{ name: 'a', type: 'text', requird: true }] }] })
  expect(misspelled).toThrow('Did you mean "required"?')
  const ofAnotherType = () =>
    // @ts-expect-error A text has no values.
    createReference({ tables: [{ name: 'notes', fields: [{ name: 'a', type: 'text', values: ['x'] }] }] })
  expect(ofAnotherType).toThrow('"values" of field "a" of table "notes" has no effect')
})

test('tables that are put together are taken', () => {
  const some: TableDefinition[] = [{ name: 'notes' }]
  expect(createReference({ tables: [...some, { name: 'more' }] }).records.count('more')).toBe(0)
  const type: 'text' | 'number' = Math.random() < 1 ? 'text' : 'number'
  createReference({ tables: [{ name: 'notes', fields: [{ name: 'a', type }] }] })
  createReference({ tables: [{ name: 'notes', [`${'list'}Rule`]: '' }] })
  createReference({ tables: forumTables.map((table) => ({ ...table, listRule: '' })) })
  const lists = [
    { name: 'notes', fields: [{ name: 'kind', type: 'select' as const, values: ['x'] }] },
    { name: 'more', listRule: '', fields: [{ name: 'text', type: 'text' as const }] },
  ]
  createReference({ tables: lists })
  const withMore = <const Tables extends TableInputs>(tables: Tables & ExactTables<Tables>) =>
    createReference<Tables>({ tables })
  expectTypeOf(withMore(forumTables)).toEqualTypeOf(createReference({ tables: forumTables }))
  // @ts-expect-error There is no such option of a table.
  withMore([{ name: 'notes', unheardOf: '' }])
})

test('an export of the living family is taken as it is, system tables and all, and views are left out', () => {
  const system = { id: 'pbc_3142635823', name: '_superusers', type: 'auth', system: true, fields: [] }
  const users = {
    id: '_pb_users_auth_',
    name: 'users',
    type: 'auth',
    system: false,
    listRule: 'id = @request.auth.id',
    indexes: [
      'CREATE UNIQUE INDEX `idx_tokenKey__pb_users_auth_` ON `users` (`tokenKey`)',
      "CREATE UNIQUE INDEX `idx_email__pb_users_auth_` ON `users` (`email`) WHERE `email` != ''",
    ],
    fields: [
      {
        autogeneratePattern: '[a-z0-9]{15}',
        hidden: false,
        id: 'text3208210256',
        max: 15,
        min: 15,
        name: 'id',
        pattern: '^[a-z0-9]+$',
        presentable: false,
        primaryKey: true,
        required: true,
        system: true,
        type: 'text',
      },
      {
        hidden: false,
        id: 'file376926767',
        maxSelect: 1,
        maxSize: 0,
        mimeTypes: ['image/png'],
        name: 'avatar',
        thumbs: null,
        type: 'file',
      },
    ],
    oauth2: { enabled: false, mappedFields: { avatarURL: 'avatar', id: '', name: 'name', username: '' } },
    passwordAuth: { enabled: true, identityFields: ['email'] },
  }
  const posts = {
    id: 'pbc_1',
    name: 'posts',
    type: 'base',
    fields: [{ name: 'by', type: 'relation', collectionId: '_pb_users_auth_' }],
    indexes: null,
  }
  const file = JSON.stringify([system, users, posts])
  expect(createReference({ tables: JSON.parse(file) }).records.count('posts')).toBe(0)
  expect(createReference({ tables: JSON.parse(`{"collections":${file}}`) }).records.count('users')).toBe(0)
  const view = { id: 'pbc_totals', name: 'totals', type: 'view', viewQuery: 'select 1 as id' }
  const parsed = (...tables: object[]) => JSON.parse(JSON.stringify([users, view, ...tables]))
  const reference = createReference({ tables: parsed(posts) })
  const notice = 'View tables cannot be served here and were left out: "totals".'
  expect(reference.notices).toEqual([notice])
  expect(reference.fork().notices).toEqual([notice])
  expect(() => reference.records.count('totals')).toThrow('There is no table "totals".')

  const relation = { name: 'total', type: 'relation', collectionId: 'pbc_totals' }
  for (const options of [
    { tables: parsed({ ...posts, fields: [relation] }) },
    { tables: parsed({ ...posts, listRule: '@collection.totals.id != ""' }) },
    { tables: parsed(posts), records: { totals: [{ id: 'x' }] } },
  ]) {
    expect(() => createReference(options)).toThrow(notice)
  }
})
