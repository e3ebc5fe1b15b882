/** Servers that do not stop sending. */

import type { RequestListener } from 'node:http'
import { afterEach, expect, it } from 'vitest'
import { startTestServer, type TestServer } from '../../test/support/test-server.ts'
import { createSession } from '../session/create-session.ts'
import { smokeCheck } from '../smoke/smoke.ts'
import type { Session } from '../vocabulary/session.ts'

const mebibyte = Buffer.alloc(2 ** 20, ' ')
const plain = { role: 'plain', name: 'plain' }
let server: TestServer
let session: Session
/** Mebibytes that the server has sent. */
let written: number
let closed: Promise<void>

async function responding(response: RequestListener): Promise<void> {
  server = await startTestServer(response)
  session = createSession(
    { baseUrl: server.url, binding: {}, capabilities: {}, tables: {}, credentials: {} },
    { requirements: new Map() },
    { seed: 1 },
  )
}

/** @param most mebibytes after which the server ends its response */
function talking(most: number): RequestListener {
  written = 0
  return (_request, response) => {
    let gone = false
    closed = new Promise((resolve) =>
      response.on('close', () => {
        gone = true
        resolve()
      }),
    )
    response.writeHead(200, { 'content-type': 'application/json' })
    const more = () => {
      if (gone) return
      if (written === most) return void response.end()
      written += 1
      response.write(mebibyte, () => setImmediate(more))
    }
    more()
  }
}

afterEach(async () => {
  await session.close()
  server.close()
})

it('are not read beyond 64 MiB: that is a finding, and the connection is closed', async () => {
  await responding(talking(300))
  const scope = session.recorder.open()
  await expect(session.api('guest').list(plain)).rejects.toMatchObject({
    name: 'ExpectationError',
    message: expect.stringMatching(/^the response is larger than 64 MiB: GET http/),
    expected: 'a body of at most 64 MiB',
    received: expect.stringContaining('more than 64 MiB'),
  })
  await closed
  // Data in the socket buffers counts as written.
  expect(written).toBeLessThan(150)
  expect(scope.exchanges).toHaveLength(1)
  expect(await session.alive()).toBe(true)
})

it('are read to the end if it comes in time', async () => {
  await responding(talking(64))
  const { text } = await session.api('guest').raw({ method: 'GET', path: '/x' })
  expect(text).toHaveLength(64 * 2 ** 20)
})

it('do not end the smoke check: a note names them', async () => {
  const talk = talking(300)
  await responding((request, response) => {
    if (request.url?.includes('conf_plain')) talk(request, response)
    else response.writeHead(404).end('{}')
  })
  const { notes } = await smokeCheck(session)
  expect(notes.join()).toContain('larger than 64 MiB')
})
