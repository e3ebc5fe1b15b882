/** The socket in front of the reference. */

import { once } from 'node:events'
import { connect } from 'node:net'
import { setTimeout as wait } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { createReference } from './reference.ts'

it('keeps the connection of a body that is too large and slow, so that no later request is lost', async () => {
  const reference = createReference({ tables: [{ name: 'notes', createRule: '', listRule: '' }] })
  const { port, close } = await reference.listen(0)
  const path = '/api/v1/collections/notes/records'
  try {
    const socket = connect(port, '127.0.0.1')
    let got = ''
    socket.on('data', (chunk) => {
      got += chunk
    })
    let closed = false
    socket.on('close', () => {
      closed = true
    })
    await once(socket, 'connect')
    const bytes = 40 * 1024 * 1024
    socket.write(
      `POST ${path} HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: ${bytes}\r\n\r\n`,
    )
    const piece = Buffer.alloc(bytes / 40, 0x20)
    for (let sent = 0; sent < bytes && !closed; sent += piece.length) {
      socket.write(piece)
      await wait(25)
    }
    expect(got).toMatch(/^HTTP\/1\.1 413 /)
    socket.write(`GET ${path} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`)
    if (!closed) await once(socket, 'close')
    expect(got).toMatch(/HTTP\/1\.1 200 /)
  } finally {
    await close()
    await reference.close()
  }
})
