import { expect, test } from 'vitest'
import { forumTables } from '../../test/support/forum-tables.ts'
import { call, signIn } from '../../test/support/reference-call.ts'
import { createReference, RecordError } from '../reference.ts'

const start = () => createReference({ tables: forumTables, seed: 1, ids: 'counting' })

test('creates, finds, lists, changes and deletes without evaluating rules', async () => {
  const { records } = start()
  const ann = await records.create('members', {
    email: 'ann@example.com',
    password: 'password1',
    role: 'writer',
    verified: true,
  })
  expect(ann).toMatchObject({
    id: '000000000000001',
    email: 'ann@example.com',
    verified: true,
    collectionName: 'members',
  })
  expect(ann).not.toHaveProperty('password')
  const post = await records.create('posts', {
    title: 'One',
    author: ann,
    when: new Date(0),
    tags: ['fun'],
    meta: { a: [1] },
  })
  expect(post).toMatchObject({
    author: ann.id,
    when: '1970-01-01 00:00:00.000Z',
    tags: ['fun'],
    meta: { a: [1] },
  })
  await records.create('comments', { post, likes: [ann], body: 'Nice' })
  expect(await records.find('posts', post.id)).toEqual(post)
  expect(await records.find('posts', { title: 'One' })).toEqual(post)
  expect(await records.find('posts', { title: 'Two' })).toBeUndefined()
  const [comment] = await records.list('comments', { filter: 'post.title = "One"', expand: 'post' })
  expect(comment?.expand).toMatchObject({ post: { title: 'One' } })
  expect(await records.update('posts', post.id, { title: 'Uno' })).toMatchObject({
    title: 'Uno',
    tags: ['fun'],
  })
  expect([await records.delete('posts', post.id), await records.delete('posts', post.id)]).toEqual([
    true,
    false,
  ])
  expect(records.count('comments')).toBe(0)
})

test('lists more than a page, in order', async () => {
  const { records, make } = start()
  await make('members', 1)
  await make('posts', 1203, (position) => ({ title: `Post ${position}` }))
  const all = await records.list('posts')
  expect(all.map(({ title }) => title)).toEqual(Array.from({ length: 1203 }, (_, at) => `Post ${at}`))
})

test('what was given out cannot change what is stored', async () => {
  const { records, make } = start()
  await make('posts', 1, { title: 'x', meta: { deep: { a: 1 } } })
  const find = () => records.find('posts', { title: 'x' })
  const meta = (await find())?.meta as { deep: object }
  Object.assign(meta.deep, { a: 2 })
  expect((await find())?.meta).toEqual({ deep: { a: 1 } })
})

test('an error says which record and which fields', async () => {
  const { records } = start()
  const rejected = records.create('posts', { title: 'x'.repeat(81), author: 'nobody000000000', score: 9 })
  await expect(rejected).rejects.toBeInstanceOf(RecordError)
  await expect(rejected).rejects.toThrow(/"posts" cannot be created.*title:.*author:.*score:/s)
  await expect(rejected).rejects.toMatchObject({
    status: 400,
    data: { score: { code: 'validation_max_number_constraint' } },
  })
  await expect(records.update('posts', 'nobody000000000', {})).rejects.toThrow(
    'Record "nobody000000000" of "posts"',
  )
})

test('files are stored, passwords sign in, and a changed one ends tokens', async () => {
  const reference = start()
  const { records } = reference
  const member = await records.create('members', {
    email: 'bob@example.com',
    password: 'password1',
    role: 'reader',
  })
  const png = new File([Buffer.from('89504e470d0a1a0a', 'hex')], 'my Cover.png')
  const post = await records.create('posts', { title: 'x', author: member, cover: png })
  expect(post.cover).toMatch(/^my_cover_\w{10}\.png$/)
  await expect(records.update('posts', post.id, { cover: new File(['text'], 'a.png') })).rejects.toThrow(
    'cover:',
  )
  const token = await signIn(reference, 'members', 'bob@example.com', 'password1')
  await records.update('members', member.id, { password: 'password2' })
  const { status } = await call(reference, 'POST /collections/members/auth-refresh', undefined, { token })
  expect(status).toBe(401)
  expect(await signIn(reference, 'members', 'bob@example.com', 'password2')).not.toBe('')
})

test('an invalid filter, sort or expand is rejected in the words of the call', async () => {
  const { records } = start()
  const rejected = records.list('posts', { filter: 'titel = "x"' })
  await expect(rejected).rejects.toBeInstanceOf(RecordError)
  await expect(rejected).rejects.toThrow(
    'The records of "posts" cannot be listed: Filter: unknown name "titel". Did you mean "title"?\n  filter: titel = "x"',
  )
  await expect(records.list('posts', { sort: 'zz' })).rejects.toThrow(/"posts" cannot be listed: Sort.*"zz"/)
  await expect(records.list('posts', { expand: 'autor' })).rejects.toThrow(
    'expand: "autor" is not a relation of "posts". Did you mean "author"?',
  )
  await expect(records.list('comments', { expand: 'post.title' })).rejects.toThrow(
    'expand: "title" is not a relation of "posts".',
  )
  expect(await records.list('comments', { expand: 'likes, post.author' })).toEqual([])
  expect(await records.list('members', { expand: 'posts_via_author' })).toEqual([])
})

test('a record is accepted wherever its id is', async () => {
  const reference = start()
  const { records } = reference
  const [ann] = await reference.make('members')
  const [post] = await reference.make('posts', 1, { title: 'One', author: ann })
  expect(await records.update('posts', post, { title: 'Two' })).toMatchObject({ id: post.id, title: 'Two' })
  expect(await records.find('posts', post)).toMatchObject({ id: post.id, title: 'Two' })
  expect(await reference.tokenFor('members', ann)).toMatch(/^ey/)
  // @ts-expect-error It is a record of another table.
  await expect(records.update('posts', ann, {})).rejects.toThrow(
    `The record "${ann.id}" is one of "members", not of "posts".`,
  )
  // @ts-expect-error It is a record of another table.
  await expect(records.find('posts', ann)).rejects.toThrow('is one of "members", not of "posts".')
  // @ts-expect-error It is a record of another table.
  await expect(records.delete('posts', ann)).rejects.toThrow('is one of "members", not of "posts".')
  expect([await records.delete('posts', post), await records.find('posts', post)]).toEqual([true, undefined])
})
