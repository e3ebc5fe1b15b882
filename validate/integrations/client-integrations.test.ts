/**
 * Integrations on the client's side: a fetch, an interceptor, a hook; and the coverage that they add up.
 */

import { gzipSync } from 'node:zlib'
import { Agent, fetch as undiciFetch, request as undiciRequest } from 'undici'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { note, page, plainExchange, rejected } from '../../test/validate/exchanges.ts'
import {
  type AnsweringServer,
  bad,
  finding,
  good,
  path,
  startAnsweringServer,
} from '../../test/validate/responding-server.ts'
import { afterSend, conform, conformingFetch, createCoverage, createValidator } from '../validate.ts'

const validator = createValidator({ profile: 'standard' })

let at: AnsweringServer
let base = ''

beforeAll(async () => {
  at = await startAnsweringServer()
  base = at.base
})
afterAll(() => at.close())

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

  it('takes a method in lower case', async () => {
    const watched = conformingFetch(fetch, { profile: 'standard' })
    for (const method of ['get', 'head'])
      expect((await watched(`${base}${path}`, { method })).status).toBe(200)
    await expect(watched(`${base}${path}?bad`, { method: 'get' })).rejects.toThrow(finding)
  })

  it('only reports if requested, and lets a matcher know the request', async () => {
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

describe('hook of the official client', () => {
  const json = { 'content-type': 'application/json' }
  const at = (response: Response) => Object.defineProperty(response, 'url', { value: `http://x${path}` })

  it('gives data on, and throws for what does not conform', () => {
    const hook = afterSend({ profile: 'standard' })
    const data = page()
    expect(hook(at(new Response(null, { headers: json })), data)).toBe(data)
    expect(() => hook(at(new Response(null, { headers: json })), JSON.parse(bad))).toThrow(finding)
    expect(() => hook(at(new Response(null, { status: 400, headers: json })), { message: 'no' })).toThrow(
      'error.envelope',
    )
    expect(hook(at(new Response(null, { status: 400, headers: json })), rejected)).toBe(rejected)
  })

  it('treats the empty object as no body if there is none', () => {
    const hook = afterSend({ profile: 'standard' })
    const response = Object.defineProperty(new Response(null, { status: 204 }), 'url', {
      value: `http://x${path}/abc`,
    })
    expect(hook(response, {}, { method: 'DELETE' })).toEqual({})
  })
})

describe('coverage', () => {
  it('adds up over integrations and collectors, and has a floor', async () => {
    const coverage = createCoverage()
    const shared = createValidator({ profile: 'standard', coverage })
    await conformingFetch(fetch, { validator: shared, mode: 'report' })(`${base}${path}?bad`)
    shared.validate(plainExchange(rejected, { status: 400 }))
    shared.validate(plainExchange({}, { url: '/health' }))
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
