/**
 * The living server and the reference side by side, for what is not part of the document: downloads, realtime, health.
 * What is random (stored names, tokens, connections) is named by what it represents.
 *
 * @module
 */

import { Pool } from 'undici'
import { createReference } from '../../reference/reference.ts'
import type { LivingServer } from '../../scripts/living/living-server.ts'
import type { TableDefinition } from '../../spec/table-definition.ts'

export interface ExtrasRequest {
  method?: string
  /** Behind `/api`. `<name>` represents what was learned under this name. */
  path: string
  headers?: Record<string, string>
  /** JSON, or what a form holds. */
  body?: unknown
}

export interface ExtrasResponse {
  status: number
  headers: Record<string, unknown>
  text: string
}

/** One of the two servers. */
export interface ExtrasSide {
  /** Gives a random value a name, which represents it in requests and in what is compared. */
  learn(name: string, value: string): void
  send(request: ExtrasRequest): Promise<ExtrasResponse>
  /** Opens a stream of events, and learns the id of its connection. */
  listen(name: string): Promise<void>
  /** What came since the last call, by connection, once nothing comes any more. */
  heard(): Promise<string[]>
}

/** Headers that a client sees and that do not depend on the moment. The entity tag is ours alone. */
const compared = [
  'accept-ranges',
  'cache-control',
  'content-disposition',
  'content-length',
  'content-range',
  'content-security-policy',
  'content-type',
  'vary',
  'x-accel-buffering',
  'x-content-type-options',
  'x-frame-options',
  'x-xss-protection',
]

/** The order of keys says nothing. */
function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted)
  if (typeof value !== 'object' || value === null) return value
  const entries = Object.entries(value).sort(([one], [other]) => (one < other ? -1 : 1))
  return Object.fromEntries(entries.map(([name, inner]) => [name, sorted(inner)]))
}

function canonical(json: string): string {
  return JSON.stringify(sorted(JSON.parse(json)))
}

/** Milliseconds without an event after which none is expected any more. */
const quiet = 250

function makeSide(origin: string, signal: AbortSignal): ExtrasSide {
  const pool = new Pool(origin)
  signal.addEventListener('abort', () => void pool.destroy())
  const learned = new Map<string, string>()
  const events: string[] = []
  let last = 0
  const known = (text: string) => {
    return [...learned].reduce((written, [name, value]) => written.replaceAll(`<${name}>`, value), text)
  }
  const masked = (text: string) => {
    const named = [...learned].reduce(
      (written, [name, value]) => written.replaceAll(value, `<${name}>`),
      text,
    )
    return named
      .replace(/\d{4}-\d\d-\d\d \d\d:\d\d:\d\d\.\d{3}Z/g, '<time>')
      .replace(/\b[0-9a-f]{60}\b/g, '<boundary>')
  }
  return {
    learn: (name, value) => void learned.set(name, value),
    async send({ method = 'GET', path, headers = {}, body }) {
      const form = body instanceof FormData
      const all = Object.entries(headers).map(([name, value]) => [name, known(value)])
      const response = await fetch(`${origin}/api${known(path)}`, {
        method,
        headers: {
          ...(body !== undefined && !form && { 'content-type': 'application/json' }),
          ...Object.fromEntries(all),
        },
        ...(body !== undefined && { body: form ? body : known(JSON.stringify(body)) }),
        redirect: 'manual',
      })
      const shown = compared.flatMap((name) => {
        const value = response.headers.get(name)
        return value === null ? [] : [[name, masked(value)]]
      })
      const shownHeaders = Object.fromEntries(shown)
      const text = await response.text()
      const isJson = shownHeaders['content-type'] === 'application/json'
      // Tokens differ in length, and our headers of HEAD have no length for JSON.
      if (isJson && 'content-security-policy' in shownHeaders === false) delete shownHeaders['content-length']
      return {
        status: response.status,
        headers: shownHeaders,
        text: masked(isJson && text !== '' ? canonical(text) : text),
      }
    },
    async listen(name) {
      const { body } = await pool.request({ method: 'GET', path: '/api/realtime' })
      body.on('error', () => {})
      const reader = body[Symbol.asyncIterator]()
      let buffer = String((await reader.next()).value)
      learned.set(name, /^id:(\w{40})\nevent:PB_CONNECT\n/.exec(buffer)?.[1] ?? '')
      last = Date.now()
      void (async () => {
        for (;;) {
          const frames = buffer.split('\n\n')
          buffer = frames.pop() ?? ''
          events.push(...frames)
          last = Date.now()
          const { done, value } = await reader.next()
          if (done) return
          buffer += String(value)
        }
      })().catch(() => {})
    },
    async heard() {
      last = Date.now()
      while (Date.now() - last < quiet) await new Promise((resolve) => setTimeout(resolve, 50))
      // The family sends the events of one change in no particular order.
      const canonicalEvents = events.splice(0).map((frame) => {
        const [head, data = ''] = frame.split('\ndata:')
        return `${head}\ndata:${canonical(data)}`
      })
      return canonicalEvents.map(masked).sort()
    },
  }
}

/** Both with these tables and batch allowed. The superuser's session is learned as `root`. */
export async function startExtrasPair(server: LivingServer, tables: readonly TableDefinition[]) {
  const { identity: email, password } = server.superuser
  await server.acceptBatches()
  await server.call('PUT', '/api/collections/import', { collections: tables, deleteMissing: false })
  const reference = createReference({ tables, prefix: '/api', superusers: [{ email, password }] })
  const { url } = await reference.listen()
  const ending = new AbortController()
  const [living, ours] = [makeSide(server.baseUrl, ending.signal), makeSide(url, ending.signal)]
  const root = await reference.records.find('_superusers', { email })
  living.learn('root', server.token)
  ours.learn('root', await reference.tokenFor('_superusers', String(root?.id)))
  return {
    sides: [living, ours] as const,
    async close() {
      ending.abort()
      await reference.close()
    },
  }
}
