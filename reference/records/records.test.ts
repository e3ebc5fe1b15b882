import { beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest'
import { call } from '../../test/support/reference-call.ts'
import { makeWorld } from '../../test/support/reference-world.ts'
import { createReference, type Reference } from '../reference.ts'
import { RootReader } from '../store/reader.ts'

let reference: Reference
let superuser: string

beforeEach(async () => {
  const world = await makeWorld()
  reference = world.reference
  superuser = world.superuser
})

const dateForm = /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d\.\d{3}Z$/

describe('a record', () => {
  it('is created, viewed, updated, listed and deleted', async () => {
    const created = await call(reference, 'POST /collections/posts/records', { title: 'one', count: 2 })
    expect(created.status).toBe(200)
    expect(created.body).toMatchObject({
      title: 'one',
      count: 2,
      collectionName: 'posts',
      collectionId: 'posts_id_000001',
      pass: '',
    })
    expect(created.body.created).toMatch(dateForm)
    expect(created.body.updated).toBe(created.body.created)
    expect(created.body).not.toHaveProperty('secret')

    reference.clock.advance(5)
    const path = `/collections/posts/records/${created.body.id}`
    const updated = await call(reference, `PATCH ${path}`, { 'count+': 3 })
    expect(updated.body).toMatchObject({ title: 'one', count: 5, created: created.body.created })
    expect(updated.body.updated > created.body.updated).toBe(true)

    expect((await call(reference, `GET ${path}`)).body).toEqual(updated.body)
    const list = await call(reference, 'GET /collections/POSTS/records')
    expect(list.body).toEqual({ items: [updated.body], page: 1, perPage: 30, totalItems: 1, totalPages: 1 })

    const deleted = await call(reference, `DELETE ${path}`)
    expect([deleted.status, deleted.text, deleted.headers.get('content-type')]).toEqual([204, '', null])
    expect((await call(reference, `GET ${path}`)).status).toBe(404)
  })

  it('applies fields, and rejects a malformed fields parameter before it writes', async () => {
    const created = await call(reference, 'POST /collections/posts/records?fields=title', { title: 'one' })
    expect(created.body).toEqual({ title: 'one' })
    const list = await call(reference, 'GET /collections/posts/records?fields=title')
    expect(list.body).toMatchObject({ items: [{ title: 'one' }], totalItems: 1 })
    expect(
      (await call(reference, 'POST /collections/posts/records?fields=title:nope', { title: 'two' })).status,
    ).toBe(400)
    expect((await call(reference, 'GET /collections/posts/records')).body.totalItems).toBe(1)
  })

  it('shows hidden fields to superusers only and takes them from superusers only', async () => {
    const mine = await call(reference, 'POST /collections/posts/records', { secret: 'x' })
    const seen = await call(reference, `GET /collections/posts/records/${mine.body.id}`, undefined, {
      token: superuser,
    })
    expect(seen.body.secret).toBe('')
    const theirs = await call(
      reference,
      'POST /collections/posts/records',
      { secret: 'x' },
      { token: superuser },
    )
    expect(theirs.body.secret).toBe('x')
  })
})

describe('the order of checks', () => {
  it('checks the table first', async () => {
    expect((await call(reference, 'GET /collections/nope/records')).body).toEqual({
      data: {},
      message: 'Missing collection context.',
      status: 404,
    })
    expect((await call(reference, 'POST /collections/nope/records', '{')).body).toEqual({
      data: {},
      message: 'Missing or invalid collection context.',
      status: 404,
    })
    expect(
      (await call(reference, 'GET /collections/_apiKeys/records', undefined, { token: superuser })).status,
    ).toBe(404)
  })

  it('reads the body before it looks at rules', async () => {
    expect((await call(reference, 'POST /collections/locked/records', '{"a"')).status).toBe(400)
    expect((await call(reference, 'POST /collections/locked/records', {})).body.message).toBe(
      'Only superusers can perform this action.',
    )
    expect((await call(reference, 'DELETE /collections/locked/records/nope')).status).toBe(403)
    expect((await call(reference, 'GET /collections/locked/records')).status).toBe(403)
  })

  it('answers a rule that is not satisfied by operation', async () => {
    const { body: hidden } = await call(reference, 'POST /collections/ruled/records', { title: 'a' })
    expect(hidden.title).toBe('a')
    const path = `/collections/ruled/records/${hidden.id}`
    for (const line of [`GET ${path}`, `PATCH ${path}`, `DELETE ${path}`]) {
      expect((await call(reference, line, line.startsWith('GET') ? undefined : {})).status).toBe(404)
    }
    expect((await call(reference, 'GET /collections/ruled/records')).body.items).toEqual([])
    expect((await call(reference, `GET ${path}`, undefined, { token: superuser })).status).toBe(200)
  })

  it('reports no fields if the create rule rejects the caller', async () => {
    const rejected = await call(reference, 'POST /collections/ruled/records', { title: 'no' })
    expect(rejected.body).toEqual({ data: {}, message: 'Failed to create record.', status: 400 })
    const invalid = await call(reference, 'POST /collections/ruled/records', { title: 'too long' })
    expect(invalid.body.data.title.code).toBe('validation_max_text_constraint')
  })

  it('rejects filters that reach beyond the table, even inside a string', async () => {
    const rejected = await call(
      reference,
      `GET /collections/posts/records?filter=${encodeURIComponent('title = "@request.x"')}`,
    )
    expect([rejected.status, rejected.body.message]).toEqual([403, 'Only superusers can filter by @request.'])
    expect((await call(reference, 'GET /collections/posts/records?sort=@collection.x')).status).toBe(403)
    expect((await call(reference, 'GET /collections/posts/records?sort=nope')).status).toBe(400)
  })
})

describe('bodies', () => {
  const post = (body: string, type: string) =>
    call(reference, 'POST /collections/posts/records', body, { headers: { 'content-type': type } })

  it.each(['[]', '1', '"x"', 'null', '{', '{"a":1}x', '\ufeff{}', '{"a":1e999}'])(
    'rejects %.20s',
    async (body) => {
      const response = await post(body, 'application/json')
      expect(response.body).toEqual({
        data: {},
        message: 'Something went wrong while processing your request.',
        status: 400,
      })
    },
  )

  it('reports a value that is too deep', async () => {
    const { status, body } = await post('['.repeat(9999), 'application/json')
    expect([status, body.data]).toEqual([400, {}])
    expect(body.message).toBe('The JSON holds more than 500 levels of objects and arrays: send fewer.')
  })

  it('compares media types without regard to case, and rejects others', async () => {
    expect((await post('{"title":"a"}', 'APPLICATION/JSON; charset=utf-8')).body.title).toBe('a')
    expect((await post('{"title":"a"}', 'text/plain')).body.message).toBe('Unsupported Content-Type.')
    expect((await call(reference, 'POST /collections/posts/records')).status).toBe(200)
  })

  it('infers values of forms and merges JSON payloads', async () => {
    const response = await post(
      'title=5&count=7&@jsonPayload=%7B%22count%22%3A8%7D',
      'application/x-www-form-urlencoded',
    )
    expect(response.body).toMatchObject({ title: '5', count: 8 })
    expect((await post('title=%zz', 'application/x-www-form-urlencoded')).status).toBe(400)
    expect((await post('x', 'multipart/form-data')).status).toBe(400)
  })

  it('keeps uploads, appends them and removes them', async () => {
    const form = new FormData()
    form.append('title', 'files')
    form.append('docs', new File(['hello'], 'Über Plan.txt'))
    form.append('nope', new File(['hello'], 'other.txt'))
    const created = await call(reference, 'POST /collections/posts/records', form)
    expect(created.body.docs).toHaveLength(1)
    const [first] = created.body.docs
    expect(first).toMatch(/^\w+_[a-z0-9]{10}\.txt$/)
    const more = new FormData()
    more.append('docs+', new File(['world'], 'second.txt'))
    const path = `/collections/posts/records/${created.body.id}`
    const appended = await call(reference, `PATCH ${path}`, more)
    expect(appended.body.docs).toEqual([first, expect.stringMatching(/^second_[a-z0-9]{10}\.txt$/)])
    const removed = await call(reference, `PATCH ${path}`, { 'docs-': first })
    expect(removed.body.docs).toEqual([appended.body.docs[1]])
    const forged = await call(reference, `PATCH ${path}`, { docs: ['never.txt'] })
    expect(forged.body.data.docs.code).toBe('validation_invalid_file')
  })

  it('are limited before they are read', async () => {
    const response = await reference.fetch('/api/v1/collections/posts/records', {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'content-length': '999999999' },
      body: '{}',
    })
    expect(response.status).toBe(413)
  })
})

describe('ids with a pattern of their own', () => {
  it('differ by more than letter case, which no walk over the table finds out', async () => {
    const id = { name: 'id', type: 'text', min: 1, max: 9, pattern: '^[A-Za-z]+$' } as const
    const reference = createReference({
      tables: [
        {
          name: 'words',
          createRule: '',
          updateRule: '',
          deleteRule: '',
          fields: [id, { name: 'n', type: 'number' }],
        },
      ],
      records: { words: [{ id: 'Word' }] },
    })
    const create = (id: string) => call(reference, 'POST /collections/words/records', { id })
    const scan = vi.spyOn(RootReader.prototype, 'scan')
    onTestFinished(() => scan.mockRestore())
    expect((await create('other')).status).toBe(200)
    expect((await create('wORD')).body.data.id.code).toBe('validation_pk_invalid')
    expect((await call(reference, 'PATCH /collections/words/records/Word', { n: 1 })).status).toBe(200)
    expect((await create('wORD')).body.data.id.code).toBe('validation_pk_invalid')
    const before = reference.snapshot()
    expect((await call(reference, 'DELETE /collections/words/records/Word')).status).toBe(204)
    expect((await create('wORD')).status).toBe(200)
    reference.restore(before)
    expect((await create('wORD')).body.data.id.code).toBe('validation_pk_invalid')
    expect(scan).not.toHaveBeenCalled()
  })
})
