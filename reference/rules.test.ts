import { describe, expect, it } from 'vitest'
import { call } from '../test/support/reference-call.ts'
import { makeWorld } from '../test/support/reference-world.ts'

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

  it('see no more of a record than anyone, and are not a record themselves', async () => {
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
  it('follows the viewRule of the related table, unless a key has that table in its scope', async () => {
    const { reference, superuser } = await makeWorld()
    const { body: closed } = await call(
      reference,
      'POST /collections/locked/records',
      {},
      { token: superuser },
    )
    await call(reference, 'POST /collections/notes/records', { closed: closed.id })
    const narrow = await reference.apiKeys.create({ tables: ['notes'], actions: ['list', 'view'] })
    const wide = await reference.apiKeys.create({ tables: ['notes', 'locked'], actions: ['list', 'view'] })
    const expanded = async (token?: string) => {
      const line = 'GET /collections/notes/records?expand=closed'
      const { body } = await call(reference, line, undefined, { token })
      return body.items[0].expand?.closed?.id
    }
    expect(await expanded()).toBeUndefined()
    expect(await expanded(narrow.key)).toBeUndefined()
    expect(await expanded(wide.key)).toBe(closed.id)
    expect(await expanded(superuser)).toBe(closed.id)
  })
})
