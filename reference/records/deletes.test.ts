import { beforeEach, describe, expect, it } from 'vitest'
import type { TableDefinition } from '../../spec/table-definition.ts'
import { call } from '../../test/support/reference-call.ts'
import { makeWorld } from '../../test/support/reference-world.ts'
import type { Reference } from '../reference.ts'
import { createReference } from '../reference.ts'

let reference: Reference

beforeEach(async () => {
  reference = (await makeWorld()).reference
})

describe('uniqueness and deletion', () => {
  it('names the field of a violated index', async () => {
    await call(reference, 'POST /collections/posts/records', { code: 'a' })
    const again = await call(reference, 'POST /collections/posts/records', { code: 'a' })
    expect(again.body).toEqual({
      data: { code: { code: 'validation_not_unique', message: 'Value must be unique.' } },
      message: 'Failed to create record.',
      status: 400,
    })
    expect((await call(reference, 'POST /collections/posts/records', {})).status).toBe(200)
  })

  it('holds for an index of an expression, and then reports no field', async () => {
    const lower = "CREATE UNIQUE INDEX lower_name ON words (lower(name)) WHERE name != ''"
    const words: TableDefinition = {
      name: 'words',
      createRule: '',
      fields: [{ name: 'name', type: 'text' }],
      indexes: [lower],
    }
    const reference = createReference({ tables: [words] })
    const create = (name: string) =>
      reference.fetch('http://x/api/v1/collections/words/records', {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ name }),
      })
    expect((await create('Word')).status).toBe(200)
    const rejected = await create('wORD')
    expect([rejected.status, ((await rejected.json()) as { data: unknown }).data]).toEqual([400, {}])
  })

  it('rejects a taken id and a changed one', async () => {
    const { body } = await call(reference, 'POST /collections/posts/records', { id: 'abcdefghij12345' })
    expect(body.id).toBe('abcdefghij12345')
    const again = await call(reference, 'POST /collections/posts/records', { id: body.id })
    expect(again.body.data.id.code).toBe('validation_not_unique')
    const changed = await call(reference, `PATCH /collections/posts/records/${body.id}`, { id: '' })
    expect(changed.body.data.id.code).toBe('validation_pk_change')
  })

  it('cascades, clears, and stops at a required reference', async () => {
    const { body: post } = await call(reference, 'POST /collections/posts/records', {})
    const { body: child } = await call(reference, 'POST /collections/notes/records', { post: post.id })
    const { body: loose } = await call(reference, 'POST /collections/notes/records', { needs: post.id })
    const { body: bound } = await call(reference, 'POST /collections/bound/records', { post: post.id })
    const rejected = await call(reference, `DELETE /collections/posts/records/${post.id}`)
    expect(rejected.status).toBe(400)
    expect((await call(reference, `GET /collections/notes/records/${child.id}`)).status).toBe(200)
    await call(reference, `DELETE /collections/bound/records/${bound.id}`)
    expect((await call(reference, `DELETE /collections/posts/records/${post.id}`)).status).toBe(204)
    expect((await call(reference, `GET /collections/notes/records/${child.id}`)).status).toBe(404)
    expect((await call(reference, `GET /collections/notes/records/${loose.id}`)).body.needs).toBe('')
  })
  it('rejects an empty relation if a unique index allows only one, and writes nothing', async () => {
    const reference = createReference({
      tables: [
        { id: 'people', name: 'people', listRule: '', deleteRule: '' },
        {
          name: 'profiles',
          listRule: '',
          fields: [{ name: 'owner', type: 'relation', collectionId: 'people' }],
          indexes: ['CREATE UNIQUE INDEX one_each ON profiles (owner)'],
        },
        {
          name: 'notes',
          listRule: '',
          fields: [{ name: 'owner', type: 'relation', collectionId: 'people', cascadeDelete: true }],
        },
      ],
      records: {
        people: [{ id: 'ada000000000000' }, { id: 'bob000000000000' }],
        profiles: [{ owner: 'ada000000000000' }, { owner: 'bob000000000000' }],
        notes: [{ owner: 'bob000000000000' }],
      },
      superusers: [{ email: 'root@example.com', password: 'rootpass123' }],
      log(error) {
        throw error
      },
    })
    const all = async () =>
      Promise.all(
        ['people', 'profiles', 'notes'].map(
          async (table) => (await call(reference, `GET /collections/${table}/records`)).body.items,
        ),
      )
    expect((await call(reference, 'DELETE /collections/people/records/ada000000000000')).status).toBe(204)
    const before = await all()
    const rejected = await call(reference, 'DELETE /collections/people/records/bob000000000000')
    const rejection = {
      data: {},
      message:
        'Failed to delete record. Make sure that the record is not part of a required relation reference.',
      status: 400,
    }
    expect(rejected.body).toEqual(rejection)
    const batch = await call(reference, 'POST /batch', {
      requests: [{ method: 'DELETE', url: `${reference.prefix}/collections/people/records/bob000000000000` }],
    })
    expect(batch.body.data.requests[0].response).toEqual(rejection)
    expect(await all()).toEqual(before)
  })
})
