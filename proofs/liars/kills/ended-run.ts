/**
 * One run of the command that is ended in the middle, at a certain request, and what the next run makes of what it left.
 *
 * @module
 */

import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { cpSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Reference } from '../../../reference/reference.ts'
import { builtCommand } from '../../../scripts/support/command.ts'
import { userEnvironment } from '../../../scripts/support/user-environment.ts'
import { withToken } from '../../faults/combinators/auth.ts'
import type { FaultTools, Middleware, Next } from '../../faults/fault.ts'
import { type FaultyServer, startFaultyServer } from '../../faults/matrix/faulty-server.ts'
import { ForeignRecords } from '../foreign-records.ts'
import type { Liar } from '../liar.ts'
import { idMaker } from '../matrix/id-maker.ts'
import { FOREIGN_PER_TABLE, populate } from '../matrix/populate.ts'

export interface EndedRun {
  /** The request at which the run was ended; absent if it was left alone. */
  point?: number
  /** Requests of the run. */
  requests: number
  /** Its exit code, or the signal that ended it. */
  ended: number | string
  /** Records of the run that existed when its process had ended. */
  left: string[]
  /** Foreign records that the run, and the next one on the same database, lost or changed. */
  damaged: string[]
  /** Records of the run that were still there after the next run. */
  remaining: string[]
  /** Foreign records of another database with the same ids that the next run lost or changed. */
  damagedElsewhere: string[]
}

export interface RunEnder {
  /**
   * Runs the command and ends it.
   *
   * @param point the request at which it is ended, from 1. The request is carried out; with SIGKILL, its response is sent
   * only after the process has ended
   */
  end(signal: 'SIGKILL' | 'SIGINT', point?: number): Promise<EndedRun>
  close(): Promise<void>
}

/** Writes of each kind, and few of each: the runs are many. */
const only = [
  'auth.password-sign-in',
  'batch.across-tables',
  'batch.parent-with-children',
  'create.persists',
  'delete.only-one',
  'file.replaces',
  'list.total-follows-writes',
  'relation.leads-to-record',
  'update.only-one',
  'unique.freed',
]

/** @param front in front of the reference during the run that is ended. @default an honest server */
export async function startRunEnder(seed: number, front?: Liar): Promise<RunEnder> {
  const folder = mkdtempSync(join(tmpdir(), 'ended-'))
  const { server, asks } = await startCounting(seed)
  // Twice as many records, with other values: what the run created has the ids of some of them.
  const { server: elsewhere, asks: asksElsewhere } = await startCounting(seed + 1, 2 * FOREIGN_PER_TABLE)
  const { baseUrl, name, profile, tables, credentials, hooks } = server.target
  const target = join(folder, 'target.json')
  const mapped = Object.fromEntries(
    Object.entries(tables).map(([role, { name, id }]) => [role, { name, id }]),
  )
  writeFileSync(target, JSON.stringify({ baseUrl, name, profile, tables: mapped, credentials, hooks }))
  let runs = 0

  /** @param state folder of the journals */
  function begin(state: string, checks: readonly string[]) {
    const args = ['--target', target, '--seed', String(seed), '--runs', '0.1', '--quiet']
    const child = spawn(
      process.execPath,
      [builtCommand, ...args, ...checks.flatMap((id) => ['--only', id])],
      {
        cwd: folder,
        env: { ...userEnvironment(), CONFORMANCE_STATE_DIR: state },
        stdio: ['ignore', 'ignore', 'inherit'],
      },
    )
    const exited = once(child, 'exit').then(([code, signal]) => (code ?? signal) as number | string)
    return { child, exited }
  }

  /** The next run, on any server: it reads the journals first. */
  async function next(state: string, middleware: Middleware): Promise<void> {
    await server.use({ make: () => middleware })
    const code = await begin(state, ['view.record']).exited
    if (code !== 0) throw new Error(`The run after the one that was ended has exit code ${code}.`)
  }

  return {
    async end(signal, point) {
      const state = join(folder, `state-${++runs}`)
      let requests = 0
      let foreign: ForeignRecords | undefined
      let run: ReturnType<typeof begin> | undefined
      await server.use({
        make(tools) {
          foreign = new ForeignRecords(tools.reference)
          const inner = frontOf(front, tools, foreign)
          return async (request, next) => {
            requests += 1
            const ends = requests === point
            const response = await inner(request, next)
            if (ends) run?.child.kill(signal)
            if (ends && signal === 'SIGKILL') await run?.exited
            return response
          }
        },
      })
      if (foreign === undefined) throw new Error('The server was not asked for its records.')
      const first = server.reference
      asks(first)
      run = begin(state, only)
      const ended = await run.exited
      const left = placesOf(foreign)
      const damaged = damageOf(foreign)

      await elsewhere.use()
      asksElsewhere(elsewhere.reference)
      const others = new ForeignRecords(elsewhere.reference)
      // Where nothing is noted, the next run is like the first.
      if (readdirSync(state).length > 0) {
        cpSync(state, `${state}-elsewhere`, { recursive: true })
        await next(`${state}-elsewhere`, proxyTo(elsewhere))
        await next(state, (request) => first.fetch(request))
      }
      return {
        point,
        requests,
        ended,
        left,
        damaged: [...new Set([...damaged, ...damageOf(foreign)])],
        remaining: placesOf(foreign),
        damagedElsewhere: damageOf(others),
      }
    },
    async close() {
      await Promise.all([server.close(), elsewhere.close()])
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

interface CountingServer {
  server: FaultyServer
  /** Says from which copy records are requested from now on: its next ids follow from its records. */
  asks(reference: Reference): void
}

/** A server whose ids count in each table. */
async function startCounting(seed: number, count?: number): Promise<CountingServer> {
  let asked: Reference | undefined
  const ids = idMaker('per table', () => asked)
  const server = await startFaultyServer(seed, {
    populate: (reference) => populate(reference, count),
    ids,
  })
  return {
    server,
    asks(reference) {
      asked = reference
    },
  }
}

function frontOf(front: Liar | undefined, tools: FaultTools, foreign: ForeignRecords): Middleware {
  return front?.make({ ...tools, foreign }) ?? ((request: Request, next: Next) => next(request))
}

/** Another database at the same address: its superuser has another token. */
function proxyTo({ reference, target }: FaultyServer): Middleware {
  const { token } = target.credentials.superuser ?? {}
  return async (request) =>
    reference.fetch(request.headers.has('authorization') ? await withToken(request, token) : request)
}

const placesOf = (foreign: ForeignRecords) => foreign.others().map(({ table, id }) => `${table}/${id}`)

function damageOf(foreign: ForeignRecords): string[] {
  const { lost, changed } = foreign.damage()
  return [...lost, ...changed]
}
