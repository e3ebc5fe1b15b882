/** The control endpoints for the state of the server. */

import { describe, expect, it } from 'vitest'
import { controlledData, startControlled } from '../test/support/controlled-server.ts'
import { readShape } from './read-shape.ts'

describe('state', () => {
  it('resets, takes snapshots and goes back to them', async () => {
    const { api, post } = await startControlled()
    const count = async () => (await api('posts/records')).body.totalItems
    await api('posts/records', { title: 'two' })
    const { body } = await post('snapshot')
    await api('posts/records', { title: 'three' })
    expect(await count()).toBe(3)
    expect((await post('restore', body)).body).toEqual(body)
    expect(await count()).toBe(2)
    expect((await post('reset')).status).toBe(204)
    expect(await count()).toBe(1)
    expect((await post('restore')).status).toBe(200)
    expect(await count()).toBe(2)
    expect((await post('restore', { id: '99' })).status).toBe(404)
  })

  it('keeps the 100 snapshots that were used last', async () => {
    const { api, post } = await startControlled()
    await api('posts/records', { title: 'two' })
    const first = (await post('snapshot')).body
    await post('snapshot')
    for (let turn = 0; turn < 98; turn++) await post('snapshot')
    expect((await post('restore', first)).status).toBe(200)
    const last = (await post('snapshot')).body
    expect((await post('restore', { id: '2' })).body.message).toMatch(/was dropped: only the 100/)
    expect((await post('restore', first)).status).toBe(200)
    expect((await post('restore')).body).toEqual(last)
    expect((await post('restore', { id: '102' })).body.message).toMatch(/snapshot does not exist/)
  })

  it('rejects a snapshot of what was loaded before', async () => {
    const { post, started } = await startControlled()
    await post('snapshot')
    await started.reload(controlledData())
    expect((await post('restore')).status).toBe(409)
  })

  it('resets the clock, too', async () => {
    const { get, post } = await startControlled()
    await post('clock', { freeze: '2030-01-31T12:00:00Z' })
    await post('reset')
    const { now, frozen, ahead } = (await get('clock')).body
    expect([frozen, Math.abs(ahead) < 1000, now < '2030']).toEqual([false, true, true])
  })

  it('lists the records of a table without their secrets', async () => {
    const { get } = await startControlled()
    expect((await get('records/posts')).body.records).toMatchObject([{ id: 'p1', title: 'one' }])
    const { body } = await get('records/users')
    expect(body.records).toMatchObject([{ id: 'ann', email: 'ann@example.com' }])
    expect(JSON.stringify(body)).not.toMatch(/tokenKey|scrypt|passwordHash|"password"/)
    expect((await get('records/post')).body.message).toBe(
      'There is no table "post". Did you mean "posts"? Available: users, posts.',
    )
  })

  it('adds records of several tables, all or none', async () => {
    const { api, get, post } = await startControlled()
    const added = await post('records', {
      posts: [{ title: 'two' }],
      users: [{ email: 'bob@example.com', password: 'secret1234' }],
    })
    expect(added.body.records.posts).toMatchObject([{ id: expect.any(String), title: 'two' }])
    expect(JSON.stringify(added.body)).not.toMatch(/secret1234|scrypt/)
    const signedIn = { identity: 'bob@example.com', password: 'secret1234' }
    expect((await api('users/auth-with-password', signedIn)).status).toBe(200)
    expect((await post('records/posts', { title: 'three' })).body.records).toMatchObject([{ title: 'three' }])
    const titles = async () =>
      (await get('records/posts')).body.records.map(({ title }: { title: string }) => title)
    expect(await titles()).toEqual(['one', 'two', 'three'])
    expect(await post('records', { posts: [{ title: 'four' }, { titel: 'five' }] })).toMatchObject({
      status: 400,
      body: { message: expect.stringMatching(/Record posts\[1\].*Did you mean "title"/) },
    })
    expect(await post('records', { post: [] })).toMatchObject({ status: 404 })
    expect((await post('records', { posts: {} })).body.message).toMatch(
      /"posts" must hold records as objects/,
    )
    expect((await post('records/posts', [1])).status).toBe(400)
    expect(await titles()).toEqual(['one', 'two', 'three'])
    await post('reset')
    expect(await titles()).toEqual(['one'])
  })

  it('adds tables, and validates their responses', async () => {
    const { api, get, post } = await startControlled()
    const open = { listRule: '', viewRule: '', createRule: '' }
    const tags = { name: 'tags', ...open, fields: [{ name: 'label', type: 'text' }] }
    expect((await post('tables', [tags])).body).toEqual({ tables: ['tags'], notices: [] })
    expect((await post('tables', [{ name: 'marks', listRule: '@request.auth.idd != ""' }])).body).toEqual({
      tables: ['marks'],
      notices: [expect.stringContaining('no auth table has a field "idd". Did you mean "id"?')],
    })
    const { body: tag } = await api('tags/records', { label: 'x' })
    await post('fault', { match: 'viewRecord', body: { ...tag, label: 5 }, times: 1 })
    await api(`tags/records/${tag.id}`)
    const { requests } = (await get('requests')).body
    expect(requests.map(({ operation, findings }: never) => [operation, findings])).toEqual([
      ['createRecord', []],
      ['viewRecord', [expect.objectContaining({ path: '$.label' })]],
    ])
    const wrong = await post('tables', [{ name: 'more', listRule: 'nope = 1', fields: [] }])
    expect(wrong).toMatchObject({ status: 400, body: { message: expect.stringContaining('"nope"') } })
    expect((await post('tables', { tables: [tags] })).body.message).toMatch(/an array/)
    await post('reset')
    expect((await api('tags/records')).status).toBe(404)
  })

  it('takes a whole state back that it gave, and any form of a data file', async () => {
    const { api, get, post, send } = await startControlled()
    await api('posts/records', { title: 'two' })
    const { token } = (await post('token', { table: 'users', id: 'ann' })).body
    const { body: state } = await get('state')
    expect(state).toMatchObject({ version: 1, tables: expect.any(Array) })
    expect(readShape(state).state).toEqual(state)
    const notes = { notes: [{ text: 'a' }], records: [{ text: 'b' }] }
    expect((await post('state', notes)).body).toEqual({
      tables: ['notes', 'records'],
      records: { notes: 1, records: 1 },
      notices: [],
    })
    expect((await api('posts/records')).status).toBe(404)
    for (const nothing of [{}, []])
      expect((await post('state', nothing)).body).toEqual({
        tables: [],
        records: {},
        notices: [
          expect.stringMatching(/^The data has no tables: this server now has only its system tables/),
        ],
      })
    expect((await post('state', state)).body.records).toEqual({ users: 1, posts: 2 })
    await api('posts/records', { title: 'three' })
    await post('reset')
    expect((await api('posts/records')).body.totalItems).toBe(2)
    expect((await api('users/auth-refresh', {}, token)).status).toBe(200)
    expect(await post('state', { tabels: {}, records: {} })).toMatchObject({
      status: 400,
      body: { message: expect.stringContaining('Did you mean "tables"') },
    })
    const empty = await send('/_conformance/state', { method: 'POST' })
    expect(empty.body.message).toBe('The body is empty: send JSON.')
    expect((await api('posts/records')).body.totalItems).toBe(2)
    expect((await post('reload')).status).toBe(409)
  })

  it('lists requests with what they break, without their secrets', async () => {
    const { api, post, get } = await startControlled()
    await api('posts/records')
    await post('reset')
    const { body: signedIn } = await api('users/auth-with-password', {
      identity: 'ann@example.com',
      password: 'secret1234',
    })
    await api('users/records', undefined, signedIn.token)
    await post('fault', { match: 'viewRecord', body: { id: 1 }, times: 1 })
    await api('posts/records/p1')
    const { body } = await get('requests')
    const { requests } = body
    expect(body.notRecorded).toBe(0)
    expect(requests.map(({ operation, caller, status }: never) => [operation, caller, status])).toEqual([
      ['authWithPassword', 'anonymous', 200],
      ['listRecords', 'users/ann', 200],
      ['viewRecord', 'anonymous', 200],
    ])
    expect(requests[1].findings).toEqual([])
    expect(requests[2].findings.map(({ requirement }: { requirement: string }) => requirement)).toContain(
      'record.id',
    )
    expect(requests[2].fault).toBe('status 200')
    expect(JSON.stringify(requests)).not.toContain('secret1234')
    expect(JSON.stringify(requests)).not.toContain(signedIn.token)
  })

  it('shows no user as the caller whose token does not count', async () => {
    const { api, post, get } = await startControlled()
    const { body: token } = await post('token', { table: 'users', id: 'ann', duration: -60 })
    await api('users/auth-refresh', {}, token.token)
    await post('fault', { expired: true, times: 1 })
    const { body: valid } = await post('token', { table: 'users', id: 'ann' })
    await api('posts/records', undefined, valid.token)
    const { requests } = (await get('requests')).body
    expect(requests[0]).toMatchObject({
      caller: expect.stringMatching(
        /^anonymous \(the token expired at .*Z, and the clock of the server says .*Z\)$/,
      ),
      reason: [expect.stringContaining('The caller is a guest, since the token expired at')],
      status: 401,
    })
    expect(requests[1]).toMatchObject({ caller: 'anonymous', fault: 'token expired' })
  })

  it('has the newest of a burst that arrives while no one looks, numbered by all of it', async () => {
    const { post, get, started } = await startControlled()
    const burst = async () => {
      const list = () => started.reference.fetch('/api/v1/collections/posts/records')
      await Promise.all(Array.from({ length: 1_300 }, list))
      await started.reference.fetch('/api/v1/collections/posts/records/p1')
      return (await get('requests')).body
    }
    const { requests, notRecorded } = await burst()
    expect(requests).toHaveLength(500)
    expect(requests.at(-1)).toMatchObject({ operation: 'viewRecord', findings: [] })
    // None came too fast: they are recorded when they are read, and older ones would not be listed.
    expect([notRecorded, requests.at(-1).id]).toEqual([0, 1_301])
    await post('reset')
    expect((await get('requests')).body).toEqual({ requests: [], notRecorded: 0 })
  })
})
