/**
 * Runs the suite against one liar after the other, each in front of a fresh copy of the populated reference.
 *
 * @module
 */

import { runInProcess } from '../../../harness/engine/run-in-process.ts'
import { planChecks } from '../../../harness/planning/plan.ts'
import { loadSuites } from '../../../harness/planning/suites.ts'
import type { Target } from '../../../harness/vocabulary/target.ts'
import { servicesOf } from '../../../reference/services-of.ts'
import { loadRequirements } from '../../../spec/requirements.ts'
import type { FaultTools, Middleware } from '../../faults/fault.ts'
import { type FaultyServer, startFaultyServer } from '../../faults/matrix/faulty-server.ts'
import { ForeignRecords } from '../foreign-records.ts'
import type { IdScheme, Liar } from '../liar.ts'
import { checksAgainst, type LiarExtent } from './checks-against.ts'
import { idMaker } from './id-maker.ts'
import { type LiarMode, type LiarRow, liarRow } from './liar-row.ts'
import { populate } from './populate.ts'
import { loadLiars } from './registry.ts'

/** Milliseconds. Waiting for an email that a lie prevents teaches nothing. */
const impatient = { quiet: 50, patience: 500 }

export interface LiarRunner {
  row(liar: string, mode: LiarMode): Promise<LiarRow>
  close(): Promise<void>
}

export interface LiarRunnerOptions {
  seed: number
  extent: LiarExtent
}

export async function startLiarRunner({ seed, extent }: LiarRunnerOptions): Promise<LiarRunner> {
  const checks = await loadSuites()
  const liars = await loadLiars()
  const parts = { requirements: loadRequirements() }
  const settings = { seed, quick: true, runs: extent === 'whole' ? 0.2 : 0.1, checkTimeout: 30_000 }
  const servers = new Map<IdScheme, Promise<FaultyServer>>()

  /** One for each scheme: its foreign records have ids of the scheme, too. */
  function serverWith(scheme: IdScheme): Promise<FaultyServer> {
    const known = servers.get(scheme)
    if (known !== undefined) return known
    let started: FaultyServer | undefined
    const ids = idMaker(scheme, () => started?.reference)
    const starting = startFaultyServer(seed, { populate, ids })
    const server = starting.then((each) => {
      started = each
      return each
    })
    servers.set(scheme, server)
    return server
  }

  return {
    async row(name, mode) {
      const position = liars.findIndex((each) => each.name === name)
      const liar = liars[position]
      if (liar === undefined) throw new Error(`There is no liar "${name}".`)
      const server = await serverWith(liar.ids ?? 'random')
      const foreign = await face(server, liar)
      const selected = checksAgainst(liar, position, checks, extent)
      const begin = performance.now()
      const run = await runInProcess(
        planChecks(selected, parts.requirements),
        { ...(mode === 'bare' ? bare(server.target) : server.target), mail: impatient },
        parts,
        settings,
      ).catch((error: Error) => error)
      return liarRow(liar, mode, {
        run,
        foreign,
        nameOf: (table) => servicesOf(server.reference).store.current.table(table)?.name ?? table,
        ms: performance.now() - begin,
      })
    },
    async close() {
      for (const server of servers.values()) await (await server).close()
    },
  }
}

/** Puts the liar behind the socket. @returns the records that exist before the first request */
async function face(server: FaultyServer, liar: Liar): Promise<ForeignRecords> {
  let middleware: Middleware | undefined
  let tools: FaultTools | undefined
  await server.use({
    make(given) {
      tools = given
      return (request, next) => (middleware === undefined ? next(request) : middleware(request, next))
    },
  })
  if (tools === undefined) throw new Error('The server did not take the liar.')
  if (liar.more !== undefined) await server.reference.make(liar.more.table, liar.more.count)
  const foreign = new ForeignRecords(server.reference)
  middleware = liar.make({ ...tools, foreign })
  return foreign
}

function bare({ profile: _profile, credentials, ...target }: Target): Target {
  const { superuser: _superuser, ...others } = credentials
  return { ...target, credentials: others }
}
