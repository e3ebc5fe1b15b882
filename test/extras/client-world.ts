/**
 * The official client as an application has it: unmodified, with the `EventSource` polyfill that its own manual names,
 * inside the process and over a socket.
 *
 * @module
 */

import { EventSource } from 'eventsource'
import PocketBase, { BaseAuthStore } from 'pocketbase'
import { vi } from 'vitest'
import { createReference } from '../../reference/reference.ts'
import { chatTables } from './chat-tables.ts'

export const superuser = { email: 'root@example.com', password: 'rootpass123' }

const options = { tables: chatTables, prefix: '/api', passwordCost: 4, superusers: [superuser] }

/** A reference of its own, and clients that reach it in one of the two ways. */
export async function startWorld(way: 'inside the process' | 'over a socket') {
  const reference = createReference(options)
  const url = way === 'over a socket' ? (await reference.listen()).url : 'http://chat.test'
  const fetch = way === 'over a socket' ? globalThis.fetch : reference.fetch
  vi.stubGlobal(
    'EventSource',
    class extends EventSource {
      constructor(address: string | URL) {
        super(address, { fetch: (input, init) => fetch(input, init as RequestInit) })
      }
    },
  )

  const clients: PocketBase[] = []
  function client(): PocketBase {
    const made = new PocketBase(url, new BaseAuthStore()).autoCancellation(false)
    made.beforeSend = (address, sent) => ({ url: address, options: { ...sent, fetch } })
    clients.push(made)
    return made
  }

  /** A client that is signed in as a new user. */
  async function signedIn(nick: string) {
    const made = client()
    const email = `${nick}@example.com`
    const password = 'password1'
    await reference.records.create('users', { email, password, nick, verified: true })
    const { record } = await made.collection('users').authWithPassword(email, password)
    return { client: made, id: record.id, email, password }
  }

  return {
    reference,
    url,
    fetch,
    client,
    signedIn,
    async close() {
      for (const one of clients) await one.realtime.unsubscribe()
      vi.unstubAllGlobals()
      await reference.close()
    },
  }
}

export type ClientWorld = Awaited<ReturnType<typeof startWorld>>
