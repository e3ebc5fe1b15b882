import { once } from 'node:events'
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, expect, it } from 'vitest'
import { discover } from './init.ts'

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

/** Bodies by what stands behind `/collections/`; anything else is not there. */
function tables(bodies: Readonly<Record<string, unknown>>): Promise<string> {
  return server((path, response) => {
    const body = bodies[path.replace('/api/v1/collections/', '')]
    response.writeHead(body === undefined ? 404 : 200, { 'content-type': 'application/json' })
    response.end(JSON.stringify(body === undefined ? {} : body))
  })
}

const page = (...items: unknown[]) => ({ page: 1, perPage: 1, totalItems: items.length, items })

it('finds no tables in a server that answers everything with its page', async () => {
  const baseUrl = await server((_, response) =>
    response.writeHead(200, { 'content-type': 'text/html' }).end('<!doctype html><title>dev</title>'),
  )
  const { prefix, tables: found } = await discover(baseUrl)
  expect([prefix, found]).toEqual(['/api/v1', []])
}, 60_000)

it('takes for a table what answers with a list, and for a record what is one', async () => {
  const baseUrl = await tables({
    'a/records': { items: {} },
    'b/records': null,
    'c/records': [],
    'd/records': 'ok',
    'e/records': page(),
    'f/records': page(null),
    'g/records': page(['a']),
    'h/records': page({ id: 'x', headline: 'text', count: 1, '': 'text' }),
  })
  const { tables: found } = await discover(baseUrl, [...'abcdefgh'])
  expect(found).toEqual([
    { name: 'e', auth: false, fields: [] },
    { name: 'f', auth: false, fields: [] },
    { name: 'g', auth: false, fields: [] },
    { name: 'h', auth: false, fields: ['headline'] },
  ])
}, 60_000)

it('takes for a table with sign-in what tells of its methods in an object', async () => {
  const baseUrl = await tables({
    'a/records': page(),
    'a/auth-methods': [],
    'b/records': page(),
    'b/auth-methods': 'ok',
    'c/auth-methods': null,
    'd/records': page(),
    'd/auth-methods': { password: { enabled: true } },
    'e/auth-methods': { password: { enabled: true } },
  })
  const { tables: found } = await discover(baseUrl, [...'abcde'])
  expect(found.map(({ name, auth }) => [name, auth])).toEqual([
    ['a', false],
    ['b', false],
    ['d', true],
    ['e', true],
  ])
}, 60_000)
