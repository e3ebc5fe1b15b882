/** The official client, unmodified, inside the process and over a socket: forms with files, and batches of both kinds. */

import PocketBase, { BaseAuthStore } from 'pocketbase'
import { afterAll, beforeEach, describe, expect, test } from 'vitest'
import { forumTables } from '../test/support/forum-tables.ts'
import { createReference } from './reference.ts'

const reference = createReference({ tables: forumTables, prefix: '/api', passwordCost: 4 })
const { url } = await reference.listen()
beforeEach(() => reference.reset())
afterAll(() => reference.close())

const png = (name: string) => new File([Buffer.from('89504e470d0a1a0a', 'hex')], name, { type: 'image/png' })

const kinds = [
  ['inside the process', 'http://forum.test', { fetch: reference.fetch }],
  ['over a socket', url, {}],
] as const

describe.each(kinds)('the official client %s', (_, base, more) => {
  async function signedIn() {
    const client = new PocketBase(base, new BaseAuthStore()).autoCancellation(false)
    client.beforeSend = (address, options) => ({ url: address, options: { ...options, ...more } })
    const email = 'ann@example.com'
    await client
      .collection('members')
      .create({ email, password: 'password1', passwordConfirm: 'password1', role: 'writer' })
    const { record } = await client.collection('members').authWithPassword(email, 'password1')
    return { client, author: record.id }
  }

  test('sends forms with files', async () => {
    const { client, author } = await signedIn()
    const form = new FormData()
    for (const [name, value] of Object.entries({ title: 'With a cover', author, score: '3', tags: 'fun' }))
      form.append(name, value)
    form.append('cover', png('Front Page.png'))
    const post = await client.collection('posts').create(form)
    expect(post).toMatchObject({
      title: 'With a cover',
      score: 3,
      tags: ['fun'],
      cover: expect.stringMatching(/^front_page_\w{10}\.png$/),
    })
    expect(await client.collection('posts').update(post.id, { cover: null })).toMatchObject({ cover: '' })
    const rejected = client.collection('posts').update(post.id, { cover: new File(['plain'], 'a.txt') })
    await expect(rejected).rejects.toMatchObject({ status: 400, response: { data: { cover: {} } } })
  })

  test('sends batches, with and without files, all or nothing', async () => {
    const { client, author } = await signedIn()
    const batch = client.createBatch()
    batch.collection('posts').create({ title: 'One', author })
    batch.collection('posts').create({ title: 'Two', author, cover: png('a.png') })
    const [one, two] = await batch.send()
    expect([one?.status, two?.body.cover]).toEqual([200, expect.stringMatching(/^a\w*\.png$/)])
    const mixed = client.createBatch()
    mixed.collection('posts').update(one?.body.id, { title: 'Uno' })
    mixed.collection('posts').delete(two?.body.id)
    mixed.collection('posts').upsert({ id: 'upserted0000001', title: 'Three', author })
    expect((await mixed.send()).map(({ status }) => status)).toEqual([200, 204, 200])
    const broken = client.createBatch()
    broken.collection('posts').delete(one?.body.id)
    broken.collection('posts').create({ title: '', author })
    await expect(broken.send()).rejects.toMatchObject({ status: 400 })
    expect((await client.collection('posts').getFullList()).map(({ title }) => title)).toEqual([
      'Uno',
      'Three',
    ])
  })
})
