import { afterEach, describe, expect, it } from 'vitest'
import { startTestServer, type TestServer } from '../test/support/test-server.ts'
import { ConfigurationError } from './errors.ts'
import { expectDifferentResponses, expectTables } from './expect-usable.ts'
import { targetOf } from './target/target-file.ts'
import type { Reply } from './vocabulary/api.ts'
import type { Session } from './vocabulary/session.ts'

let server: TestServer | undefined
afterEach(() => server?.close())

const sessionOf = (baseUrl: string, more: object = {}) =>
  ({
    target: { ...targetOf({ baseUrl, tables: { plain: { name: 'notes' } } }, 'a file', {}), ...more },
    options: { seed: 1 },
    ownHeaders: {},
    actors: { knows: () => false },
  }) as unknown as Session

describe('a target file', () => {
  it.each([
    ['{}', 'application/json'],
    ['<!doctype html>', 'text/html'],
  ])('for a server that sends %s to everything ends in one diagnosis', async (body, type) => {
    let requests = 0
    server = await startTestServer((_, response) => {
      requests += 1
      response.writeHead(200, { 'content-type': type }).end(body)
    })
    await expect(expectDifferentResponses(sessionOf(server.url))).rejects.toThrow(
      /same response to every request/,
    )
    expect(requests).toBeLessThanOrEqual(30)
  })

  it('for a server that tells requests apart is fine', async () => {
    server = await startTestServer((request, response) => {
      response.writeHead(request.url?.includes('/notes/') ? 200 : 404).end('{}')
    })
    await expectDifferentResponses(sessionOf(server.url))
  })
})

describe('an address at which nothing is found', () => {
  const bare = { explored: { plain: [] } }
  const tried =
    (status: number, more: object = bare) =>
    () =>
      expectTables(sessionOf('http://127.0.0.1:1', more), { status } as Reply)

  it.each([
    [404, /no table was found under \/api\/v1.*404/, /--prefix PATH.*--table NAME/],
    [401, /guests get status 401 everywhere/, /CONFORMANCE_SUPERUSER_TOKEN/],
  ])('with status %i gets the next step', (status, fact, next) => {
    try {
      tried(status)()
      expect.unreachable()
    } catch (error) {
      expect(error).toBeInstanceOf(ConfigurationError)
      expect((error as ConfigurationError).fact).toMatch(fact)
      expect((error as ConfigurationError).next).toMatch(next)
    }
  })

  it('is for the checks to judge where a target file names tables', () => {
    expect(tried(404, {})).not.toThrow()
    expect(tried(200)).not.toThrow()
  })
})
