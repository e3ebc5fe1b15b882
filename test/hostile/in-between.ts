/**
 * A server before the embedded reference that changes its responses.
 *
 * @module
 */

import { request as undici } from 'undici'
import { startEmbedded } from '../../harness/target/embedded.ts'
import type { Target } from '../../harness/vocabulary/target.ts'
import { startTestServer } from '../support/test-server.ts'

export interface InBetween {
  target: Target
  close(): Promise<void>
}

/** @param change of a body; if it returns the body unchanged, that is sent */
export async function startInBetween(
  change: (body: string, request: { method: string; url: string }) => string,
): Promise<InBetween> {
  const { target, close } = await startEmbedded({ seed: 1 })
  const server = await startTestServer(async (request, response) => {
    const { method = 'GET', url = '', headers } = request
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk as Buffer)
    const { host: _host, connection: _connection, 'content-length': _length, ...passed } = headers
    // Unlike fetch it sends bodies with GET, as some checks do.
    const answer = await undici(target.baseUrl + url, {
      method: method as 'GET',
      headers: passed,
      body: chunks.length === 0 ? null : Buffer.concat(chunks),
    })
    const body = change(await answer.body.text(), { method, url })
    const { 'content-type': type = 'text/plain' } = answer.headers
    response.writeHead(answer.statusCode, { 'content-type': type })
    response.end(answer.statusCode === 204 || method === 'HEAD' ? undefined : body)
  })
  return {
    target: { ...target, baseUrl: server.url },
    async close() {
      server.close()
      await close()
    },
  }
}
