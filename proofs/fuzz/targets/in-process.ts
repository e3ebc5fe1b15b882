/**
 * The reference inside this process, a fork for every session.
 *
 * @module
 */

import type { Reference } from '../../../reference/reference.ts'
import { startBlockMeter } from '../block-meter.ts'
import { Misbehaved } from '../misbehaved.ts'
import type { FuzzedRequest, FuzzSession, FuzzTarget, ReceivedResponse } from '../vocabulary.ts'
import { createPrototypeWatch } from './prototype-watch.ts'

/** Milliseconds. Ample: a busy machine does not make a server hang. */
const patience = 30_000
const origin = 'http://127.0.0.1'

/** What went wrong without a response that says so; emptied by who reads it. */
export interface TroubleLog {
  readonly entries: string[]
  add(trouble: unknown): void
}

export function createTroubleLog(): TroubleLog {
  const entries: string[] = []
  return {
    entries,
    add: (trouble) => {
      if (isHint(trouble)) return
      entries.push(trouble instanceof Error ? (trouble.stack ?? trouble.message) : String(trouble))
    },
  }
}

/** What the reference says to the author of a test who has forgotten a step. The client gets a 400. */
export const isHint = (trouble: unknown): boolean => /was set: call oauth2\.next/.test(String(trouble))

export function inProcessTarget(reference: Reference, log: TroubleLog): FuzzTarget {
  const prototypes = createPrototypeWatch()
  return {
    async start(): Promise<FuzzSession> {
      const fork = reference.fork()
      fork.clock.freeze()
      let person = 0
      return {
        async send(request) {
          // Any code that comes next belongs to this person.
          if (request.path.includes('auth-with-oauth2')) {
            person += 1
            fork.oauth2.next({ sub: `sub${person % 3}`, email: `person${person % 3}@mail.example` })
          }
          return exchange(fork, request)
        },
        async newestMail() {
          // Emails are sent behind the response.
          for (let turn = 0; turn < 4; turn++) await new Promise(setImmediate)
          return fork.mail.outbox.at(-1)
        },
        troubles: async () => [...log.entries.splice(0), ...prototypes()],
        async state() {
          const { tables, records } = await fork.exportState()
          const own = tables.filter(({ system }) => !system).map(({ id = '' }) => [id, records[id]])
          return JSON.stringify(own)
        },
      }
    },
    close: () => reference.close(),
  }
}

async function exchange(reference: Reference, request: FuzzedRequest): Promise<ReceivedResponse> {
  const { method, path, headers, body } = request
  const made = new Request(origin + path, {
    method,
    headers,
    ...(body !== undefined && { body: body as Uint8Array<ArrayBuffer> }),
  })
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_, reject) => {
    const hang = new Misbehaved('hang', path.split('?')[0] ?? '', `no response within ${patience / 1000} s`)
    timer = setTimeout(() => reject(hang), patience)
  })
  const longestBlock = startBlockMeter()
  try {
    const response = await Promise.race([reference.fetch(made), late])
    const bytes = new Uint8Array(await Promise.race([response.arrayBuffer(), late]))
    const cpu = longestBlock()
    return { status: response.status, headers: Object.fromEntries(response.headers), body: bytes, cpu }
  } finally {
    longestBlock()
    clearTimeout(timer)
  }
}
