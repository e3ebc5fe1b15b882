/** What a request may have written, by its response: from this the clean-up knows what to delete and what to search for. */

import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { OperationId } from '../../spec/vocabulary.ts'
import type { CleanupEntry } from '../cleanup/cleanup-registry.ts'
import { BlockedError } from '../judging/expect.ts'
import { scopeOf, uniqueNames } from '../ownership/scopes.ts'
import { createSession } from '../session/create-session.ts'
import type { ApiResponse, Body } from '../vocabulary/api.ts'
import type { Session } from '../vocabulary/session.ts'
import type { Target } from '../vocabulary/target.ts'
import type { WireRequest } from './transport.ts'
import { WriteTracker } from './write-tracker.ts'

const plain = '/api/v1/collections/plain'
const ownId = 'made0up00000001'
let unique: (prefix?: string) => string
let session: Session
let writes: WriteTracker
/** What was added to the clean-up. */
let added: CleanupEntry[]
/** Records that guests have seen. */
let seen: string[]

beforeEach(() => begin({ superuser: { token: 'superuser-token' } }))
afterEach(() => session.close())

function begin(credentials: Target['credentials']): void {
  unique = uniqueNames('run', 'a.check')
  session = createSession(
    {
      baseUrl: 'http://127.0.0.1:9',
      binding: { prefix: '/api/v1' },
      capabilities: {},
      tables: { plain: { role: 'plain', name: 'plain' } },
      credentials,
    },
    { requirements: new Map() },
    { seed: 1 },
  )
  session.scopes.add(scopeOf('run', 'a.check'))
  writes = new WriteTracker(session, () => session.api('guest'))
  added = []
  seen = []
  const { cleanup } = session
  const add = cleanup.add.bind(cleanup)
  vi.spyOn(cleanup, 'add').mockImplementation((entry) => {
    added.push(entry)
    add(entry)
  })
  vi.spyOn(cleanup, 'noteSeenByGuest').mockImplementation((table, id) => void seen.push(`${table}/${id}`))
}

const request = (method: string, path: string, body?: Body, headers = {}): WireRequest => ({
  method,
  path,
  headers,
  ...(body === undefined ? {} : { body: JSON.stringify(body) }),
})
const create = (body: Body) => request('POST', `${plain}/records`, body)
const batch = (...requests: { method: string; url: string; body?: Body }[]) =>
  request('POST', '/api/v1/batch', { requests })

function response(status: number, body?: unknown): ApiResponse {
  const exchange = { request: {}, response: { status, headers: {}, body: '' } } as ApiResponse['exchange']
  return { status, ok: status >= 200 && status < 300, headers: {}, body, text: '', exchange }
}

/** Sends a request, as far as the tracker knows. */
function exchanged(operation: OperationId, sent: WireRequest, status: number, body?: unknown): void {
  writes.afterResponse(operation, sent, response(status, body), writes.intend(operation, sent))
}

const places = () => added.map(({ table, id }) => `${table}/${id}`)
const pending = () => session.cleanup.pendingCreates.map(({ field, value }) => `${field} ${value}`)
/** Tables in which a record may exist that nothing finds. */
async function mayExist(): Promise<string[]> {
  await session.cleanup.leftovers.resolveMayExist(async () => false)
  return session.cleanup.leftovers.all.map(({ table, id }) => `${table}/${id}`)
}

describe('before a request', () => {
  it('the tables in which it creates are known', () => {
    const url = (table: string) => `/api/v1/collections/${table}/records`
    const entries = [
      { method: 'POST', url: url('a'), body: {} },
      { method: 'POST', url: url('a'), body: {} },
      { method: 'DELETE', url: `${url('b')}/1` },
      { method: 'POST', url: url('c'), body: {} },
    ]
    expect(writes.tables('createRecord', create({}))).toEqual(['plain'])
    expect(writes.tables('batch', batch(...entries))).toEqual(['a', 'c'])
    expect(writes.tables('authWithOAuth2', request('POST', `${plain}/auth-with-oauth2`, {}))).toEqual([
      'plain',
    ])
    expect(writes.tables('updateRecord', request('PATCH', `${plain}/records/1`, {}))).toEqual([])
    expect(writes.tables(undefined, create({}))).toEqual(['plain'])
  })

  it('what it may create is noted by position, if a search would find it', () => {
    const title = unique('title')
    const url = `${plain}/records`
    const intended = writes.intend(
      'batch',
      batch(
        { method: 'POST', url, body: { title: 'everyday' } },
        { method: 'PATCH', url: `${url}/1`, body: { title: unique('update') } },
        { method: 'POST', url, body: { title } },
      ),
    )
    expect(intended).toEqual([undefined, undefined, { table: 'plain', field: 'title', value: title }])
    expect(pending()).toEqual([`title ${title}`])
  })
})

describe('after a create', () => {
  it('its record is deleted later, and searched for until then', () => {
    const title = unique('title')
    exchanged('createRecord', create({ title }), 200, { id: 'r1' })
    expect(added).toMatchObject([{ table: 'plain', id: 'r1', marks: [title.slice('title-'.length)] }])
    expect(pending()).toEqual([`title ${title}`])
    session.cleanup.markDeleted('plain', 'r1')
    expect(pending()).toEqual([])
  })

  it.each<[number, boolean, string[]]>([
    [400, false, []],
    [302, true, []],
    [500, true, [`plain/${ownId}`]],
  ])('%i: searched for: %s, deleted: %j', (status, searched, deleted) => {
    exchanged('createRecord', create({ id: ownId, title: unique('title') }), status, {})
    expect([pending().length === 1, places()]).toEqual([searched, deleted])
  })

  it.each([302, 500])('%i: an account that it may have made can be signed in', (status) => {
    const email = `${unique('account')}@example.com`
    exchanged('createRecord', create({ email, password: 'a long password' }), status, {})
    expect(session.accounts.signInWithoutId(email)).toEqual({ identity: email, password: 'a long password' })
  })

  it('without an id in the response, the sent one counts', () => {
    exchanged('createRecord', create({ id: ownId, title: 'everyday' }), 204)
    expect(added).toMatchObject([{ table: 'plain', id: ownId, marks: [ownId] }])
  })

  it.each(['short', ownId])('an id that a response has shown before proves nothing: %s', (id) => {
    if (id === ownId) exchanged('listRecords', request('GET', `${plain}/records`), 200, { items: [{ id }] })
    exchanged('createRecord', create({ id, title: 'everyday' }), 200, { id })
    expect(added).toMatchObject([{ id, marks: [] }])
  })

  it('the record may exist under the id that was sent, whichever the response names', () => {
    exchanged('createRecord', create({ id: ownId, title: 'everyday' }), 200, { id: 'r1' })
    expect(places()).toEqual(['plain/r1'])
    expect(session.ownership.wasGiven('plain', ownId)).toBe(true)
    expect(session.ownership.wasGiven('plain', 'r1')).toBe(false)
  })

  it('what only its text finds is not reported yet', () => {
    exchanged('createRecord', create({ title: unique('title') }), 200, {})
    expect([pending().length, session.cleanup.leftovers.all]).toEqual([1, []])
  })

  it('what neither an id nor a text finds may exist', async () => {
    exchanged('createRecord', create({ title: 'everyday' }), 200, {})
    expect([places(), await mayExist()]).toEqual([[], ['plain/unknown']])
    expect(session.cleanup.leftovers.all).toMatchObject([{ reason: 'the create response contained no id' }])
  })

  it('a record that existed before the run is neither accepted nor deleted', () => {
    vi.spyOn(session.ownership.prior, 'has').mockImplementation((_table, id) => id === 'theirs')
    const sent = create({ title: unique('title') })
    expect(() => exchanged('createRecord', sent, 200, { id: 'theirs' })).toThrow(BlockedError)
    expect(added).toEqual([])
    expect(session.ownership.foreign).toMatchObject([{ table: 'plain', id: 'theirs' }])
    expect(session.traffic.broken()).toEqual(['record.id-unique'])
    // What it really created is still searched for.
    expect(pending()).toHaveLength(1)
  })

  it('the second record under one id is searched for', () => {
    for (const title of [unique('one'), unique('other')])
      exchanged('createRecord', create({ title }), 200, { id: 'r1' })
    session.cleanup.markDeleted('plain', 'r1')
    expect(pending()).toContainEqual(expect.stringContaining('other-'))
  })
})

describe('without a response', () => {
  it('a record is deleted under the id that was sent', () => {
    writes.withoutResponse('createRecord', create({ id: ownId, title: 'everyday' }))
    expect(added).toMatchObject([{ table: 'plain', id: ownId, marks: [ownId] }])
  })

  it.each<[string, OperationId, WireRequest]>([
    ['a create', 'createRecord', create({ title: 'everyday' })],
    ['a batch', 'batch', batch({ method: 'POST', url: `${plain}/records`, body: { title: 'everyday' } })],
    ['a sign-in with a provider', 'authWithOAuth2', request('POST', `${plain}/auth-with-oauth2`, {})],
  ])('%s that nothing finds again may have made a record', async (_, operation, sent) => {
    writes.withoutResponse(operation, sent)
    expect([places(), await mayExist()]).toEqual([[], ['plain/unknown']])
  })

  it.each<[string, OperationId, () => WireRequest]>([
    ['a create that can be searched for', 'createRecord', () => create({ title: unique('title') })],
    ['an update', 'updateRecord', () => request('PATCH', `${plain}/records/r1`, { title: 'x' })],
    ['a delete', 'deleteRecord', () => request('DELETE', `${plain}/records/r1`)],
  ])('%s adds nothing', async (_, operation, sent) => {
    writes.withoutResponse(operation, sent())
    expect([places(), await mayExist()]).toEqual([[], []])
  })
})

describe('after a batch', () => {
  const url = `${plain}/records`
  const sent = () =>
    batch(
      { method: 'POST', url, body: { title: 'everyday' } },
      { method: 'PATCH', url: `${url}/r2`, body: { title: 'everyday' } },
      { method: 'POST', url, body: { title: 'everyday' } },
    )
  const [one, two, three] = [{ id: 'r1' }, { id: 'r2' }, { id: 'r3' }]

  it.each<[string, unknown]>([
    ['a list of responses', [one, two, three].map((body) => ({ status: 200, body }))],
    ['a list of records', [one, two, three]],
    ['a list in an object', { took: 3, warnings: [], results: [one, two, three] }],
    [
      'responses in an object',
      { responses: [one, two, three].map((body) => ({ status: 200, headers: {}, body })) },
    ],
  ])('its records are known from %s', async (_, body) => {
    exchanged('batch', sent(), 200, body)
    expect([places(), await mayExist()]).toEqual([['plain/r1', 'plain/r3'], []])
  })

  it.each<[string, unknown]>([
    ['no results', { ok: true }],
    ['fewer results than sub-requests', { results: [one] }],
    ['two lists of results', { before: [one, two, three], after: [one, two, three] }],
  ])('its records may exist where the response has %s', async (_, body) => {
    exchanged('batch', sent(), 200, body)
    expect([places(), await mayExist()]).toEqual([[], ['plain/unknown', 'plain/unknown']])
  })
})

describe('after a batch that creates and deletes the same record', () => {
  const create = {
    method: 'POST',
    url: `${plain}/records`,
    body: { id: 'made-by-the-run', title: 'everyday' },
  }
  const remove = { method: 'DELETE', url: `${plain}/records/made-by-the-run` }

  it.each([
    ['nothing is left', [create, remove], false],
    ['it is there, if the create comes last', [remove, create], true],
  ])('%s', (_, requests, isThere) => {
    let there: boolean | undefined
    const { cleanup } = session
    vi.spyOn(cleanup, 'add').mockImplementation(() => {
      there = true
    })
    vi.spyOn(cleanup, 'markDeleted').mockImplementation(() => {
      there = false
    })
    const body = requests.map(({ method }) =>
      method === 'POST' ? { status: 200, body: { id: 'made-by-the-run' } } : { status: 204 },
    )
    exchanged('batch', batch(...requests), 200, body)
    expect(there).toBe(isThere)
  })
})

describe('after an update', () => {
  const path = `${plain}/records/r1`
  const sent = { title: 'everyday' }
  const inBatch = batch({ method: 'PATCH', url: path, body: sent })

  it.each<[string, OperationId, WireRequest, unknown, boolean]>([
    ['alone', 'updateRecord', request('PATCH', path, sent), { id: 'r1' }, true],
    ['in a batch', 'batch', inBatch, [{ status: 200, body: { id: 'r1' } }], true],
    ['in a batch whose response has no results', 'batch', inBatch, { ok: true }, true],
    ['that failed in a batch', 'batch', inBatch, [{ status: 404, body: {} }], false],
  ])('its values may prove the record later: %s', (_, operation, sentRequest, body, isNoted) => {
    const noted = vi.spyOn(session.ownership, 'updated')
    exchanged(operation, sentRequest, 200, body)
    expect(noted.mock.calls).toEqual(isNoted ? [['plain', 'r1', sent]] : [])
  })

  it('in a batch that was rejected, it is not noted', () => {
    const noted = vi.spyOn(session.ownership, 'updated')
    exchanged('batch', inBatch, 400, {})
    expect(noted).not.toHaveBeenCalled()
  })
})

describe('after a delete', () => {
  const remove = () => exchanged('deleteRecord', request('DELETE', `${plain}/records/r1`), 204)

  it('nothing is left to do where a superuser lists the tables at the end', async () => {
    const views = vi.spyOn(session.ownership, 'standing')
    exchanged('createRecord', create({ title: unique('title') }), 200, { id: 'r1' })
    remove()
    await session.cleanup.cleanTo(0)
    expect([pending(), views.mock.calls]).toEqual([[], []])
  })

  it('the record is viewed again where no superuser is known', async () => {
    await session.close()
    begin({})
    exchanged('createRecord', create({ title: unique('title') }), 200, { id: 'r1' })
    const remains = vi.fn(async () => false)
    Object.assign(added[0] ?? {}, { remains })
    remove()
    expect(pending()).toHaveLength(1)
    await session.cleanup.cleanTo(0)
    expect(remains).toHaveBeenCalledOnce()
    expect(pending()).toEqual([])
  })

  it('a rejected one changes nothing', () => {
    exchanged('createRecord', create({ title: unique('title') }), 200, { id: 'r1' })
    exchanged('deleteRecord', request('DELETE', `${plain}/records/r1`), 403, {})
    expect([pending().length, session.accounts.deleted.has('r1')]).toEqual([1, false])
  })
})

describe('after an email flow', () => {
  const first = { identity: 'ann@example.com', password: 'first' }
  const flow = (action: string, body: Body, headers = {}) =>
    request('POST', `/api/v1/collections/plain/${action}`, body, headers)
  const signIns = () =>
    session.accounts.signInsOf('ann').map(({ identity, password }) => `${identity} ${password}`)

  it('an account may have the password that a reset has set', () => {
    session.accounts.add('ann', first)
    const sent = flow('confirm-password-reset', { token: 'x', password: 'second', passwordConfirm: 'second' })
    exchanged('confirmPasswordReset', sent, 400)
    expect(signIns()).toEqual(['ann@example.com first'])
    exchanged('confirmPasswordReset', sent, 204)
    expect(signIns()).toEqual(['ann@example.com first', 'ann@example.com second'])
  })

  it('an account may have the address that it has asked for', () => {
    session.accounts.add('ann', first)
    session.accounts.tokens.set('ann', 'a token')
    const sent = flow('request-email-change', { newEmail: 'eve@example.com' }, { authorization: 'a token' })
    exchanged('requestEmailChange', sent, 204)
    expect(signIns()).toEqual(['eve@example.com first', 'ann@example.com first'])
  })
})

describe('what a guest sees of this run', () => {
  beforeEach(() => exchanged('createRecord', create({ title: unique('title') }), 200, { id: 'r1' }))
  const records = { items: [{ id: 'r1' }, { id: 'of-another-client' }] }

  it.each<[string, OperationId, string, unknown]>([
    ['a list', 'listRecords', `${plain}/records`, records],
    ['a view', 'viewRecord', `${plain}/records/r1`, { id: 'r1' }],
  ])('is noted once: %s', (_, operation, path, body) => {
    for (let time = 0; time < 2; time += 1) exchanged(operation, request('GET', path), 200, body)
    expect(seen).toEqual(['plain/r1'])
  })

  it('is not what a response to someone else shows', () => {
    const signedIn = request('GET', `${plain}/records`, undefined, { Authorization: 'a-token' })
    exchanged('listRecords', signedIn, 200, records)
    exchanged('listRecords', request('GET', `${plain}/records`), 403, records)
    expect(seen).toEqual([])
  })
})
