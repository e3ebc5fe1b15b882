/** The `request` hook. */

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, it } from 'vitest'
import { startTestServer } from '../../test/support/test-server.ts'
import { createSession } from '../session/create-session.ts'

const folder = mkdtempSync(join(tmpdir(), 'request-hook-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

async function sentWith(hook: string) {
  const file = join(folder, `${Math.abs(hook.length)}.mjs`)
  writeFileSync(file, hook)
  const seen: string[] = []
  const server = await startTestServer((request, response) => {
    seen.push(`${request.method} ${request.url} ${request.headers['x-kind']}`)
    response.setHeader('content-type', 'application/json').end('{"items":[]}')
  })
  const target = {
    baseUrl: server.url,
    binding: {},
    capabilities: {},
    tables: {},
    credentials: {},
    hooks: { request: file },
  }
  const session = createSession(target, { requirements: new Map() }, { seed: 1 })
  try {
    const response = await session.api('guest').list({ role: 'plain', name: 'notes' }, { page: 2 })
    return { seen, exchange: response.exchange }
  } finally {
    await session.close()
    server.close()
  }
}

it('the hook changes what is sent, and reports show what was sent', async () => {
  const { seen, exchange } = await sentWith(
    `export function request({ operation, path, headers }) {
      return { path: path.replace('page=2', 'offset=60'), headers: { ...headers, 'x-kind': operation } }
    }`,
  )
  expect(seen).toEqual(['GET /api/v1/collections/notes/records?offset=60 listRecords'])
  expect(exchange.request.url).toMatch(/\?offset=60$/)
})

it('a hook that returns nothing changes nothing', async () => {
  expect((await sentWith('export function request() {}')).seen).toEqual([
    'GET /api/v1/collections/notes/records?page=2 undefined',
  ])
})

it.each(['export function request() { return { url: "/" } }', 'export function request() { return 7 }'])(
  'that returns no part of a request is a configuration error: %s',
  async (hook) => {
    await expect(sentWith(hook)).rejects.toThrow(/hook "request" did not return/)
  },
)

it('the hook cannot turn a read into a write', async () => {
  await expect(
    sentWith(
      `export function request() { return { method: 'DELETE', path: '/api/v1/collections/notes/records/a' } }`,
    ),
  ).rejects.toThrow(/changed a read request to DELETE/)
})
