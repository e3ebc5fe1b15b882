/**
 * An application under test may be a server of the same library, in the same process. By default the library replaces
 * the global classes with its own.
 */

import { Agent, request } from 'node:http'
import { expect, it, onTestFinished, vi } from 'vitest'
import { createReference } from '../reference.ts'

it('responds to HEAD where the global classes were replaced before the reference was loaded', async () => {
  const { getRequestListener } = await import('@hono/node-server')
  const own = { Request, Response }
  onTestFinished(() => {
    for (const [name, value] of Object.entries(own)) Object.defineProperty(globalThis, name, { value })
    vi.resetModules()
  })
  getRequestListener(() => new Response('an application'))
  vi.resetModules()
  const loaded = await import('../reference.ts')
  const reference = loaded.createReference({ tables: [{ name: 'notes', listRule: '' }] })
  const path = '/api/v1/collections/notes/records'
  expect((await reference.fetch(path, { method: 'HEAD' })).status).toBe(200)
  expect(await (await reference.fetch(path)).json()).toMatchObject({ items: [] })
})

it('responds to each request once, over a connection that stays open', async () => {
  const { getRequestListener } = await import('@hono/node-server')
  const own = { Request, Response }
  onTestFinished(() => {
    for (const [name, value] of Object.entries(own)) Object.defineProperty(globalThis, name, { value })
    vi.restoreAllMocks()
  })
  getRequestListener(() => new Response('an application'))
  expect(Response).not.toBe(own.Response)
  const complaints = vi.spyOn(console, 'error')
  const reference = createReference({ tables: [{ name: 'notes', createRule: '' }] })
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  try {
    const { url } = await reference.listen(0)
    const statuses: number[] = []
    for (let count = 0; count < 5; count++) {
      statuses.push(
        await new Promise((resolve, reject) => {
          const headers = { 'content-type': 'application/json' }
          const sent = request(`${url}/api/v1/collections/notes/records`, { method: 'POST', headers, agent })
          sent.on('error', reject)
          sent.on('response', (response) =>
            response.resume().on('end', () => resolve(response.statusCode ?? 0)),
          )
          sent.end('{}')
        }),
      )
    }
    expect(statuses).toEqual([200, 200, 200, 200, 200])
    expect(complaints).not.toHaveBeenCalled()
  } finally {
    agent.destroy()
    await reference.close()
  }
})
