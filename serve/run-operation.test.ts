import { afterEach, expect, it, vi } from 'vitest'
import { runOperation } from './run-operation.ts'
import { type Serving, startServing } from './serving.ts'

let serving: Serving | undefined
afterEach(async () => {
  vi.unstubAllGlobals()
  await serving?.close()
})

it('returns the records of a table where another library has replaced the global Response', async () => {
  serving = await startServing({
    data: {
      tables: [{ name: 'posts', listRule: '', fields: [{ name: 'title', type: 'text' }] }],
      records: { posts: [{ id: 'post00000000001', title: 'first' }] },
      superusers: [],
      keys: [],
      inferred: [],
    },
    seed: 1,
    superuser: {
      id: 'superuser000001',
      email: 'root@example.com',
      password: 'secret1234',
      tokenKey: 'k'.repeat(50),
    },
  })
  // What @hono/node-server does when it serves: no response of the reference is one of these.
  vi.stubGlobal('Response', class extends Response {})
  const request = new Request('http://127.0.0.1/_/api/tables/posts/records?page=1')
  const response = await runOperation('console', serving, request, 'tables/posts/records')
  expect(await response.json()).toMatchObject({ totalItems: 1, items: [{ title: 'first' }] })
})

it.each(['mail?wait=Infinity', 'mail?kind=otpx'])(
  'checks the requests of the console, too: %s',
  async (path) => {
    const request = new Request(`http://127.0.0.1/_/api/${path}`)
    const response = await runOperation('console', {} as Serving, request, 'mail')
    expect([response.status, await response.json()]).toEqual([
      400,
      expect.objectContaining({ message: expect.stringMatching(/must be/) }),
    ])
  },
)
