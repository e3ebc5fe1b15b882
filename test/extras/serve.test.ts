/** Files, realtime and health through `conformance serve`. */

import { once } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { EventSource } from 'eventsource'
import PocketBase, { BaseAuthStore } from 'pocketbase'
import { afterEach, expect, test, vi } from 'vitest'
import { type AnyReference, createReference } from '../../reference/reference.ts'
import { type ServeProcess, startServe } from '../../scripts/support/serve-process.ts'

let served: ServeProcess | undefined
let folder: string | undefined

afterEach(async () => {
  vi.unstubAllGlobals()
  await served?.stop()
  if (folder !== undefined) await rm(folder, { recursive: true })
  served = undefined
  folder = undefined
})

const tables = [
  {
    name: 'posts',
    ...{ listRule: '', viewRule: '', createRule: '', updateRule: '' },
    fields: [
      { name: 'title', type: 'text' as const },
      { name: 'cover', type: 'file' as const },
      { name: 'draft', type: 'file' as const, protected: true },
    ],
  },
]

test('the official client has files and realtime with --prefix /api, also after a reload', async () => {
  folder = await mkdtemp(join(tmpdir(), 'extras-'))
  const data = join(folder, 'data.json')
  await writeFile(data, JSON.stringify(tables))
  served = startServe(['--port', '0', '--prefix', '/api', '--data', data, '--watch', '--control'])
  const [, origin = ''] = await served.says(/(http:\/\/127\.0\.0\.1:\d+)/)
  vi.stubGlobal('EventSource', EventSource)
  const client = new PocketBase(origin, new BaseAuthStore()).autoCancellation(false)
  const titles: string[] = []
  await client.collection('posts').subscribe('*', ({ record }) => void titles.push(record.title))
  const post = await client.collection('posts').create({ title: 'one', cover: new File(['hi'], 'a.txt') })
  expect(await (await fetch(client.files.getURL(post, post.cover))).text()).toBe('hi')
  expect((await client.health.check()).code).toBe(200)
  await vi.waitFor(() => expect(titles).toEqual(['one']), { timeout: 5_000 })

  const clientId = client.realtime.clientId
  await writeFile(data, JSON.stringify([...tables, { name: 'more' }]))
  await served.says(/reloaded/)
  await vi.waitFor(
    () => expect(['', clientId]).not.toContain(client.realtime.isConnected ? client.realtime.clientId : ''),
    { timeout: 10_000 },
  )
  await client.collection('posts').create({ title: 'two' })
  await vi.waitFor(() => expect(titles).toEqual(['one', 'two']), { timeout: 5_000 })

  await client.realtime.unsubscribe()
  const open = await fetch(`${origin}/api/realtime`)
  const started = Date.now()
  expect(await served.stop()).toBe(0)
  expect(Date.now() - started).toBeLessThan(3_000)
  expect(served.err()).not.toMatch(/Error|aborted/)
  await expect(open.text()).rejects.toThrow('terminated')
})

test('the log shows no file token', async () => {
  folder = await mkdtemp(join(tmpdir(), 'extras-'))
  const data = join(folder, 'data.json')
  await writeFile(data, JSON.stringify(tables))
  const env = {
    CONFORMANCE_SUPERUSER_IDENTITY: 'root@example.com',
    CONFORMANCE_SUPERUSER_PASSWORD: 'rootpass123',
  }
  served = startServe(['--port', '0', '--prefix', '/api', '--data', data, '--control'], { env })
  const [, origin = ''] = await served.says(/(http:\/\/127\.0\.0\.1:\d+)/)
  const client = new PocketBase(origin, new BaseAuthStore()).autoCancellation(false)
  await client.collection('_superusers').authWithPassword('root@example.com', 'rootpass123')
  const post = await client.collection('posts').create({ draft: new File(['secret draft'], 'a.txt') })
  const token = await client.files.getToken()
  const response = await fetch(client.files.getURL(post, post.draft, { token }))
  expect(await response.text()).toBe('secret draft')
  const read = async (path: string) => (await fetch(`${origin}/_conformance/requests${path}`)).text()
  const list = await read('')
  expect(list).toContain(`/api/files/${post.collectionId}/${post.id}/`)
  const ids = [...list.matchAll(/"id":("?)([\w-]+)\1/g)].map(([, , id]) => id)
  expect(ids.length).toBeGreaterThan(3)
  const details = await Promise.all(ids.map((id) => read(`/${id}`)))
  expect(details.join()).toContain('/api/files/token')
  expect([list, ...details].filter((text) => text.includes(token))).toEqual([])
})

/** A client that requests events and never reads them. */
async function stuckClient(origin: string) {
  const { hostname, port } = new URL(origin)
  const socket = connect({ host: hostname, port: Number(port) })
  socket.on('error', () => {})
  socket.write('GET /api/realtime HTTP/1.1\r\nHost: x\r\n\r\n')
  const [first] = (await once(socket, 'data')) as [Buffer]
  socket.pause()
  return { socket, clientId: /"clientId":"(\w+)"/.exec(String(first))?.[1] ?? '' }
}

async function listening() {
  const log = vi.fn()
  const reference: AnyReference = createReference({ prefix: '/api', tables, log })
  const { url } = await reference.listen()
  const { socket, clientId } = await stuckClient(url)
  const subscribed = await fetch(`${url}/api/realtime`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ clientId, subscriptions: ['posts/*'] }),
  })
  expect(subscribed.status).toBe(204)
  return { reference, socket, log }
}

test('a client that never reads is cut off, and the server goes on', async () => {
  const { reference, socket } = await listening()
  const silenced = vi.spyOn(console, 'error').mockImplementation(() => {})
  for (let sent = 0; reference.realtime.connections > 0 && sent < 10_000; sent++) {
    await reference.records.create('posts', { title: 'x'.repeat(5_000) })
    if (sent % 100 === 0) await reference.realtime.idle()
  }
  await reference.realtime.idle()
  expect(reference.realtime.connections).toBe(0)
  expect((await reference.fetch('/api/health')).status).toBe(200)
  socket.destroy()
  await reference.close()
  silenced.mockRestore()
})

test('a connection that breaks is forgotten, without a word', async () => {
  const { reference, socket, log } = await listening()
  const said = vi.spyOn(console, 'error')
  expect(reference.realtime.connections).toBe(1)
  socket.resetAndDestroy()
  await vi.waitFor(() => expect(reference.realtime.connections).toBe(0))
  expect([log, said].map(({ mock }) => mock.calls)).toEqual([[], []])
  said.mockRestore()
  await reference.close()
})
