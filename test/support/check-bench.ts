/**
 * Checks against a server of a few lines that can be told to misbehave.
 *
 * @module
 */

import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, beforeEach } from 'vitest'
import { type CheckOutcome, type CheckRun, runCheck } from '../../harness/judging/run-check.ts'
import { createSession } from '../../harness/session/create-session.ts'
import type { CheckBody } from '../../harness/vocabulary/check.ts'
import type { SessionOptions } from '../../harness/vocabulary/options.ts'
import type { Session } from '../../harness/vocabulary/session.ts'
import type { Target } from '../../harness/vocabulary/target.ts'
import type { Pause } from '../../harness/wire/transport.ts'
import type { Need } from '../../spec/vocabulary.ts'
import { madeUpRequirement } from './made-up-requirement.ts'
import { startTestServer, type TestServer } from './test-server.ts'

/** What makes a response to a create a whole record. */
const everyRecord = {
  collectionId: 'plain',
  collectionName: 'plain',
  created: '2024-02-29 12:00:00.000Z',
  updated: '2024-02-29 12:00:00.000Z',
}

const requirements = new Map(
  [
    madeUpRequirement('a.must'),
    madeUpRequirement('a.should', { level: 'SHOULD' }),
    madeUpRequirement('a.profile', { basis: 'profile', sources: [], gap: 'list.paging' }),
    madeUpRequirement('a.after', { after: ['a.must'] }),
    madeUpRequirement('needs.batch', { needs: ['write', 'capability:batch'] }),
    ...(['table:nowhere', 'capability:teleport', 'actor:nobody', 'hook:clock'] as Need[]).map((need) =>
      madeUpRequirement(`needs.${need.split(':')[0]}`, { needs: [need] }),
    ),
  ].map((each) => [each.id, each]),
)

export const plain = { role: 'plain', name: 'plain' }

/** Milliseconds in which a busy machine answers, too: for tests in which something is never answered. */
export const timeout = 750

interface Misbehavior {
  /** Answers nothing but whether it lives. */
  hang: boolean
  /** Answers nothing. */
  gone: boolean
  refuseDeletes: boolean
  /** Creates, and does not say so. */
  mute: boolean
}

export interface CheckBench extends Misbehavior {
  readonly session: Session
  readonly records: ReadonlyMap<string, Record<string, unknown>>
  /** Begins a session, instead of the one before. */
  start(options?: Partial<SessionOptions>, target?: Partial<Target>): Promise<void>
  run(id: string, body: CheckBody, more?: Partial<CheckRun>): Promise<CheckOutcome>
  /** Ends the server. */
  stop(): void
}

/** The server here does not recover, so no test has to wait as long as a run does. */
const pause: Pause = (ms, signal) => sleep(Math.min(ms, 20), undefined, { signal })

/** A bench for the tests of one file: before each of them it is as new. */
export function checkBench(): CheckBench {
  const records = new Map<string, Record<string, unknown>>()
  const wellBehaved: Misbehavior = { hang: false, gone: false, refuseDeletes: false, mute: false }
  let server: TestServer
  let session: Session | undefined
  let next = 0

  const bench: CheckBench = {
    ...wellBehaved,
    records,
    get session() {
      if (session === undefined) throw new Error('there is no session outside of a test')
      return session
    },
    async start(options = {}, target = {}) {
      const complete: Target = {
        baseUrl: server.url,
        profile: 'standard',
        binding: { prefix: '/api/v1' },
        capabilities: {},
        tables: { plain },
        credentials: { superuser: { token: 'the-token-of-the-superuser' } },
        ...target,
      }
      await session?.close()
      session = createSession(complete, { requirements, pause }, { seed: 5, ...options })
    },
    run: (id, body, more = {}) => runCheck({ id, body }, bench.session, { earlier: new Map(), ...more }),
    stop: () => server.close(),
  }

  beforeEach(async () => {
    records.clear()
    Object.assign(bench, wellBehaved)
    next = 0
    server = await startTestServer(async (request, response) => {
      if (bench.gone) return
      if (bench.hang && request.url !== '/api/v1/') return
      let text = ''
      for await (const chunk of request) text += chunk
      const { pathname, searchParams } = new URL(request.url ?? '', 'http://127.0.0.1')
      const id = pathname.split('/').at(-1) ?? ''
      const send = (status: number, body?: unknown) => {
        response.writeHead(status, { 'content-type': 'application/json' })
        response.end(body === undefined ? undefined : JSON.stringify(body))
      }
      if (request.method === 'POST') {
        const record = { ...everyRecord, id: `r${next++}`, ...JSON.parse(text) }
        if (record.title === '') return send(400, { status: 400 })
        records.set(record.id, record)
        if (bench.mute) return void request.socket.destroy()
        return send(200, searchParams.has('fields') ? { title: record.title } : record)
      }
      if (request.method === 'DELETE' && bench.refuseDeletes)
        return send(409, { no: request.headers.authorization })
      if (request.method === 'DELETE') return send(records.delete(id) ? 204 : 404)
      if (pathname.endsWith('/records'))
        return send(200, { page: 1, perPage: 500, totalPages: 1, items: [...records.values()] })
      return records.has(id) ? send(200, records.get(id)) : send(404, { status: 404 })
    })
    await bench.start()
  })

  afterEach(async () => {
    await session?.close()
    server.close()
  })

  return bench
}
