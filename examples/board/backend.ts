/**
 * What the tests of the application talk to: the reference inside the process, unless `BOARD_BACKEND` names a module
 * that starts another server.
 *
 * @module
 */

import PocketBase, { BaseAuthStore } from 'pocketbase'
import { createReference } from 'record-auth-conformance/reference'
import { tables } from './tables.ts'

export interface Backend {
  /** A client with a session of its own. */
  client(): PocketBase
  /** The token of the newest verification email to an address. */
  verificationToken(to: string): Promise<string>
  stop(): Promise<void>
}

async function inProcess(): Promise<Backend> {
  const reference = createReference({ tables, prefix: '/api' })
  return {
    client() {
      const client = new PocketBase('http://board.test', new BaseAuthStore()).autoCancellation(false)
      // The only line that makes it work without a socket.
      client.beforeSend = (url, options) => ({ url, options: { ...options, fetch: reference.fetch } })
      return client
    },
    async verificationToken(to) {
      const { token = '' } = await reference.mail.waitFor({ to, kind: 'verification' })
      return token
    },
    stop: () => reference.close(),
  }
}

export async function startBackend(): Promise<Backend> {
  const other = process.env.BOARD_BACKEND
  if (other === undefined) return inProcess()
  const { startBackend: start } = (await import(other)) as { startBackend: () => Promise<Backend> }
  return start()
}
