/**
 * Hooks in this process, offered over loopback HTTP to the worker that runs the checks.
 *
 * @module
 */

import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { messageOf } from '../errors.ts'

/** A hook is a function from JSON to JSON. */
export type Hook = (input: Record<string, unknown>) => Promise<unknown> | unknown

/** Hooks that are functions, and those that are addresses or paths. */
export function hooksOf(hooks: unknown): [Record<string, Hook>, Record<string, string>] {
  const functions: Record<string, Hook> = {}
  const addresses: Record<string, string> = {}
  for (const [name, hook] of Object.entries((hooks ?? {}) as Record<string, unknown>)) {
    if (typeof hook === 'function') functions[name] = hook as Hook
    else addresses[name] = hook as string
  }
  return [functions, addresses]
}

export interface HookServer {
  /** Name → address, ready for `Target.hooks`. */
  hooks: Record<string, string>
  close(): Promise<void>
}

const ownPath = '/conformance-hooks-'

/** Whether an address is one of `serveHooks`, of this process or another. */
export function isOwnHook(address: string): boolean {
  return new URL(address).pathname.startsWith(ownPath)
}

/**
 * Serves hooks on a free port of 127.0.0.1, under an unguessable path: some of them create credentials. Without hooks,
 * nothing listens.
 */
export async function serveHooks(hooks: Readonly<Record<string, Hook>>): Promise<HookServer> {
  const names = Object.keys(hooks)
  if (names.length === 0) return { hooks: {}, close: async () => {} }
  const path = `${ownPath}${randomBytes(18).toString('base64url')}`
  const server = createServer(async (request, response) => {
    const [, key, name = ''] = (request.url ?? '').split('/')
    const hook =
      `/${key}` === path && request.method === 'POST' && names.includes(name) ? hooks[name] : undefined
    const send = (status: number, body: unknown) => {
      // Before the head: the result of a hook may not be JSON, and a head cannot be sent twice.
      const text = JSON.stringify(body ?? null)
      response.writeHead(status, { 'content-type': 'application/json' })
      response.end(text)
    }
    if (hook === undefined) return send(404, { error: `unknown hook "${name}"` })
    try {
      send(200, await hook(await inputOf(request)))
    } catch (error) {
      send(500, { error: messageOf(error) })
    }
  })
  // Node takes its own listeners away where a connection changes its protocol: a reset would then end the process.
  server.on('connection', (socket) => socket.on('error', () => {}))
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  return {
    hooks: Object.fromEntries(names.map((name) => [name, `http://127.0.0.1:${port}${path}/${name}`])),
    async close() {
      server.closeAllConnections()
      await new Promise<void>((resolve) => server.close(() => resolve()))
    },
  }
}

async function inputOf(request: IncomingMessage): Promise<Record<string, unknown>> {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk as Buffer)
  return JSON.parse(Buffer.concat(chunks).toString('utf8') || '{}') as Record<string, unknown>
}
