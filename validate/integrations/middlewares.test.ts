/** The middlewares and the proxy, in every mode that can reject. */

import { Readable } from 'node:stream'
import { getRequestListener } from '@hono/node-server'
import { Hono } from 'hono'
import { Agent, request as undiciRequest } from 'undici'
import { afterAll, beforeAll, describe, vi } from 'vitest'
import { callServer, forward, openServer } from '../../test/validate/integrations/gateway.ts'
import { runCases } from '../../test/validate/integrations/run-cases.ts'
import { startProxy } from '../proxy/proxy.ts'
import { connectConform, createValidator, honoConform } from '../validate.ts'

describe.each(['fail', 'mark'] as const)('Connect, %s', (mode) => {
  runCases({
    open(options, { base }) {
      const middleware = connectConform({ ...options, mode })
      return openServer((incoming, outgoing) =>
        middleware(incoming, outgoing, () => forward(base, incoming, outgoing)),
      )
    },
  })
})

describe.each(['fail', 'mark'] as const)('Hono, %s', (mode) => {
  // Where a body breaks off, its server prints that.
  beforeAll(() => void vi.spyOn(console, 'error').mockImplementation(() => {}))
  afterAll(() => void vi.restoreAllMocks())
  runCases({
    // What the server of Hono does, with and without a middleware, for a body that was cut off before its head was sent.
    instead: { 'cut before the announced length': 'passes as 500 Error: other side closed' },
    open(options, { base }) {
      const app = new Hono()
      const dispatcher = new Agent()
      app.onError(({ message }, context) => context.json({}, 500, { 'x-conformance': 'throws', message }))
      app.use(honoConform({ ...options, mode }))
      app.all('*', async ({ req }) => {
        const { pathname, search } = new URL(req.url)
        const { statusCode, headers, body } = await undiciRequest(base + pathname + search, {
          method: req.method as 'GET',
          signal: req.raw.signal,
          dispatcher,
        })
        const { connection: _, ...rest } = headers
        const empty = statusCode === 204 || req.method === 'HEAD'
        return new Response(empty ? null : (Readable.toWeb(body) as ReadableStream), {
          status: statusCode,
          headers: rest as Record<string, string>,
        })
      })
      return openServer(getRequestListener(app.fetch), () => dispatcher.close())
    },
  })
})

describe.each(['fail', 'mark'] as const)('proxy, %s', (mode) => {
  runCases({
    async open({ limit, onResult }, { base }) {
      const proxy = await startProxy({
        upstream: new URL(base),
        validator: createValidator({ profile: 'standard', limit }),
        mode,
        onResult: onResult as () => void,
        onTrouble: () => {},
      })
      return { call: (call) => callServer(proxy.url, call), close: () => proxy.close() }
    },
    // Whatever becomes of our own work, the traffic goes on; the trouble is reported.
    instead: { 'onResult throws': 'passes', 'onResult throws, no body': 'passes' },
  })
})
