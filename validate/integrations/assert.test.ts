/**
 * Responses of the real clients, validated by their caller: by the assertion, the matchers and chai. Their
 * bodies are still there to be read, whole or as a stream.
 */

import { once } from 'node:events'
import { request as httpRequest, type IncomingMessage } from 'node:http'
import axios, { type AxiosRequestConfig } from 'axios'
import got from 'got'
import supertest from 'supertest'
import { Agent, fetch as undiciFetch, request as undiciRequest } from 'undici'
import { chai, describe, expect } from 'vitest'
import { badCase } from '../../test/validate/integrations/cases.ts'
import {
  type Call,
  type Integration,
  type Received,
  runCases,
} from '../../test/validate/integrations/run-cases.ts'
import { unpacked } from '../../test/validate/integrations/unpacked.ts'
import {
  assertConforms,
  conformChai,
  conformMatchers,
  type IntegrationOptions,
  type KnownRequest,
} from '../validate.ts'

interface Response {
  response: unknown
  status: number
  /** Reads the body, after it was validated. */
  read(): Received['body'] | Promise<Received['body']>
  /** What the response does not tell of its request. */
  known?: KnownRequest
}

interface Client extends Pick<Integration, 'redirects' | 'buffers' | 'keepsAlive' | 'instead'> {
  open(): { send(call: Call): Promise<Response>; close?(): Promise<unknown> }
}

/** Events that their client has read have come to an end, and are judged as any body. */
const eventsRead = { 'events, one by one': 'wire.json-bodies' }

const parsed = (body: unknown) => [Buffer.from(typeof body === 'string' ? body : JSON.stringify(body ?? ''))]

function ofFetch(fetch: typeof undiciFetch, how: 'text' | 'stream' | 'clone'): Client {
  return {
    redirects: 'last',
    buffers: how !== 'stream',
    open() {
      const dispatcher = new Agent()
      return {
        async send({ url, method, signal }) {
          const response = await fetch(url, { method, signal, dispatcher })
          const read = async () => {
            if (how === 'stream') return response.body ?? []
            return [Buffer.from(await (how === 'clone' ? response.clone() : response).arrayBuffer())]
          }
          return { response, status: response.status, read, known: { method } }
        },
        close: () => dispatcher.close(),
      }
    },
  }
}

function ofUndici(how: 'text' | 'stream' | 'web'): Client {
  return {
    buffers: how === 'text',
    open() {
      const dispatcher = new Agent()
      return {
        async send({ url, method, signal }) {
          const response = await undiciRequest(url, { method, signal, dispatcher })
          const { statusCode, headers, body } = response
          const read = async () => {
            if (how === 'stream' || headers['content-encoding']) return unpacked(body, headers)
            if (how === 'web') return (body as unknown as { body: AsyncIterable<Uint8Array> }).body
            return [Buffer.from(await body.arrayBuffer())]
          }
          return { response, status: statusCode, read, known: { method, url } }
        },
        close: () => dispatcher.close(),
      }
    },
  }
}

function ofAxios(config: AxiosRequestConfig, instead: Integration['instead'] = eventsRead): Client {
  return {
    redirects: 'last',
    buffers: config.responseType !== 'stream',
    keepsAlive: true,
    instead,
    open: () => ({
      async send({ url, method, signal }) {
        const response = await axios.request({ ...config, url, method, signal, validateStatus: null })
        const { data, status } = response
        const read = () => (Buffer.isBuffer(data) ? [data] : data?.pipe ? data : parsed(data ?? ''))
        return { response, status, read }
      },
    }),
  }
}

function ofGot(responseType: 'text' | 'json' | 'buffer'): Client {
  return {
    redirects: 'last',
    buffers: true,
    keepsAlive: true,
    instead: eventsRead,
    open: () => ({
      async send({ url, method, signal }) {
        const options = { method, signal, throwHttpErrors: false, retry: { limit: 0 } }
        const response = await got(url, { ...options, responseType } as { responseType: 'text' })
        const { body, statusCode: status } = response
        return { response, status, read: () => (Buffer.isBuffer(body) ? [body] : parsed(body)) }
      },
    }),
  }
}

const clients: Record<string, Client> = {
  "Node's fetch": ofFetch(globalThis.fetch as unknown as typeof undiciFetch, 'text'),
  "undici's fetch, as a stream": ofFetch(undiciFetch, 'stream'),
  "undici's fetch, a clone": ofFetch(undiciFetch, 'clone'),
  'undici.request': ofUndici('text'),
  'undici.request, as a stream': ofUndici('stream'),
  'undici.request, as a web stream': ofUndici('web'),
  'node:http': {
    open: () => ({
      async send({ url, method, signal }) {
        const asked = httpRequest(url, { method, signal, agent: false }).end()
        const [response] = (await once(asked, 'response')) as [IncomingMessage]
        return {
          response,
          status: response.statusCode ?? 0,
          read: () => unpacked(response, response.headers),
        }
      },
    }),
  },
  axios: ofAxios({}),
  'axios, as bytes': ofAxios({ responseType: 'arraybuffer' }),
  'axios, as a stream': ofAxios({ responseType: 'stream' }, {}),
  'axios, by fetch': ofAxios(
    { adapter: 'fetch' },
    {
      ...eventsRead,
      // It has the address that was requested, not the one that the redirect led to.
      'redirect into the interface, to a broken response': `passes as 200 ${badCase.slice(0, 200)}`,
    },
  ),
  got: ofGot('text'),
  'got, as bytes': ofGot('buffer'),
  supertest: {
    buffers: true,
    instead: eventsRead,
    open: () => ({
      async send({ url, method, signal }) {
        const { origin, pathname, search } = new URL(url)
        const sent = supertest(origin)
          [method.toLowerCase() as 'get'](pathname + search)
          .ok(() => true)
        // Returns nothing: what it gave back would be taken for a promise, and its rejection for one that no one handles.
        signal.addEventListener('abort', () => void sent.abort())
        const aborted = new Promise<never>((_, reject) =>
          signal.addEventListener('abort', () => reject(signal.reason)),
        )
        const response = await Promise.race([sent, aborted])
        return { response, status: response.status, read: () => parsed(response.text ?? '') }
      },
    }),
  },
}

type Validate = (options: IntegrationOptions) => (response: unknown, known?: KnownRequest) => unknown

const assertion: Validate = (options) => assertConforms(options)

const matcher: Validate = (options) => {
  expect.extend(conformMatchers(options))
  return (response, known) => expect(response).toConform(known)
}

const plugin: Validate = (options) => {
  chai.use(conformChai(options))
  const expectChai = chai.expect as unknown as (value: unknown) => {
    to: { conform(known?: KnownRequest): unknown }
  }
  return (response, known) => expectChai(response).to.conform(known)
}

function validated({ open, ...rest }: Client, validate: Validate): Integration {
  return {
    ...rest,
    open(options) {
      const { send, close } = open()
      const conforms = validate(options)
      return {
        async call(call) {
          const { response, status, read, known } = await send(call)
          try {
            await conforms(response, known)
          } catch (error) {
            // An assertion cannot hold outside the interface. The response is still whole.
            if (!/: nothing was validated\./.test(String(error))) throw error
          }
          return { status, body: await read() }
        },
        ...(close && { close }),
      }
    },
  }
}

describe.each(Object.entries(clients))('%s, the assertion', (_name, client) =>
  runCases(validated(client, assertion)),
)

describe('undici.request, the matcher', () => runCases(validated(ofUndici('text'), matcher)))
describe("Node's fetch, chai", () => runCases(validated(clients["Node's fetch"] as Client, plugin)))
