/** The socket in front of the reference. */

import { once } from 'node:events'
import { connect } from 'node:net'
import { setTimeout as wait } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { createReference } from '../reference.ts'

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

describe('errors before any operation runs have the envelope', () => {
  const path = '/api/v1/collections/notes/records'
  it.each<[string, number, string]>([
    ['no Host', 400, `GET ${path} HTTP/1.1\r\n\r\n`],
    ['a Host that is none', 400, `GET ${path} HTTP/1.1\r\nHost: a b\r\nConnection: close\r\n\r\n`],
    [
      'an unknown expectation',
      417,
      `POST ${path} HTTP/1.1\r\nHost: x\r\nExpect: a\r\nContent-Length: 2\r\n\r\n{}`,
    ],
    ['an unknown method', 400, `FETCH ${path} HTTP/1.1\r\nHost: x\r\n\r\n`],
    ['an unknown version', 400, `GET ${path} HTTP/9.9\r\nHost: x\r\n\r\n`],
    ['a header that is none', 400, `GET ${path} HTTP/1.1\r\nHost: x\r\nBad Header: x\r\n\r\n`],
    [
      'two lengths',
      400,
      `POST ${path} HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n`,
    ],
    ['a tunnel', 400, 'CONNECT x:1 HTTP/1.1\r\nHost: x\r\n\r\n'],
    ['an older version without Host, which is right', 200, `GET ${path} HTTP/1.0\r\n\r\n`],
  ])('%s', async (_, status, bytes) => {
    const reference = createReference({ tables: [{ name: 'notes', createRule: '', listRule: '' }] })
    const { port, close } = await reference.listen(0)
    try {
      const socket = connect(port, '127.0.0.1')
      let got = ''
      socket.on('data', (chunk) => {
        got += chunk
      })
      socket.write(bytes)
      await once(socket, 'close')
      const [head = '', body = ''] = got.split('\r\n\r\n')
      expect(head).toMatch(new RegExp(`^HTTP/1.1 ${status} `))
      expect(head).toMatch(/^content-type: application\/json\r?$/im)
      expect(JSON.parse(body)).toMatchObject(status === 200 ? { items: [] } : { status, data: {} })
    } finally {
      await close()
      await reference.close()
    }
  })
})

it('accepts a request without Host on an IPv6 address', async ({ skip }) => {
  const reference = createReference({ tables: [{ name: 'notes', listRule: '' }] })
  const listener = await reference.listen(0, '::1').catch(() => undefined)
  if (listener === undefined) return skip('This machine has no IPv6.')
  const { port } = listener
  const socket = connect(port, '::1')
  let got = ''
  socket.on('data', (chunk) => {
    got += chunk
  })
  socket.write('GET /api/v1/collections/notes/records HTTP/1.0\r\n\r\n')
  await once(socket, 'close')
  await reference.close()
  expect(got).toMatch(/^HTTP\/1.1 200 /)
})

it('sends the header values of a fault with one byte for each character', async () => {
  const reference = createReference({ tables: [{ name: 'notes', listRule: '' }] })
  const { url } = await reference.listen(0)
  reference.fault({ headers: { 'x-note': 'é' }, times: 1 })
  const response = await fetch(`${url}/api/v1/collections/notes/records`)
  await reference.close()
  expect(response.headers.get('x-note')).toBe('é')
})

it('a rule sees the first value of a repeated header', async () => {
  const rule = '@request.headers.x_token = "a" && @request.headers.host = null'
  const reference = createReference({ tables: [{ name: 'notes', listRule: rule }], records: { notes: [{}] } })
  const { port, close } = await reference.listen(0)
  try {
    const totals: unknown[] = []
    for (const values of [['a'], ['a', 'b'], ['b', 'a']]) {
      const socket = connect(port, '127.0.0.1')
      const headers = ['Host: x', 'Connection: close', ...values.map((value) => `X-Token: ${value}`)]
      socket.write(`GET /api/v1/collections/notes/records HTTP/1.1\r\n${headers.join('\r\n')}\r\n\r\n`)
      const text = (await socket.toArray()).join('')
      totals.push(/"totalItems":\d/.exec(text)?.[0])
    }
    expect(totals).toEqual(['"totalItems":1', '"totalItems":1', '"totalItems":0'])
  } finally {
    await close()
    await reference.close()
  }
})

it.each<unknown>([{ port: 0 }, '0', 1.5])('listens on a port number only, not %j', async (port) => {
  const reference = createReference()
  await expect(reference.listen(port as number)).rejects.toThrow('listen() takes a port number and a host')
})
