/**
 * A reference behind a server that can change requests and responses: a small server with a decision or a mistake of its own.
 *
 * @module
 */

import { getRequestListener } from '@hono/node-server'
import { createReference, type ReferenceOptions } from '../../reference/reference.ts'
import { startTestServer, type TestServer } from './test-server.ts'

/** Responds to a request. `next` is what the reference does. */
export type Front = (request: Request, next: (request: Request) => Promise<Response>) => Promise<Response>

export async function startFronted(options: ReferenceOptions, front: Front): Promise<TestServer> {
  const reference = await createReference(options)
  const next = async (request: Request) => reference.fetch(request)
  return startTestServer(getRequestListener((request) => front(request, next)))
}

/** The same request with another URL or other headers. */
export async function copyOf(
  request: Request,
  { url = new URL(request.url), headers = request.headers }: { url?: URL; headers?: Headers },
): Promise<Request> {
  const { method } = request
  const body = method === 'GET' || method === 'DELETE' ? undefined : await request.arrayBuffer()
  return new Request(url, { method, headers, ...(body !== undefined && { body }) })
}
