/** Responses of clients as plain objects of their shape. What the clients themselves return is in reading.test.ts. */

import { Readable } from 'node:stream'
import { describe, expect, it } from 'vitest'
import { list, one } from '../../test/validate/broken.ts'
import { note, page } from '../../test/validate/exchanges.ts'
import { createValidator } from '../create-validator.ts'

const validator = createValidator({ profile: 'standard', limit: 5_000 })
const json = { 'content-type': 'application/json' }
const text = JSON.stringify(page())
const long = JSON.stringify(page({ note: 'x'.repeat(5_000) }))
const zipped = { ...json, 'content-encoding': 'gzip' }
const signIn = '/api/v1/collections/users/auth-with-password'
const account = note(0, {
  collectionName: 'users',
  email: 'a@example.com',
  emailVisibility: true,
  verified: true,
})
const shown = JSON.stringify({ token: 't', record: account, sent: 'hunter2hunter2' })
const gotten = (url: string, more: object = {}, options: object = { method: 'GET' }) => ({
  statusCode: 200,
  headers: zipped,
  rawBody: Buffer.from(text),
  requestUrl: 'http://x/old',
  url: `http://x${url}`,
  request: { options },
  ...more,
})
const axios = (config: object, more: object = {}) => ({
  status: 200,
  headers: json,
  data: page(),
  config,
  ...more,
})

it.each<[string, object, string, string[]]>([
  ['got, at the address that it was redirected to', gotten(list), 'listRecords', []],
  [
    'got, with the value that it sent as JSON',
    gotten(signIn, { rawBody: Buffer.from(shown) }, { method: 'POST', json: { password: 'hunter2hunter2' } }),
    'authWithPassword',
    ['wire.no-secrets'],
  ],
  [
    'axios, by its base URL',
    axios({ baseURL: 'http://x/api/v1', url: '/collections/notes/records' }),
    'listRecords',
    [],
  ],
  [
    'axios, by an absolute URL',
    axios({ baseURL: 'http://y/?key=', url: `http://x${list}` }),
    'listRecords',
    [],
  ],
  [
    'axios in a browser, which shows the address in the request',
    axios({ url: 'elsewhere', method: 'get' }, { request: { responseURL: `http://x${list}` } }),
    'listRecords',
    [],
  ],
  [
    'axios, by the method of the request where a redirect has changed it',
    axios({ url: list, method: 'post' }, { request: { path: list, method: 'GET' } }),
    'listRecords',
    [],
  ],
  [
    'axios, by the method of its configuration',
    axios({ url: list, method: 'post' }, { data: note() }),
    'createRecord',
    [],
  ],
  [
    'axios, without a body',
    axios({ url: one, method: 'delete' }, { status: 204, headers: {}, data: '' }),
    'deleteRecord',
    [],
  ],
])('reads a response of %s', async (_name, response, operation, requirements) => {
  const result = await validator.validate(response)
  expect([result.operation, result.findings.map(({ requirement }) => requirement)]).toEqual([
    operation,
    requirements,
  ])
})

it.each<[string, object]>([
  ['axios', axios({})],
  ['superagent', { status: 200, headers: json, req: {}, text }],
])('reads a response of %s that is passed with its request', async (_name, response) => {
  const { ok, findings } = await validator.validate({
    request: { method: 'GET', url: list },
    response,
  } as never)
  expect([ok, findings]).toEqual([true, []])
})

it.each<[string, object]>([
  ['fetch', new Response('data: 1', { headers: { 'content-type': 'text/event-stream' } })],
  [
    'undici',
    { statusCode: 200, headers: { 'content-type': 'text/event-stream' }, body: new Readable({ read() {} }) },
  ],
])('waits for no end of events of %s', async (_name, response) => {
  expect(await validator.validate(response, { method: 'GET', url: list })).toMatchObject({
    ok: true,
    unjudged: 'a stream of events has no end',
  })
})

it.each<[string, Response]>([
  ['announced', new Response(text, { headers: { ...json, 'content-length': '5001' } })],
  ['larger than the limit', new Response(long, { headers: json })],
])('reads no body of fetch that is %s', async (_name, response) => {
  const { ok, unjudged } = await validator.validate(response, { method: 'GET', url: list })
  expect([ok, unjudged]).toEqual([true, 'the body is larger than the limit of 5000 bytes'])
  expect((await response.text()).length).toBeGreaterThan(100)
})

it('reads no body of another server: it may have no end', async () => {
  const response = new Response(new ReadableStream({ pull() {} }), { headers: json })
  const { operation } = await validator.validate(response, { method: 'GET', url: '/elsewhere' })
  expect(operation).toBeUndefined()
})

describe('the body of undici, once it was validated', () => {
  async function validated() {
    const body = Object.assign(Readable.from([Buffer.from(text)], { objectMode: false }), {
      json: () => Promise.reject(new Error('it was read')),
      text: () => Promise.reject(new Error('it was read')),
      bodyUsed: true,
    })
    const { findings } = await validator.validate(
      { statusCode: 200, headers: json, body },
      { method: 'GET', url: list },
    )
    expect(findings).toEqual([])
    return body
  }

  it('can be read as if it was untouched, and only once', async () => {
    const body = await validated()
    expect(body.bodyUsed).toBe(false)
    const [first, second] = await Promise.allSettled([body.json(), body.text()])
    expect(first).toEqual({ status: 'fulfilled', value: page() })
    expect(second).toMatchObject({
      status: 'rejected',
      reason: { message: expect.stringContaining('has been read already') },
    })
    expect(body.bodyUsed).toBe(true)
  })

  it('is used once it was read as a stream', async () => {
    const body = await validated()
    for await (const _ of body);
    expect(body.bodyUsed).toBe(true)
  })
})
