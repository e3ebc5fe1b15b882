/**
 * Every way to hand a response in: it is judged, and its body is still there to be read.
 */

import { strict as assert } from 'node:assert'
import { once } from 'node:events'
import { createServer, get, type IncomingMessage, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text as textOf } from 'node:stream/consumers'
import { gzipSync } from 'node:zlib'
import { Hono } from 'hono'
import { Agent, fetch as undiciFetch, request as undiciRequest } from 'undici'
import { afterAll, beforeAll, chai, describe, expect, it } from 'vitest'
import {
  afterSend,
  assertConforms,
  conform,
  conformChai,
  conformingFetch,
  conformMatchers,
  connectConform,
  createCoverage,
  createValidator,
  honoConform,
} from '../../validate/validate.ts'
import { exchange, note, page, refused } from './exchanges.ts'

const good = JSON.stringify(page())
const bad = JSON.stringify(page({ totalPages: 9 }))
const path = '/api/v1/collections/notes/records'
const finding = 'list.total-pages'
const validator = createValidator()

let server: Server
let base = ''

/** `?bad` breaks, `?zip` packs, `?slow` comes in two pieces, POST echoes. */
beforeAll(async () => {
  server = createServer((request, response) => {
    const { url = '' } = request
    if (url.startsWith('/events')) {
      response.writeHead(200, { 'content-type': 'text/event-stream' }).end('data: {}\n\n')
      return
    }
    const body = request.method === 'POST' ? JSON.stringify(note()) : url.includes('bad') ? bad : good
    const bytes = url.includes('zip') ? gzipSync(body) : Buffer.from(body)
    response.writeHead(200, {
      'content-type': 'application/json',
      ...(url.includes('zip') && { 'content-encoding': 'gzip' }),
    })
    response.write(bytes.subarray(0, 20))
    setTimeout(() => response.end(bytes.subarray(20)), url.includes('slow') ? 30 : 0)
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
})
afterAll(() => {
  server.closeAllConnections()
  server.close()
})

async function message(url: string): Promise<IncomingMessage> {
  const [response] = (await once(get(url), 'response')) as [IncomingMessage]
  return response
}

/** Shapes of clients that are not installed here, as their documentation gives them; see scripts/bench/clients.mjs. */
const shapes = {
  axios: (body: string) => ({
    status: 200,
    statusText: 'OK',
    data: JSON.parse(body),
    headers: { 'content-type': 'application/json', 'content-encoding': 'gzip' },
    config: { method: 'get', url: path, baseURL: 'http://x', params: { page: 1 } },
    request: {},
  }),
  got: (body: string) => ({
    statusCode: 200,
    headers: { 'content-type': 'application/json', 'content-encoding': 'gzip' },
    rawBody: Buffer.from(body),
    body,
    requestUrl: new URL(`http://x${path}`),
    request: { options: { method: 'GET', headers: {} } },
  }),
  supertest: (body: string) => ({
    status: 200,
    statusCode: 200,
    text: body,
    body: JSON.parse(body),
    headers: { 'content-type': 'application/json' },
    req: { method: 'GET', path },
    request: {},
  }),
  playwright: (body: string) => ({
    status: () => 200,
    headers: () => ({ 'content-type': 'application/json', 'content-encoding': 'gzip' }),
    url: () => `http://x${path}`,
    body: async () => Buffer.from(body),
    text: async () => body,
  }),
  inject: (body: string) => ({
    statusCode: 200,
    headers: { 'content-type': 'application/json' },
    payload: body,
  }),
}

describe('responses of', () => {
  it.each(['', '?slow', '?zip'])('fetch %s', async (query) => {
    const response = await fetch(`${base}${path}${query}`)
    expect(await validator.validate(response)).toMatchObject({ ok: true, operation: 'listRecords' })
    expect(await response.json()).toEqual(page())
    const other = await fetch(`${base}${path}${query}${query === '' ? '?' : '&'}bad`)
    expect((await validator.validate(other)).findings.map(({ requirement }) => requirement)).toEqual([
      finding,
    ])
  })

  it('fetch of undici', async () => {
    const response = await undiciFetch(`${base}${path}?bad`)
    expect((await validator.validate(response)).ok).toBe(false)
    expect(await response.text()).toBe(bad)
  })

  it.each(['', '?slow', '?zip'])('request of undici %s', async (query) => {
    const known = { url: `${path}${query}`, method: 'GET' }
    const reader = async (body: { text(): Promise<string> }) => body.text()
    const response = await undiciRequest(`${base}${path}${query}`)
    expect(await validator.validate(response, known)).toMatchObject({ ok: true, operation: 'listRecords' })
    if (query !== '?zip') expect(await reader(response.body)).toBe(good)
    const streamed = await undiciRequest(`${base}${path}?slow`)
    await validator.validate(streamed, known)
    expect(await textOf(streamed.body)).toBe(good)
    const json = await undiciRequest(`${base}${path}?bad`)
    expect((await validator.validate(json, known)).ok).toBe(false)
    expect(await json.body.json()).toEqual(JSON.parse(bad))
  })

  it.each(['', '?slow', '?zip'])('node:http %s', async (query) => {
    const response = await message(`${base}${path}${query}`)
    expect(await validator.validate(response)).toMatchObject({ ok: true, operation: 'listRecords' })
    if (query !== '?zip') expect(await textOf(response)).toBe(good)
    const other = await message(`${base}${path}?bad`)
    expect((await validator.validate(other)).ok).toBe(false)
    let events = ''
    other.setEncoding('utf8').on('data', (chunk) => {
      events += chunk
    })
    await once(other, 'end')
    expect(events).toBe(bad)
  })

  it.each(Object.entries(shapes))('%s', async (_name, shape) => {
    const known = _name === 'inject' ? { method: 'GET', url: path } : {}
    expect(await validator.validate(shape(good), known)).toMatchObject({ ok: true, operation: 'listRecords' })
    const result = await validator.validate(shape(bad), known)
    expect(result.findings.map(({ requirement }) => requirement)).toEqual([finding])
  })

  it('one whose body has been read are refused, with the way out', async () => {
    const response = await fetch(`${base}${path}`)
    await response.text()
    await expect(validator.validate(response) as Promise<unknown>).rejects.toThrow(/before you read it/)
    const other = await message(`${base}${path}`)
    await textOf(other)
    await expect(validator.validate(other) as Promise<unknown>).rejects.toThrow(/before you read it/)
  })
})

describe('matchers', () => {
  expect.extend(conformMatchers())

  it('pass and fail', async () => {
    await expect(await fetch(`${base}${path}`)).toConform()
    await expect(await fetch(`${base}${path}?bad`)).not.toConform()
    await expect(shapes.supertest(good)).toSatisfyApiSpec()
    await expect(async () => expect(await fetch(`${base}${path}?bad`)).toConform()).rejects.toThrow(
      /list\.total-pages {2}MUST {2}\(stated, section 2\.4/,
    )
    expect(() => expect(exchange(page({ page: 0 }))).toConform()).toThrow(/\$\.page/)
  })
})

describe('chai', () => {
  chai.use(conformChai())
  interface Conforming {
    conform(): Promise<void>
    satisfyApiSpec: unknown
  }
  const expectChai = chai.expect as unknown as (value: unknown) => { to: Conforming }

  it('pass and fail', async () => {
    await expectChai(await fetch(`${base}${path}`)).to.conform()
    await expect(async () => expectChai(await fetch(`${base}${path}?bad`)).to.conform()).rejects.toThrow(
      finding,
    )
    void expectChai(shapes.supertest(good)).to.satisfyApiSpec
    expect(() => expectChai(shapes.supertest(bad)).to.satisfyApiSpec).toThrow(finding)
    const response = await fetch(`${base}${path}`)
    expect(() => expectChai(response).to.satisfyApiSpec).toThrow(/to\.conform\(\)/)
  })
})

it('an assertion', async () => {
  const conforms = assertConforms()
  await conforms(await fetch(`${base}${path}`))
  await assert.rejects(async () => conforms(await fetch(`${base}${path}?bad`)), {
    name: 'ConformanceError',
    code: 'ERR_ASSERTION',
    actual: ['list.total-pages $.totalPages'],
  })
  assert.throws(() => conforms(exchange(page(), { url: path }), 'createRecord'))
})

describe('fetch that validates', () => {
  it('gives conforming responses on, unread, and throws for others', async () => {
    const seen: unknown[] = []
    const watched = conformingFetch(fetch, {
      onResult: ({ ok, operation }, { method }) => seen.push([method, operation, ok]),
    })
    expect(await (await watched(`${base}${path}`)).json()).toEqual(page())
    expect(
      await (await watched(new Request(`${base}${path}`, { method: 'POST', body: '{}' }))).json(),
    ).toEqual(note())
    await expect(watched(new URL(`${base}${path}?bad`))).rejects.toThrow(finding)
    expect(await (await watched(`${base}/events`)).text()).toBe('data: {}\n\n')
    expect(seen).toEqual([
      ['GET', 'listRecords', true],
      ['POST', 'createRecord', true],
      ['GET', 'listRecords', false],
    ])
  })

  it('only reports when asked to, and lets a matcher know the request', async () => {
    const watched = conformingFetch(fetch, { mode: 'report' })
    const response = await watched(`${base}${path}`, { method: 'POST' })
    expect(await validator.validate(response)).toMatchObject({ operation: 'createRecord' })
  })
})

describe('interceptor of undici', () => {
  it.each(['', '?slow', '?zip'])('passes bytes on and ends others in an error %s', async (query) => {
    const agent = new Agent().compose(conform())
    const response = await undiciRequest(`${base}${path}${query}`, { dispatcher: agent })
    const bytes = Buffer.from(await response.body.arrayBuffer())
    expect(bytes.equals(query === '?zip' ? gzipSync(good) : Buffer.from(good))).toBe(true)
    const other = await undiciRequest(`${base}${path}?bad`, { dispatcher: agent })
    await expect(other.body.text()).rejects.toThrow(finding)
    const viaFetch = await undiciFetch(`${base}${path}${query}`, { dispatcher: agent })
    expect(await viaFetch.json()).toEqual(page())
    await agent.close()
  })
})

describe('middleware of Hono', () => {
  function app(mode: 'fail' | 'mark' | 'report', seen: boolean[] = []) {
    const hono = new Hono()
    hono.use(honoConform({ mode, onResult: ({ ok }) => seen.push(ok) }))
    hono.get(path, (context) =>
      context.json(context.req.query('bad') === undefined ? page() : JSON.parse(bad)),
    )
    hono.post('/api/v1/batch', async (context) => {
      await context.req.json()
      return context.json([])
    })
    return hono
  }

  it('fails, marks and reports', async () => {
    const fine = await app('fail').request(path)
    expect([fine.status, await fine.json()]).toEqual([200, page()])
    const failed = await app('fail').request(`${path}?bad`)
    expect([failed.status, ((await failed.json()) as { message: string }).message]).toEqual([
      500,
      expect.stringContaining(finding),
    ])
    const marked = await app('mark').request(`${path}?bad`)
    expect([marked.headers.get('x-conformance'), await marked.text()]).toEqual([
      `${finding} $.totalPages`,
      bad,
    ])
    const seen: boolean[] = []
    const reported = await app('report', seen).request(`${path}?bad`)
    expect([reported.status, reported.headers.get('x-conformance'), seen]).toEqual([200, null, [false]])
  })

  it('knows the body of the request', async () => {
    const body = JSON.stringify({ requests: [{ method: 'DELETE', url: `${path}/a` }] })
    const response = await app('mark').request('/api/v1/batch', { method: 'POST', body })
    expect(response.headers.get('x-conformance')).toMatch(/batch\.entry/)
  })
})

describe('middleware of Connect’s style', () => {
  async function answer(mode: 'fail' | 'mark' | 'report', query: string, seen: boolean[] = []) {
    const middleware = connectConform({ mode, onResult: ({ ok }) => seen.push(ok) })
    const own = createServer((request, response) =>
      middleware(request, response, () => {
        if (query === '?events') {
          response.setHeader('content-type', 'text/event-stream')
          response.flushHeaders()
          response.write('data: 1\n\n')
          response.end()
          return
        }
        const body = query === '?bad' ? bad : good
        response.writeHead(200, { 'content-type': 'application/json' })
        response.write(body.slice(0, 9))
        response.end(body.slice(9))
      }),
    ).listen(0, '127.0.0.1')
    await once(own, 'listening')
    const response = await fetch(`http://127.0.0.1:${(own.address() as AddressInfo).port}${path}${query}`)
    const text = await response.text()
    own.closeAllConnections()
    own.close()
    return { status: response.status, mark: response.headers.get('x-conformance'), text }
  }

  it('fails, marks and reports', async () => {
    expect(await answer('fail', '')).toEqual({ status: 200, mark: null, text: good })
    expect(await answer('fail', '?bad')).toMatchObject({
      status: 500,
      text: expect.stringContaining(finding),
    })
    expect(await answer('mark', '?bad')).toEqual({ status: 200, mark: `${finding} $.totalPages`, text: bad })
    const seen: boolean[] = []
    expect(await answer('report', '?bad', seen)).toEqual({ status: 200, mark: null, text: bad })
    expect(await answer('report', '', seen)).toEqual({ status: 200, mark: null, text: good })
    expect(seen).toEqual([false, true])
    expect(await answer('fail', '?events')).toEqual({ status: 200, mark: null, text: 'data: 1\n\n' })
  })
})

describe('hook of the official client', () => {
  const json = { 'content-type': 'application/json' }
  const at = (response: Response) => Object.defineProperty(response, 'url', { value: `http://x${path}` })

  it('gives data on, and throws for what does not conform', () => {
    const hook = afterSend()
    const data = page()
    expect(hook(at(new Response(null, { headers: json })), data)).toBe(data)
    expect(() => hook(at(new Response(null, { headers: json })), JSON.parse(bad))).toThrow(finding)
    expect(() => hook(at(new Response(null, { status: 400, headers: json })), { message: 'no' })).toThrow(
      'error.envelope',
    )
    expect(hook(at(new Response(null, { status: 400, headers: json })), refused)).toBe(refused)
  })

  it('takes the empty object for no body where there is none', () => {
    const hook = afterSend()
    const response = Object.defineProperty(new Response(null, { status: 204 }), 'url', {
      value: `http://x${path}/abc`,
    })
    expect(hook(response, {}, { method: 'DELETE' })).toEqual({})
  })
})

describe('coverage', () => {
  it('adds up over surfaces and collectors, and has a floor', async () => {
    const coverage = createCoverage()
    const shared = createValidator({ coverage })
    await conformingFetch(fetch, { validator: shared, mode: 'report' })(`${base}${path}?bad`)
    shared.validate(exchange(refused, { status: 400 }))
    shared.validate(exchange({}, { url: '/health' }))
    const report = coverage.report()
    expect(report).toMatchObject({ exchanges: 3, unknown: 1, operations: { seen: 1, total: 19 } })
    expect(report.counts).toEqual({ listRecords: { 200: 1, 400: 1 } })
    expect(report.judged).toMatchObject({ 'list.total-pages': 1, 'record.id': 0, 'error.envelope': 0 })
    expect(report.judged['batch.order']).toBeUndefined()
    const other = createCoverage()
    other.merge(report)
    other.merge(report)
    expect(other.report().counts).toEqual({ listRecords: { 200: 2, 400: 2 } })
    expect(coverage.below({ operations: 5, statuses: 1 })).toEqual([])
    expect(coverage.below({ operations: 50 })).toEqual([expect.stringMatching(/operations: 1 of 19/)])
  })
})
