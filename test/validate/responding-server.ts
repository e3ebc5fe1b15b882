/** A server for the validator's tests: `?bad` breaks, `?zip` packs, `?slow` comes in two pieces, POST and DELETE do what they say. */

import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { gzipSync } from 'node:zlib'
import { note, page } from './exchanges.ts'

export const path = '/api/v1/collections/notes/records'
export const good = JSON.stringify(page())
export const bad = JSON.stringify(page({ totalPages: 9 }))
/** What `?bad` breaks. */
export const finding = 'list.total-pages'

export interface AnsweringServer {
  base: string
  server: Server
  close(): void
}

export async function startAnsweringServer(): Promise<AnsweringServer> {
  const server = createServer((request, response) => {
    const { url = '', method } = request
    if (url.startsWith('/events')) {
      response.writeHead(200, { 'content-type': 'text/event-stream' }).end('data: {}\n\n')
      return
    }
    if (method === 'DELETE') {
      response.writeHead(204).end()
      return
    }
    const body = method === 'POST' ? JSON.stringify(note()) : url.includes('bad') ? bad : good
    const bytes = url.includes('zip') ? gzipSync(body) : Buffer.from(body)
    response.writeHead(200, {
      'content-type': 'application/json',
      ...(url.includes('zip') && { 'content-encoding': 'gzip' }),
    })
    if (method === 'HEAD') {
      response.end()
      return
    }
    response.write(bytes.subarray(0, 20))
    setTimeout(() => response.end(bytes.subarray(20)), url.includes('slow') ? 30 : 0)
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    server,
    base: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close() {
      server.closeAllConnections()
      server.close()
    },
  }
}
