import { once } from 'node:events'
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, describe, expect, it } from 'vitest'
import { discover } from './discover.ts'

const closing: (() => void)[] = []
afterEach(() => {
  for (const close of closing.splice(0)) close()
})

async function server(answer: (path: string, response: ServerResponse) => void): Promise<string> {
  const listening = createServer(({ url = '' }, response) => answer(url.replace(/\?.*/, ''), response))
  listening.listen(0, '127.0.0.1')
  await once(listening, 'listening')
  closing.push(() => {
    listening.closeAllConnections()
    listening.close()
  })
  return `http://127.0.0.1:${(listening.address() as AddressInfo).port}`
}

/** Bodies by what comes after `/collections/`; anything else is not there. */
function tables(bodies: Readonly<Record<string, unknown>>): Promise<string> {
  return server((path, response) => {
    const body = bodies[path.replace('/api/v1/collections/', '')]
    response.writeHead(body === undefined ? 404 : 200, { 'content-type': 'application/json' })
    response.end(JSON.stringify(body === undefined ? {} : body))
  })
}

it.each([
  [
    '\uFEFF{"items":[]}',
    'a byte order mark before the JSON, which JSON does not have (RFC 8259, section 8.1)',
  ],
  ['', 'an empty body'],
  ['<ul></ul>', 'a body that is not JSON'],
  ['{"data":[]}', 'a JSON body that has no list in `items`'],
])('says what lists return that are none: %j', async (body, kind) => {
  const baseUrl = await server((path, response) => {
    response.writeHead(path === '/api/v1/collections/notes/records' ? 200 : 404)
    response.end(path === '/api/v1/collections/notes/records' ? body : '{}')
  })
  await expect(discover(baseUrl)).rejects.toMatchObject({
    fact: `no table was found: /api/v1/collections/notes/records returned 200 with ${kind}`,
  })
})

const page = (...items: unknown[]) => ({ page: 1, perPage: 1, totalItems: items.length, items })

it.each([
  [
    'its page',
    200,
    'text/html',
    '<!doctype html><title>dev</title>',
    /same response to every request.*text\/html, <!doctype/,
  ],
  [
    'an empty object',
    200,
    'application/json',
    '{}',
    /same response to every request.*status 200, application\/json, \{\}/,
  ],
  ['nothing', 204, '', '', /same response to every request.*status 204, an empty body/],
  ['an error', 500, 'text/plain', 'boom 1', /fails on every request.*status 500, text\/plain, boom 1/],
])('recognizes a server that responds with %s to everything', async (_, status, type, body, fact) => {
  let requests = 0
  const baseUrl = await server((_, response) => {
    requests += 1
    response.writeHead(status, type === '' ? {} : { 'content-type': type }).end(body)
  })
  await expect(discover(baseUrl)).rejects.toThrow(fact)
  expect(requests).toBeLessThanOrEqual(30)
})

it('recognizes a table by a list response, and a record by its form', async () => {
  const row = { id: 'x', headline: 'text', count: 1, '': 'text' }
  const baseUrl = await tables({
    'a/records': { items: {} },
    'b/records': null,
    'c/records': [],
    'd/records': 'ok',
    'e/records': page(),
    'f/records': page(null),
    'g/records': page(['a']),
    'h/records': page(row),
  })
  const { found } = await discover(baseUrl, { names: [...'abcdefgh'] })
  expect(found).toEqual([
    { name: 'e', auth: false, open: true, rows: [] },
    { name: 'f', auth: false, open: true, rows: [] },
    { name: 'g', auth: false, open: true, rows: [] },
    { name: 'h', auth: false, open: true, rows: [row] },
  ])
}, 60_000)

it('treats as a table with sign-in what returns its methods in an object', async () => {
  const baseUrl = await tables({
    'a/records': page(),
    'a/auth-methods': [],
    'b/records': page(),
    'b/auth-methods': 'ok',
    'c/auth-methods': null,
    'd/records': page(),
    'd/auth-methods': { password: { enabled: true } },
    'e/auth-methods': { password: { enabled: true } },
    'f/auth-methods': { methods: [{ type: 'password', identity: ['email'] }], oauth2: [], mfa: false },
    'g/auth-methods': { password: { enabled: false, identity: ['email'] }, mfa: true },
  })
  const { found } = await discover(baseUrl, { names: [...'abcdefg'] })
  expect(found.map(({ name, auth }) => [name, auth])).toEqual([
    ['a', false],
    ['b', false],
    ['d', true],
    ['e', true],
    ['f', true],
    ['g', true],
  ])
}, 60_000)

describe('a server that redirects', { timeout: 60_000 }, () => {
  const requested: string[] = []
  const foreign = () =>
    server((path, response) => {
      requested.push(path)
      response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(page({ id: 'x' })))
    })

  it.each([301, 302, 303, 307, 308])(
    'to another is not followed, and the other is named: %i',
    async (status) => {
      const other = await foreign()
      const baseUrl = await server((path, response) =>
        response.writeHead(status, { location: `${other}/behind${path}?perPage=1` }).end(),
      )
      await expect(discover(baseUrl)).rejects.toMatchObject({
        name: 'ConfigurationError',
        fact: `the server redirects to ${other}/behind, and redirects are not followed`,
        place: baseUrl,
        next: `use --base-url ${other}/behind if this is the server to test`,
      })
      expect(requested).toEqual([])
    },
  )

  it('to a path of its own is not followed, either', async () => {
    const baseUrl = await server((path, response) =>
      path.startsWith('/here/')
        ? response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(page()))
        : response.writeHead(308, { location: `/here${path}` }).end(),
    )
    await expect(discover(baseUrl)).rejects.toThrow(`the server redirects to ${baseUrl}/here, and`)
  })

  it('to paths with a slash at their end is reported: the paths of the document have none', async () => {
    const baseUrl = await server((path, response) =>
      path.split('?')[0]?.endsWith('/')
        ? response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(page()))
        : response.writeHead(308, { location: `${path.split('?')[0]}/` }).end(),
    )
    await expect(discover(baseUrl)).rejects.toMatchObject({
      next: expect.stringContaining('the server adds a slash to paths'),
    })
  })

  it('a gateway with Basic authentication cannot be passed: the interface needs the header', async () => {
    const baseUrl = await server((_, response) =>
      response.writeHead(401, { 'www-authenticate': 'Basic realm="x"' }).end(),
    )
    await expect(discover(baseUrl)).rejects.toMatchObject({
      fact: expect.stringContaining('the interface itself uses the Authorization header'),
      next: expect.stringContaining('behind the gateway'),
    })
  })

  it('to an address with a password shows none of it', async () => {
    const baseUrl = await server((_, response) =>
      response
        .writeHead(302, { location: 'http://user:secret@127.0.0.1:1/sign-in?token=secret#secret' })
        .end(),
    )
    const rejection = discover(baseUrl)
    await expect(rejection).rejects.toThrow(
      'the server redirects every request to http://127.0.0.1:1/sign-in, and',
    )
    await expect(rejection).rejects.toMatchObject({
      next: expect.stringContaining("--header 'NAME:$VARIABLE'"),
    })
    await expect(rejection).rejects.not.toThrow(/secret/)
  })

  it('gets requests for the rest only if it has nothing', async () => {
    const other = await foreign()
    const baseUrl = await server((path, response) => {
      if (path.startsWith('/api/v1/collections/a/records'))
        response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(page()))
      else response.writeHead(302, { location: other }).end()
    })
    const { found } = await discover(baseUrl, { names: ['a'] })
    expect(found.map(({ name }) => name)).toEqual(['a'])
    expect(requested).toEqual([])
  })

  it('to its sign-in page, and rejects guests below the prefix, gets a file without tables', async () => {
    const baseUrl = await server((path, response) =>
      path.startsWith('/api/v1/')
        ? response.writeHead(401, { 'content-type': 'application/json' }).end('{}')
        : response.writeHead(302, { location: '/sign-in' }).end(),
    )
    expect(await discover(baseUrl)).toMatchObject({ prefix: '/api/v1', found: [], tables: {} })
  })
})
