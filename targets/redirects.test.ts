/** The shipped targets send requests to the given server only. */

import { afterEach, beforeEach, expect, it } from 'vitest'
import { createAdmin } from '../harness/target/admin.ts'
import { startTestServer, type TestServer } from '../test/support/test-server.ts'
import { setup } from './reference.ts'

const received: string[] = []
let other: TestServer
let redirecting: TestServer

beforeEach(async () => {
  received.length = 0
  other = await startTestServer(async (request, response) => {
    let body = ''
    for await (const chunk of request) body += chunk
    received.push(`${request.method} ${request.url} ${request.headers.authorization ?? ''} ${body}`)
    response.writeHead(200, { 'content-type': 'application/json' }).end('{"token":"t"}')
  })
  redirecting = await startTestServer(({ url = '' }, response) => {
    response.writeHead(307, { location: other.url + url }).end()
  })
})
afterEach(() => {
  other.close()
  redirecting.close()
})

it('the password of a superuser is not sent to the server of a redirect', async () => {
  const environment = {
    CONFORMANCE_SUPERUSER_IDENTITY: 'root@example.com',
    CONFORMANCE_SUPERUSER_PASSWORD: 'password1',
  }
  await expect(createAdmin({ baseUrl: redirecting.url, prefix: '/api', environment })).rejects.toThrow(/307/)
  expect(received).toEqual([])
})

it('tables are not looked up on the server of a redirect', async () => {
  await setup({ baseUrl: redirecting.url, prefix: '/api/v1', note: () => {} } as never)
  expect(received).toEqual([])
})
