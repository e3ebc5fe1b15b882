/**
 * A server process as a target: HTTP over real sockets. A process that has ended is started again for the next session.
 *
 * @module
 */

import { Agent, type IncomingMessage, request as openRequest } from 'node:http'
import { Misbehaved } from '../misbehaved.ts'
import type { FuzzedRequest, FuzzSession, FuzzTarget, ReceivedResponse } from '../vocabulary.ts'
import { createPrototypeWatch } from './prototype-watch.ts'
import type { ServerProcess, StartServer } from './server-process.ts'

/** Milliseconds. */
const patience = 30_000
const slow = 150
const noted = 50

/** Keeps one server running and gives it out. */
export function serverKeeper(start: StartServer, stateFile: string) {
  let server: ServerProcess | undefined
  return {
    async running(): Promise<ServerProcess> {
      if (server?.ended() !== undefined) server = undefined
      server ??= await start(stateFile)
      return server
    },
    /** Ends a server that can no longer be used; the next call of `running` starts another. */
    async stop(): Promise<void> {
      await server?.stop()
      server = undefined
    },
  }
}

export function socketTarget(start: StartServer, stateFile: string): FuzzTarget {
  const keeper = serverKeeper(start, stateFile)
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  const prototypes = createPrototypeWatch()
  return {
    async start(): Promise<FuzzSession> {
      const server = await keeper.running()
      await server.reset()
      return {
        async send(request) {
          server.longestBlock()
          const begin = performance.now()
          try {
            const response = await exchange(server, agent, request)
            // A block is noted once it is over, which is after the response.
            if (performance.now() - begin > slow) await new Promise((resolve) => setTimeout(resolve, noted))
            return { ...response, cpu: server.longestBlock() }
          } catch (error) {
            if (error instanceof Misbehaved && error.class === 'hang') await keeper.stop()
            // A process needs a moment to end.
            await new Promise((resolve) => setTimeout(resolve, 100))
            throw server.ended() ?? error
          }
        },
        newestMail: () => server.newestMail(),
        async troubles() {
          const ended = server.ended()
          if (ended !== undefined) throw ended
          return [...server.troubles(), ...prototypes()]
        },
      }
    },
    async close() {
      agent.destroy()
      await keeper.stop()
    },
  }
}

async function exchange(
  { url }: ServerProcess,
  agent: Agent,
  { method, path, headers, body }: FuzzedRequest,
): Promise<Omit<ReceivedResponse, 'cpu'>> {
  const place = path.split('?')[0] ?? ''
  const incoming = await new Promise<IncomingMessage>((resolve, reject) => {
    const length = body === undefined ? {} : { 'content-length': body.byteLength }
    const options = { agent, method, path, headers: { ...headers, ...length }, insecureHTTPParser: false }
    const { hostname, port } = new URL(url)
    const outgoing = openRequest({ ...options, host: hostname, port }, resolve)
    outgoing.setTimeout(patience, () =>
      outgoing.destroy(new Misbehaved('hang', place, 'no response in time')),
    )
    outgoing.once('error', (error: NodeJS.ErrnoException) => {
      if (error instanceof Misbehaved) return reject(error)
      reject(new Misbehaved('protocol', `${place} ${error.code}`, `no response: ${error.message}`))
    })
    outgoing.end(body)
  })
  const chunks: Buffer[] = []
  try {
    for await (const chunk of incoming) chunks.push(chunk as Buffer)
  } catch (error) {
    throw new Misbehaved('protocol', `${place} cut`, `the response was cut: ${String(error)}`)
  }
  const named = Object.entries(incoming.headers).map(([name, value]) => [name, String(value)])
  return { status: incoming.statusCode ?? 0, headers: Object.fromEntries(named), body: Buffer.concat(chunks) }
}
