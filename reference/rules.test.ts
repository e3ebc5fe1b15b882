import { describe, expect, it } from 'vitest'
import { call } from '../test/reference-call.ts'
import { makeWorld } from '../test/reference-world.ts'

describe('project API keys', () => {
  it('act within their scope and nowhere else', async () => {
    const { reference } = await makeWorld()
    const { key } = await reference.apiKeys.create({ tables: ['locked'], actions: ['create', 'list'] })
    expect(
      (await call(reference, 'POST /collections/locked/records', { title: 'a' }, { token: key })).status,
    ).toBe(200)
    expect(
      (await call(reference, 'GET /collections/locked/records', undefined, { token: key })).body.totalItems,
    ).toBe(1)
    expect((await call(reference, 'GET /collections/posts/records', undefined, { token: key })).status).toBe(
      403,
    )
    const all = await reference.apiKeys.create({ tables: ['*'], actions: ['create', 'list'] })
    expect(
      (await call(reference, 'GET /collections/_superusers/records', undefined, { token: all.key })).status,
    ).toBe(403)
  })

  it('see no more of a record than anybody, and are no record themselves', async () => {
    const { reference, superuser } = await makeWorld()
    const hidden = { title: 'a', secret: 'x' }
    await call(reference, 'POST /collections/posts/records', hidden, { token: superuser })
    const { id, key } = await reference.apiKeys.create({ tables: ['posts_id_000001'], actions: ['list'] })
    const { body } = await call(reference, 'GET /collections/posts/records', undefined, { token: key })
    expect(body.items[0].title).toBe('a')
    expect(body.items[0]).not.toHaveProperty('secret')
    expect(
      (await call(reference, 'GET /collections/posts/records?filter=secret="x"', undefined, { token: key }))
        .status,
    ).toBe(400)
    expect(
      (await call(reference, 'POST /collections/users/auth-refresh', undefined, { token: key })).status,
    ).toBe(403)
    await reference.apiKeys.revoke(id)
    const { key: other } = await reference.apiKeys.create({ tables: ['locked'], actions: ['list'] })
    expect((await call(reference, 'GET /collections/locked/records', undefined, { token: key })).status).toBe(
      403,
    )
    expect(
      (await call(reference, 'GET /collections/locked/records', undefined, { token: other })).status,
    ).toBe(200)
  })
})

describe('expanding', () => {
  it('follows the viewRule of the related table for a key without it in scope, and not with it', async () => {
    const { reference, superuser } = await makeWorld()
    const { body: post } = await call(reference, 'POST /collections/posts/records', { title: 'a' })
    await call(reference, 'POST /collections/notes/records', { post: post.id })
    const narrow = await reference.apiKeys.create({ tables: ['notes'], actions: ['list'] })
    const line = 'GET /collections/notes/records?expand=post'
    expect(
      (await call(reference, line, undefined, { token: narrow.key })).body.items[0].expand.post.title,
    ).toBe('a')
    expect(
      (await call(reference, line, undefined, { token: superuser })).body.items[0].expand.post.title,
    ).toBe('a')
  })
})
