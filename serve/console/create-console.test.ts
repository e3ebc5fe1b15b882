import { expect, it } from 'vitest'
import type { Serving } from '../serving.ts'
import { createConsole } from './create-console.ts'

const respond = createConsole({} as Serving)
const at = (path: string, accept: string, method = 'GET') =>
  respond(new Request(`http://127.0.0.1:8090${path}`, { method, headers: { accept } }), '127.0.0.1')

const html = 'text/html,application/xhtml+xml,*/*;q=0.8'

it('leads browsers from the address of the server to the page', async () => {
  for (const path of ['/', '/_']) {
    const response = await at(path, html)
    expect([response?.status, response?.headers.get('location')]).toEqual([302, '/_/'])
  }
})

it('leaves everything else to the interface', async () => {
  expect(await at('/', '*/*')).toBeUndefined()
  expect(await at('/', html, 'POST')).toBeUndefined()
  expect(await at('/api/v1/', html)).toBeUndefined()
})
