/**
 * Responses of the real clients, as they are in a caller's hand: judged rightly, packed or not, and their bodies still
 * there to be read, whole or as a stream.
 */

import { once } from 'node:events'
import type { IncomingMessage } from 'node:http'
import { get, request } from 'node:http'
import { text as textOf } from 'node:stream/consumers'
import { gunzipSync } from 'node:zlib'
import axios from 'axios'
import got from 'got'
import { request as playwright } from 'playwright-core'
import supertest from 'supertest'
import { fetch as undiciFetch, request as undiciRequest } from 'undici'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { KnownRequest } from '../../exchange/plain-exchange.ts'
import { note } from '../../test/validate/exchanges.ts'
import {
  type AnsweringServer,
  bad,
  finding,
  good,
  path,
  startAnsweringServer,
} from '../../test/validate/responding-server.ts'
import { createValidator } from '../create-validator.ts'

const validator = createValidator({ profile: 'standard' })
let at: AnsweringServer

beforeAll(async () => {
  at = await startAnsweringServer()
})
afterAll(() => at.close())

interface Responded {
  response: unknown
  /** Reads the body, after it was judged. */
  read(): Promise<string> | string
  /** What the response does not tell of its request. */
  known?: KnownRequest
  close?(): Promise<void>
}

type Client = (method: 'GET' | 'POST' | 'DELETE', query: string) => Promise<Responded>

async function message(method: string, url: string): Promise<IncomingMessage> {
  const [response] = (await once(get(url, { method }), 'response')) as [IncomingMessage]
  return response
}

const clients: Record<string, Client> = {
  async fetch(method, query) {
    const response = await fetch(`${at.base}${path}${query}`, { method })
    return { response, read: () => response.text(), known: { method } }
  },
  async 'fetch, as a stream'(method, query) {
    const response = await fetch(`${at.base}${path}${query}`, { method })
    const read = async () => {
      let text = ''
      const decoder = new TextDecoder()
      for await (const chunk of response.body ?? []) text += decoder.decode(chunk, { stream: true })
      return text
    }
    return { response, read, known: { method } }
  },
  async 'fetch of undici'(method, query) {
    const response = await undiciFetch(`${at.base}${path}${query}`, { method })
    return { response, read: () => response.text(), known: { method } }
  },
  async 'request of undici'(method, query) {
    const url = `${at.base}${path}${query}`
    const response = await undiciRequest(url, { method })
    // It does not decode anything automatically.
    const read = async () => unzipped(Buffer.from(await response.body.arrayBuffer()), query)
    return { response, read, known: { method, url } }
  },
  async 'request of undici, as a stream'(method, query) {
    const url = `${at.base}${path}${query}`
    const response = await undiciRequest(url, { method })
    const read = async () => {
      const chunks: Buffer[] = []
      for await (const chunk of response.body) chunks.push(chunk as Buffer)
      return unzipped(Buffer.concat(chunks), query)
    }
    return { response, read, known: { method, url } }
  },
  async 'node:http'(method, query) {
    const response = await message(method, `${at.base}${path}${query}`)
    const read = async () => {
      const chunks: Buffer[] = []
      response.on('data', (chunk: Buffer) => chunks.push(chunk))
      await once(response, 'end')
      return unzipped(Buffer.concat(chunks), query)
    }
    return { response, read }
  },
  async axios(method, query) {
    const response = await axios.request<object>({ method, url: `${at.base}${path}${query}` })
    return { response, read: () => (response.data ? JSON.stringify(response.data) : '') }
  },
  async 'axios, base URL and parameters'(method, query) {
    const params = new URLSearchParams(query.startsWith('?') ? query : '')
    const url = `${path}${query.startsWith('?') ? '' : query}`
    const response = await axios.create({ baseURL: at.base }).request<object>({ method, url, params })
    return { response, read: () => (response.data ? JSON.stringify(response.data) : '') }
  },
  async 'axios, as text'(method, query) {
    const url = `${at.base}${path}${query}`
    const response = await axios.request<string>({
      method,
      url,
      responseType: 'text',
      transformResponse: (data) => data,
    })
    return { response, read: () => response.data }
  },
  async 'axios, as a stream'(method, query) {
    const url = `${at.base}${path}${query}`
    const response = await axios.request<IncomingMessage>({ method, url, responseType: 'stream' })
    return { response, read: () => textOf(response.data) }
  },
  async 'axios, as bytes'(method, query) {
    const url = `${at.base}${path}${query}`
    const response = await axios.request<Buffer>({ method, url, responseType: 'arraybuffer' })
    return { response, read: () => response.data.toString() }
  },
  async 'axios, by fetch'(method, query) {
    const response = await axios.request<object>({
      method,
      url: `${at.base}${path}${query}`,
      adapter: 'fetch',
    })
    return { response, read: () => (response.data ? JSON.stringify(response.data) : '') }
  },
  async got(method, query) {
    const response = await got(`${at.base}${path}${query}`, { method })
    return { response, read: () => response.body }
  },
  async 'got, parsed'(method, query) {
    const response = await got<object | ''>(`${at.base}${path}${query}`, { method, responseType: 'json' })
    return { response, read: () => (response.body ? JSON.stringify(response.body) : '') }
  },
  async 'got, as bytes'(method, query) {
    const response = await got(`${at.base}${path}${query}`, { method, responseType: 'buffer' })
    return { response, read: () => Buffer.from(response.body).toString() }
  },
  async supertest(method, query) {
    const agent = supertest(at.server)
    const response = await agent[method.toLowerCase() as 'get'](`${path}${query}`)
    return { response, read: () => response.text ?? '' }
  },
  async 'APIResponse of Playwright'(method, query) {
    const context = await playwright.newContext()
    const response = await context.fetch(`${at.base}${path}${query}`, { method })
    return { response, read: () => response.text(), known: { method }, close: () => context.dispose() }
  },
}

function unzipped(bytes: Buffer, query: string): string {
  return (query.includes('zip') ? gunzipSync(bytes) : bytes).toString()
}

describe.each(Object.entries(clients))('%s', (_name, call) => {
  it.each<['GET' | 'POST' | 'DELETE', string, string, string[]]>([
    ['GET', '', good, []],
    ['GET', '?slow=1', good, []],
    ['GET', '?zip=1', good, []],
    ['GET', '?bad=1', bad, [finding]],
    ['GET', '?zip=1&bad=1', bad, [finding]],
    ['GET', '?slow=1&zip=1', good, []],
    ['POST', '', JSON.stringify(note()), []],
    ['DELETE', '/abc', '', []],
  ])('%s %s is judged, and can be read', async (method, query, body, expected) => {
    const { response, read, known, close } = await call(method, query)
    const { operation, findings } = await validator.validate(response, known)
    const wanted = { GET: 'listRecords', POST: 'createRecord', DELETE: 'deleteRecord' }
    expect([operation, findings.map(({ requirement }) => requirement)]).toEqual([wanted[method], expected])
    expect(await read()).toBe(body)
    await close?.()
  })
})

it('an empty body still ends for those who wait for it', async () => {
  const url = `${at.base}${path}/abc`
  const response = await message('DELETE', url)
  await validator.validate(response)
  await expect(once(response.resume(), 'end')).resolves.toEqual([])
  const early = await new Promise<IncomingMessage>((resolve) => {
    // Judged within the event, before the parser has come to the end of the message.
    const asked = request(url, { method: 'DELETE' }, async (each) => {
      await validator.validate(each)
      resolve(each)
    })
    asked.end()
  })
  await expect(once(early.resume(), 'end')).resolves.toEqual([])
  const other = await undiciRequest(url, { method: 'DELETE' })
  await validator.validate(other, { url, method: 'DELETE' })
  await expect(once(other.body.resume(), 'end')).resolves.toEqual([])
})

describe('one whose body has been read is rejected, with the way out', () => {
  it('by fetch', async () => {
    const response = await fetch(`${at.base}${path}`)
    await response.text()
    await expect(validator.validate(response) as Promise<unknown>).rejects.toThrow(/before you read it/)
  })

  it('by node:http and undici', async () => {
    const response = await message('GET', `${at.base}${path}`)
    await textOf(response)
    await expect(validator.validate(response) as Promise<unknown>).rejects.toThrow(/before you read it/)
    const other = await undiciRequest(`${at.base}${path}`)
    await other.body.text()
    await expect(validator.validate(other, { url: path }) as Promise<unknown>).rejects.toThrow(
      /before you read it/,
    )
  })
})

it('what a server in the same process answers, as light-my-request gives it', async () => {
  const response = (payload: string) => ({
    statusCode: 200,
    headers: { 'content-type': 'application/json' },
    payload,
  })
  const known = { method: 'GET', url: path }
  expect(await validator.validate(response(good), known)).toMatchObject({
    ok: true,
    operation: 'listRecords',
  })
  expect(await validator.validate(response(bad), known)).toMatchObject({ ok: false })
})
