/**
 * Servers that do not implement this interface: each answers everything in one wrong way. For the question whether a
 * run against them ends with a verdict, and passes nothing for the wrong reason.
 *
 * @module
 */

import { once } from 'node:events'
import { createServer, type IncomingMessage, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { defined } from '../../harness/support/defined.ts'

interface Answer {
  status: number
  type?: string
  body?: string
  headers?: Record<string, string>
}

const json = (value: unknown, status = 200): Answer => ({
  status,
  type: 'application/json',
  body: JSON.stringify(value),
})

const rejection = (status: number): Answer => json({ status, message: 'No.', data: {} }, status)

let made = 0

/** A record in the right form that has nothing to do with what was asked. */
const strange = () => ({
  id: `r${String(made++).padStart(14, '0')}`,
  collectionId: 'elsewhere',
  collectionName: 'elsewhere',
  created: '2024-01-01 00:00:00.000Z',
  updated: '2024-01-01 00:00:00.000Z',
  title: 'x',
  email: 'x@example.com',
  verified: false,
})

/** What is requested, read from the path. */
function kindOf({
  method,
  url = '',
}: IncomingMessage): 'list' | 'record' | 'delete' | 'batch' | 'methods' | 'other' {
  const path = url.split('?')[0] ?? ''
  if (path.endsWith('/batch')) return 'batch'
  if (path.endsWith('/auth-methods')) return 'methods'
  if (method === 'DELETE') return 'delete'
  if (method === 'GET' && path.endsWith('/records')) return 'list'
  return path.includes('/records') ? 'record' : 'other'
}

function lookalike(request: IncomingMessage, items: unknown[], totals: object): Answer {
  switch (kindOf(request)) {
    case 'list':
      return json({ page: 1, perPage: 30, ...totals, items })
    case 'record':
      return json(strange())
    case 'delete':
      return { status: 204 }
    case 'batch':
      return json([{ status: 200, body: strange() }, null])
    case 'methods':
      return json({ password: { enabled: true }, otp: { enabled: true }, mfa: {}, oauth2: {} })
    default:
      return json({ token: 'a.b.c', record: strange() })
  }
}

export const hostileServers: Readonly<Record<string, (request: IncomingMessage) => Answer>> = {
  'an empty object for everything': () => json({}),
  'null for everything': () => json(null),
  'an empty list for everything': () => json([]),
  'HTML for everything': () => ({ status: 200, type: 'text/html', body: '<html>hello</html>' }),
  'a redirect to itself': ({ url = '/' }) => ({ status: 302, headers: { location: url } }),
  '400 for everything': () => rejection(400),
  '401 for everything': () => rejection(401),
  'a server fault for everything': () => rejection(500),
  'nothing in any list': (request) => lookalike(request, [], { totalItems: 0, totalPages: 0 }),
  'records of another table and wrong totals': (request) =>
    lookalike(request, [strange(), strange()], { totalItems: 77, totalPages: 9 }),
  'lists of nulls': (request) => lookalike(request, [null, 7], { totalItems: null, totalPages: '1' }),
}

/** Listens on a free port of this machine. */
export async function startHostile(
  answer: (request: IncomingMessage) => Answer,
): Promise<{ url: string; server: Server }> {
  const server = createServer((request, response) => {
    request.resume().on('end', () => {
      const { status, type, body, headers } = answer(request)
      response.writeHead(status, { ...headers, ...defined({ 'content-type': type }) })
      response.end(status === 204 ? undefined : body)
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, server }
}
