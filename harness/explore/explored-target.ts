/**
 * The target of a run that was given an address, and no tables.
 *
 * @module
 */

import { nearest } from '../../spec/nearest.ts'
import { loadTables } from '../../spec/tables.ts'
import { ConfigurationError } from '../errors.ts'
import type { SessionOptions } from '../vocabulary/options.ts'
import type { Target } from '../vocabulary/target.ts'
import { configuredHeaders } from '../wire/configured-headers.ts'
import type { RequestCount } from '../wire/request-count.ts'
import { type Discovery, discover, foundNotes } from './discover.ts'

export interface Explored {
  target: Target
  /** What was found, one line each. */
  notes: string[]
  /** Absent if nothing was explored. */
  discovery?: Discovery
}

/**
 * The target with what was found at its address. What a target file says is kept: a role that it declares absent gets no
 * table. Tables with the names of spec/tables.yaml are left to the smoke check, which looks for them in any case.
 *
 * @param count of the run, which the requests are added to
 * @param stop ends the waiting for a turn
 * @throws ConfigurationError and StoppedError as `discover`
 */
export async function exploredTarget(
  target: Target,
  {
    headers,
    timeout,
    rate,
    concurrency,
  }: Pick<SessionOptions, 'headers' | 'timeout' | 'rate' | 'concurrency'>,
  count: RequestCount,
  stop?: AbortSignal,
): Promise<Explored> {
  const { bare, ...known } = target
  if (bare === undefined) return { target, notes: [] }
  const begin = performance.now()
  const discovery = await discover(target.baseUrl, {
    ...bare,
    headers: configuredHeaders(headers),
    timeout,
    rate,
    concurrency,
    count,
    superuser: target.credentials.superuser,
    stop: () => stop,
  })
  expectNamed(bare.names ?? [], discovery, target.baseUrl)
  const ours = new Set(loadTables().map(({ definition }) => definition.name))
  const isAbsent = (role: string) => target.absentTables?.includes(role) === true
  const tables = Object.entries(discovery.tables).filter(
    ([role, { name }]) => !ours.has(name) && !isAbsent(role),
  )
  return {
    target: {
      ...known,
      binding: { ...target.binding, prefix: discovery.prefix },
      tables: Object.fromEntries(tables),
      explored: {
        plain: isAbsent('plain') ? [] : discovery.plain,
        closed: isAbsent('plain') ? [] : discovery.closed,
        members: isAbsent('members') ? [] : discovery.members,
        relations: isAbsent('related') ? [] : discovery.relations,
        asked: discovery.asked,
        ms: performance.now() - begin,
      },
    },
    notes: foundNotes(discovery),
    discovery,
  }
}

/** @throws ConfigurationError for a name of the tester that no table has, before anything is written */
function expectNamed(names: readonly string[], { found }: Discovery, baseUrl: string): void {
  const there = found.map(({ name }) => name)
  const missing = names.find((name) => !there.includes(name))
  if (missing === undefined) return
  const near = nearest(missing, there)
  throw new ConfigurationError(
    `the server has no table "${missing}"`,
    `--table ${missing}, at ${baseUrl}`,
    near !== undefined
      ? `did you mean "${near}"?`
      : there.length === 0
        ? 'no table was found: correct --base-url or --prefix'
        : `tables that were found: ${there.join(', ')}`,
  )
}
