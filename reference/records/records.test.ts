import { beforeEach, describe, expect, it } from 'vitest'
import type { TableDefinition } from '../../spec/table-definition.ts'
import { call, signIn } from '../../test/reference-call.ts'
import { createReference, type Reference } from '../reference.ts'

const open = { listRule: '', viewRule: '', createRule: '', updateRule: '', deleteRule: '' }
const stamps: TableDefinition['fields'] = [
  { name: 'created', type: 'autodate', onCreate: true, onUpdate: false },
  { name: 'updated', type: 'autodate', onCreate: true, onUpdate: true },
]

const tables: TableDefinition[] = [
  {
    id: 'posts_id_000001',
    name: 'posts',
    ...open,
    fields: [
      { name: 'title', type: 'text', max: 10 },
      { name: 'count', type: 'number' },
      { name: 'secret', type: 'text', hidden: true },
      { name: 'code', type: 'text' },
      { name: 'pass', type: 'password' },
      { name: 'docs', type: 'file', maxSelect: 3 },
      ...stamps,
    ],
    indexes: ["CREATE UNIQUE INDEX idx_code ON posts (code) WHERE code != ''"],
  },
  {
    id: 'notes_id_000001',
    name: 'notes',
    ...open,
    fields: [
      { name: 'label', type: 'text' },
      { name: 'post', type: 'relation', collectionId: 'posts_id_000001', cascadeDelete: true },
      { name: 'needs', type: 'relation', collectionId: 'posts_id_000001', required: false },
      ...stamps,
    ],
  },
  {
    id: 'bound_id_000001',
    name: 'bound',
    ...open,
    fields: [{ name: 'post', type: 'relation', collectionId: 'posts_id_000001', required: true }, ...stamps],
  },
  { id: 'locked_id_00001', name: 'locked', fields: [{ name: 'title', type: 'text' }, ...stamps] },
  {
    id: 'ruled_id_000001',
    name: 'ruled',
    listRule: 'public = true',
    viewRule: 'public = true',
    createRule: '@request.body.title != "no"',
    updateRule: 'public = true',
    deleteRule: 'public = true',
    fields: [{ name: 'title', type: 'text', max: 5 }, { name: 'public', type: 'bool' }, ...stamps],
  },
  {
    id: 'users_id_000001',
    name: 'users',
    type: 'auth',
    ...open,
    updateRule: 'id = @request.auth.id',
    fields: [{ name: 'name', type: 'text' }, ...stamps],
  },
]

const root = { email: 'root@example.com', password: 'rootpass123' }
const ada = { email: 'ada@example.com', password: 'adapass123' }

let reference: Reference
let superuser: string

beforeEach(async () => {
  reference = createReference({
    tables,
    superusers: [root],
    passwordCost: 4,
    seed: 1,
    log: (error) => {
      throw error
    },
  })
  superuser = await signIn(reference, '_superusers', root.email, root.password)
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

  it('narrows to fields, and refuses a malformed fields parameter before it writes', async () => {
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
  it('asks for the table first', async () => {
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

  it('says nothing of fields when the create rule refuses', async () => {
    const refused = await call(reference, 'POST /collections/ruled/records', { title: 'no' })
    expect(refused.body).toEqual({ data: {}, message: 'Failed to create record.', status: 400 })
    const invalid = await call(reference, 'POST /collections/ruled/records', { title: 'too long' })
    expect(invalid.body.data.title.code).toBe('validation_max_text_constraint')
  })

  it('refuses filters that reach beyond the table, even inside a text', async () => {
    const refused = await call(
      reference,
      `GET /collections/posts/records?filter=${encodeURIComponent('title = "@request.x"')}`,
    )
    expect([refused.status, refused.body.message]).toEqual([403, 'Only superusers can filter by @request.'])
    expect((await call(reference, 'GET /collections/posts/records?sort=@collection.x')).status).toBe(403)
    expect((await call(reference, 'GET /collections/posts/records?sort=nope')).status).toBe(400)
  })
})

describe('bodies', () => {
  const post = (body: string, type: string) =>
    call(reference, 'POST /collections/posts/records', body, { headers: { 'content-type': type } })

  it.each(['[]', '1', '"x"', 'null', '{', '{"a":1}x', '\ufeff{}', '{"a":1e999}', `${'['.repeat(9999)}`])(
    'refuses %.20s',
    async (body) => {
      const answer = await post(body, 'application/json')
      expect(answer.body).toEqual({
        data: {},
        message: 'Something went wrong while processing your request.',
        status: 400,
      })
    },
  )

  it('compares media types without regard to case, and refuses others', async () => {
    expect((await post('{"title":"a"}', 'APPLICATION/JSON; charset=utf-8')).body.title).toBe('a')
    expect((await post('{"title":"a"}', 'text/plain')).body.message).toBe('Unsupported Content-Type.')
    expect((await call(reference, 'POST /collections/posts/records')).status).toBe(200)
  })

  it('infers values of forms and merges JSON payloads', async () => {
    const answer = await post(
      'title=5&count=7&@jsonPayload=%7B%22count%22%3A8%7D',
      'application/x-www-form-urlencoded',
    )
    expect(answer.body).toMatchObject({ title: '5', count: 8 })
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
    const answer = await reference.fetch('/api/v1/collections/posts/records', {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'content-length': '999999999' },
      body: '{}',
    })
    expect(answer.status).toBe(413)
  })
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

  it('refuses a taken id and a changed one', async () => {
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
    const refused = await call(reference, `DELETE /collections/posts/records/${post.id}`)
    expect(refused.status).toBe(400)
    expect((await call(reference, `GET /collections/notes/records/${child.id}`)).status).toBe(200)
    await call(reference, `DELETE /collections/bound/records/${bound.id}`)
    expect((await call(reference, `DELETE /collections/posts/records/${post.id}`)).status).toBe(204)
    expect((await call(reference, `GET /collections/notes/records/${child.id}`)).status).toBe(404)
    expect((await call(reference, `GET /collections/notes/records/${loose.id}`)).body.needs).toBe('')
  })
})

describe('auth records', () => {
  const register = (body: object, token?: string) =>
    call(reference, 'POST /collections/users/records', body, token === undefined ? {} : { token })

  it('ask for the password twice, before any field', async () => {
    const bare = await register({ email: 'bad' })
    expect(Object.keys(bare.body.data).sort()).toEqual(['password', 'passwordConfirm'])
    const differs = await register({ ...ada, passwordConfirm: 'other' })
    expect(differs.body.data).toEqual({
      passwordConfirm: { code: 'validation_values_mismatch', message: "Values don't match." },
    })
    const verified = await register({ ...ada, passwordConfirm: ada.password, verified: true })
    expect(Object.keys(verified.body.data)).toEqual(['verified'])
  })

  it('hide the e-mail from others, and never show password or token key', async () => {
    const { body } = await register({ ...ada, passwordConfirm: ada.password })
    expect(Object.keys(body)).not.toEqual(expect.arrayContaining(['email']))
    const token = await signIn(reference, 'users', ada.email, ada.password)
    const own = await call(reference, `GET /collections/users/records/${body.id}`, undefined, { token })
    expect(own.body.email).toBe(ada.email)
    const all = await call(reference, `GET /collections/users/records/${body.id}`, undefined, {
      token: superuser,
    })
    expect(all.body).not.toHaveProperty('password')
    expect(all.body).not.toHaveProperty('tokenKey')
  })

  it('need the old password for a new one, which ends earlier tokens', async () => {
    const { body } = await register({ ...ada, passwordConfirm: ada.password })
    const token = await signIn(reference, 'users', ada.email, ada.password)
    const patch = (change: object) =>
      call(reference, `PATCH /collections/users/records/${body.id}`, change, { token })
    const fresh = { password: 'newpass123', passwordConfirm: 'newpass123' }
    expect((await patch(fresh)).body.data.oldPassword.code).toBe('validation_required')
    expect((await patch({ ...fresh, oldPassword: 'wrong' })).body.data.oldPassword.code).toBe(
      'validation_invalid_old_password',
    )
    expect((await patch({ email: 'new@example.com' })).body.data.email.code).toBe(
      'validation_values_mismatch',
    )
    expect((await patch({ ...fresh, oldPassword: ada.password })).status).toBe(200)
    expect((await patch({})).status).toBe(404)
    await expect(signIn(reference, 'users', ada.email, ada.password)).rejects.toThrow(
      'Failed to authenticate.',
    )
    await signIn(reference, 'users', ada.email, 'newpass123')
  })

  it('have ids that no other auth table uses', async () => {
    const { body } = await register({ ...ada, passwordConfirm: ada.password })
    const taken = await call(
      reference,
      'POST /collections/_superusers/records',
      { id: body.id, email: 'x@example.com', password: 'xxxxxxxxxx', passwordConfirm: 'xxxxxxxxxx' },
      { token: superuser },
    )
    expect(taken.body.data.id.code).toBe('validation_invalid_auth_id')
  })

  it('keep the last superuser', async () => {
    const { body } = await call(reference, 'GET /collections/_superusers/records', undefined, {
      token: superuser,
    })
    const refused = await call(
      reference,
      `DELETE /collections/_superusers/records/${body.items[0].id}`,
      undefined,
      { token: superuser },
    )
    expect([refused.status, refused.body.message]).toEqual([
      400,
      "You can't delete the only existing superuser.",
    ])
  })
})

describe('project API keys', () => {
  it('act within their scope and nowhere else', async () => {
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
})
