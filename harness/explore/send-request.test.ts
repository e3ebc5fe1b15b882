import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { startTestServer } from '../../test/support/test-server.ts'
import { StoppedError } from '../errors.ts'
import { createSession } from '../session/create-session.ts'
import type { WireResponse } from '../wire/exchange-bytes.ts'
import { RequestCount } from '../wire/request-count.ts'
import type { Transport } from '../wire/transport.ts'
import { requestSender, requestSenderOf } from './send-request.ts'

function sending(body: string) {
  const response = { status: 200, headers: { 'content-type': 'application/json' }, bytes: Buffer.from(body) }
  const send = async () => response as unknown as WireResponse
  return requestSender({ send } as unknown as Transport, 'http://127.0.0.1:9')
}

it('reads JSON', async () => {
  expect(await sending('{"items":[]}')('/')).toMatchObject({ status: 200, body: { items: [] } })
})

it.each([
  ['more values than a run reads', `[${'[],'.repeat(1_000_000)}[]]`],
  ['more levels', `${'['.repeat(2_000)}${']'.repeat(2_000)}`],
  ['no JSON', 'nothing'],
])('leaves the body of %s unread', async (_name, body) => {
  const response = await sending(body)('/')
  expect(response.text).toHaveLength(body.length)
  expect(response.body).toBeUndefined()
})

it('sends no more than it may, and all that it counts', async () => {
  let sent = 0
  const response = { status: 200, headers: {}, bytes: Buffer.from('{}') }
  const send = async () => {
    await sleep(5)
    sent += 1
    return response as unknown as WireResponse
  }
  const count = new RequestCount(3)
  const request = requestSender({ send } as unknown as Transport, 'http://127.0.0.1:9', { count })
  await expect(Promise.all(['/1', '/2', '/3', '/4'].map((path) => request(path)))).rejects.toThrow(
    StoppedError,
  )
  expect([sent, count.requests]).toEqual([3, 3])
})

it('waits for a server that is busy only where it has responded before', async () => {
  const asked: unknown[] = []
  const send = async ({ patient }: { patient?: boolean }) => {
    asked.push(patient)
    return { status: 200, headers: {}, bytes: Buffer.from('{}') } as unknown as WireResponse
  }
  const transport = { send } as unknown as Transport
  await requestSender(transport, 'http://127.0.0.1:9')('/')
  await requestSender(transport, 'http://127.0.0.1:9', { responds: true })('/')
  expect(asked).toEqual([false, true])
})

it('sends what the hook `request` makes of a request', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'explore-hook-'))
  const file = join(folder, 'hook.mjs')
  writeFileSync(
    file,
    `export function request({ operation, path, headers }) {
      return { path: path.replace('page=2', 'q=(page:2)'), headers: { ...headers, 'x-kind': operation } }
    }`,
  )
  const seen: string[] = []
  const server = await startTestServer((request, response) => {
    seen.push(`${request.url} ${request.headers['x-kind']} ${request.headers.authorization}`)
    response.setHeader('content-type', 'application/json').end('{"items":[]}')
  })
  const target = { baseUrl: server.url, binding: {}, capabilities: {}, tables: {}, credentials: {} }
  const hooks = { request: file }
  const session = createSession({ ...target, hooks }, { requirements: new Map() }, { seed: 1 })
  try {
    await requestSenderOf(session)('/records?page=2', { operation: 'listRecords', token: 'abc' })
    expect(seen).toEqual(['/records?q=(page:2) listRecords abc'])
  } finally {
    await session.close()
    server.close()
    rmSync(folder, { recursive: true })
  }
})
