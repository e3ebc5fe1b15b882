/** The interceptor, by every way into undici: what sends the request, and which dispatcher it goes through. */

import {
  Agent,
  Client,
  type Dispatcher,
  getGlobalDispatcher,
  Pool,
  setGlobalDispatcher,
  fetch as undiciFetch,
  request as undiciRequest,
} from 'undici'
import { describe, expect, it, vi } from 'vitest'
import { type Call, type Received, runCases } from '../../test/validate/integrations/run-cases.ts'
import { unpacked } from '../../test/validate/integrations/unpacked.ts'
import { conform } from '../validate.ts'

/**
 * The class of the dispatcher that is built into Node: of undici 6 in Node 20 and 22, of undici 7 in Node 24. Available
 * only before the installed undici puts its own instead of it.
 */
const BundledAgent = await vi.hoisted(async () => {
  await fetch('data:,')
  const global = globalThis as unknown as Record<symbol, { constructor: unknown }>
  return global[Symbol.for('undici.globalDispatcher.1')]?.constructor as new () => import('undici').Agent
})

type Send = (call: Call, dispatcher: Dispatcher) => Promise<Received>

/** Node's own fetch takes a dispatcher, which its types do not say. */
const nodeFetch = globalThis.fetch as unknown as typeof undiciFetch

const received = async (response: Awaited<ReturnType<typeof undiciFetch>>): Promise<Received> => ({
  status: response.status,
  body: response.body ?? [],
})

const senders = {
  'undici.request': {
    fetches: false,
    async send({ url, method, signal }, dispatcher) {
      const { statusCode, headers, body } = await undiciRequest(url, { method, signal, dispatcher })
      return { status: statusCode, body: unpacked(body, headers) }
    },
  },
  'dispatcher.request': {
    fetches: false,
    async send({ url, method, signal }, dispatcher) {
      const { origin, pathname, search } = new URL(url)
      const { statusCode, headers, body } = await dispatcher.request({
        origin: new URL(origin),
        path: pathname,
        query: Object.fromEntries(new URLSearchParams(search)),
        method,
        signal,
      })
      return { status: statusCode, body: unpacked(body, headers) }
    },
  },
  'undici.fetch': {
    fetches: true,
    send: async ({ url, ...init }, dispatcher) => received(await undiciFetch(url, { ...init, dispatcher })),
  },
  "Node's fetch": {
    fetches: true,
    send: async ({ url, ...init }, dispatcher) => received(await nodeFetch(url, { ...init, dispatcher })),
  },
  "Node's fetch, setGlobalDispatcher": {
    fetches: true,
    async send({ url, ...init }, dispatcher) {
      const before = getGlobalDispatcher()
      setGlobalDispatcher(dispatcher)
      try {
        return await received(await nodeFetch(url, init))
      } finally {
        setGlobalDispatcher(before)
      }
    },
  },
} satisfies Record<string, { send: Send; fetches: boolean }>

const dispatchers = {
  Agent: () => new Agent(),
  Pool: (base: string) => new Pool(base),
  Client: (base: string) => new Client(base),
  "Node's own Agent": () => new BundledAgent(),
}

const ways: [keyof typeof senders, keyof typeof dispatchers][] = [
  ['undici.request', 'Agent'],
  ['undici.request', 'Pool'],
  ['undici.request', 'Client'],
  ['undici.request', "Node's own Agent"],
  ['dispatcher.request', 'Client'],
  ['undici.fetch', 'Agent'],
  ['undici.fetch', "Node's own Agent"],
  ["Node's fetch", 'Agent'],
  ["Node's fetch", 'Pool'],
  ["Node's fetch", 'Client'],
  ["Node's fetch", "Node's own Agent"],
  ["Node's fetch, setGlobalDispatcher", 'Agent'],
]

describe.each(ways)('%s through %s', (sender, kind) => {
  const { send, fetches } = senders[sender]
  runCases({
    open(options, { base }) {
      const dispatcher = dispatchers[kind](base)
      const composed = dispatcher.compose(conform(options))
      return { call: (call) => send(call, composed), close: () => dispatcher.close() }
    },
    redirects: fetches ? 'each' : 'stops',
  })
})

it("Node's own dispatcher differs from the dispatcher of the installed undici", () => {
  expect(BundledAgent).not.toBe(Agent)
})
