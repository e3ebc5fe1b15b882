import { afterEach, describe, expect, it } from 'vitest'
import { startTestServer, type TestServer } from '../../test/support/test-server.ts'
import { targetOf } from '../target/target-file.ts'
import type { Session } from '../vocabulary/session.ts'
import { createTransport } from '../wire/transport.ts'
import { sameResponses } from './same-responses.ts'

let server: TestServer | undefined
afterEach(() => server?.close())

const sessionOf = (baseUrl: string, more: object = {}) =>
  ({
    target: { ...targetOf({ baseUrl, tables: { plain: { name: 'notes' } } }, 'a file', {}), ...more },
    configuredHeaders: {},
    options: {},
    transport: createTransport(baseUrl),
    actors: { knows: () => false },
  }) as unknown as Session

describe('a target file', () => {
  it.each([
    ['{}', 'application/json', 'check that --base-url leads to the interface'],
    ['<!doctype html>', 'text/html', 'use the address of the API, not of its web page'],
  ])('for a server that sends %s to everything gets a note with the next step', async (body, type, next) => {
    let requests = 0
    server = await startTestServer((_, response) => {
      requests += 1
      response.writeHead(200, { 'content-type': type }).end(body)
    })
    const same = await sameResponses(sessionOf(server.url))
    expect(same?.fact).toContain(
      `the same response to every request, even for paths that cannot exist: status 200, ${type}`,
    )
    expect(same?.next).toContain(next)
    expect(requests).toBeLessThanOrEqual(10)
  })

  it('for a server that rejects everything gets a note, unless it opens to a superuser', async () => {
    server = await startTestServer((request, response) => {
      const isNotes = request.url?.includes('/notes/') === true
      response.writeHead(request.headers.authorization === 'root' && isNotes ? 200 : 403).end('{}')
    })
    const actors = (token: string) => ({ actors: { knows: () => true, token: async () => token } })
    const session = sessionOf(server.url)
    const rejected = {
      fact: expect.stringMatching(/the server rejects every request, .*status 403/),
      next: expect.stringContaining("--header 'NAME:$VARIABLE'"),
    }
    expect(await sameResponses(session)).toMatchObject(rejected)
    expect(await sameResponses({ ...session, ...actors('someone') } as unknown as Session)).toMatchObject(
      rejected,
    )
    expect(await sameResponses({ ...session, ...actors('root') } as unknown as Session)).toBeUndefined()
  })

  it('for a server that distinguishes requests takes two requests and gets no note', async () => {
    let requests = 0
    server = await startTestServer((request, response) => {
      requests += 1
      response.writeHead(request.url?.includes('/notes/') ? 200 : 404).end('{}')
    })
    expect(await sameResponses(sessionOf(server.url))).toBeUndefined()
    expect(requests).toBe(2)
  })

  it('for a server that responds to nothing but a list gets no note, and the run goes on', async () => {
    server = await startTestServer((request, response) => {
      if (request.url?.includes('/notes/')) response.end('{}')
      else response.destroy()
    })
    expect(await sameResponses(sessionOf(server.url))).toBeUndefined()
  })

  it('is not needed: what was explored at an address was looked at before', async () => {
    expect(await sameResponses(sessionOf('http://127.0.0.1:1', { explored: { plain: [] } }))).toBeUndefined()
  })
})
