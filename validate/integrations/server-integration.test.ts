/**
 * Middlewares: what a server answers is failed, marked or reported.
 */

import { once } from 'node:events'
import { createServer, type RequestListener, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { gzipSync } from 'node:zlib'
import { getRequestListener } from '@hono/node-server'
import { Hono } from 'hono'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { page } from '../../test/validate/exchanges.ts'
import { bad, finding, good, path } from '../../test/validate/responding-server.ts'
import {
  ConformanceError,
  connectConform,
  createValidator,
  honoConform,
  type ServerIntegrationOptions,
} from '../validate.ts'

describe('middleware of Hono', () => {
  function app(mode: 'fail' | 'mark' | 'report', seen: boolean[] = []) {
    const hono = new Hono()
    hono.use(honoConform({ mode, profile: 'standard', onResult: ({ ok }) => seen.push(ok) }))
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
    expect([reported.status, reported.headers.get('x-conformance')]).toEqual([200, null])
    expect(await reported.text()).toBe(bad)
    await expect.poll(() => seen).toEqual([false])
  })

  it('knows the body of the request', async () => {
    const body = JSON.stringify({ requests: [{ method: 'DELETE', url: `${path}/a` }] })
    const response = await app('mark').request('/api/v1/batch', { method: 'POST', body })
    expect(response.headers.get('x-conformance')).toMatch(/batch\.entry/)
  })
})

describe('middleware of Connect’s style', () => {
  async function answer(
    mode: 'fail' | 'mark' | 'report',
    query: string,
    seen: boolean[] = [],
    options: ServerIntegrationOptions = {},
  ) {
    const middleware = connectConform({ mode, onResult: ({ ok }) => seen.push(ok), ...options })
    const own = createServer((request, response) =>
      middleware(request, response, () => {
        if (query === '?events') {
          response.setHeader('content-type', 'Text/Event-Stream; charset=utf-8')
          response.flushHeaders()
          response.write('data: 1\n\n')
          response.end()
          return
        }
        if (query === '?html' || query === '?label') {
          response.writeHead(query === '?html' ? 500 : 200, {
            'content-type': query === '?html' ? 'text/html' : 'application/vnd.api',
          })
          response.end(query === '?html' ? '<h1>x</h1>' : good)
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

  it('marks with what counts only', async () => {
    const html = await answer('mark', '?html')
    expect(html.mark).toBe('wire.json-bodies $; wire.json-errors $')
    expect((await answer('mark', '?label')).mark).toBeNull()
    const strict = await answer('mark', '?label', [], { strict: true })
    expect(strict.mark).toBe('wire.json-media-type $')
    const unseen = { ok: false, operation: 'listRecords', findings: [], unjudged: 'it is elsewhere' } as const
    expect(new ConformanceError(unseen).actual).toEqual(['not validated: it is elsewhere'])
  })

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

/** What a middleware that compresses does: the first bytes set the header, and all of them are compressed. */
function compressing(response: ServerResponse): void {
  const own = { write: response.write, end: response.end }
  const chunks: Buffer[] = []
  response.write = ((chunk: string) => {
    response.setHeader('content-encoding', 'gzip')
    chunks.push(Buffer.from(chunk))
    return true
  }) as typeof response.write
  response.end = ((chunk?: string) => {
    if (chunk !== undefined) response.write(chunk)
    return Reflect.apply(own.end, response, [gzipSync(Buffer.concat(chunks))])
  }) as typeof response.end
}

it.each(['report', 'mark'] as const)(
  'a body that is compressed later is judged as written: %s',
  async (mode) => {
    const seen: unknown[] = []
    const middleware = connectConform({ mode, onResult: ({ ok, unjudged }) => seen.push([ok, unjudged]) })
    const own = createServer((request, response) => {
      compressing(response)
      middleware(request, response, () => {
        response.setHeader('content-type', 'application/json')
        response.write(bad.slice(0, 10))
        response.end(bad.slice(10))
      })
    })
    own.listen(0, '127.0.0.1')
    await once(own, 'listening')
    onTestFinished(() => void own.close())
    const { port } = own.address() as AddressInfo
    const response = await fetch(`http://127.0.0.1:${port}${path}`)
    expect([response.headers.get('content-encoding'), await response.text()]).toEqual(['gzip', bad])
    expect(seen).toEqual([[false, undefined]])
  },
)

describe('an error of the validator itself', () => {
  const broken: ServerIntegrationOptions['validator'] = {
    ...createValidator(),
    validate: () => {
      throw new TypeError('something of ours is missing')
    },
  }

  /** What a client receives, and the first lines of the process warnings meanwhile. */
  async function answers(url: string) {
    const warnings: string[] = []
    const spy = vi
      .spyOn(process, 'emitWarning')
      .mockImplementation((text) => void warnings.push(String(text).split('\n')[0] ?? ''))
    try {
      const response = await fetch(url)
      const { status, headers } = response
      const received = [status, headers.get('x-conformance'), await response.text()]
      if (status === 200) await expect.poll(() => warnings).toHaveLength(1)
      return { received, warnings }
    } finally {
      spy.mockRestore()
    }
  }
  const warnings = ['the validator failed, not the response: something of ours is missing']

  const listen = async (listener: RequestListener) => {
    const server = createServer(listener).listen(0, '127.0.0.1')
    onTestFinished(() => {
      server.closeAllConnections()
      server.close()
    })
    await once(server, 'listening')
    return `http://127.0.0.1:${(server.address() as AddressInfo).port}${path}`
  }
  const connect = (mode: 'fail' | 'mark' | 'report') => {
    const middleware = connectConform({ mode, validator: broken })
    return listen((request, response) =>
      middleware(request, response, () => {
        response.writeHead(200, { 'content-type': 'application/json' })
        response.end(bad)
      }),
    )
  }
  const hono = (mode: 'fail' | 'mark' | 'report') => {
    const app = new Hono()
    app.onError(({ message }, context) => context.text(message, 500))
    app.use(honoConform({ mode, validator: broken }))
    app.get(path, (context) => context.json(JSON.parse(bad)))
    return listen(getRequestListener(app.fetch, { overrideGlobalObjects: false }))
  }

  it.each(['mark', 'report'] as const)('leaves the response as it is, and warns: %s', async (mode) => {
    for (const url of [await connect(mode), await hono(mode)])
      expect(await answers(url)).toEqual({ received: [200, null, bad], warnings })
  })

  it('fails a response with `fail`, and does not blame the callback', async () => {
    for (const url of [await connect('fail'), await hono('fail')]) {
      const { received, warnings: none } = await answers(url)
      expect([received[0], none]).toEqual([500, []])
      expect(received[2]).toContain(warnings[0])
      expect(received[2]).not.toContain('onResult')
    }
  })
})
