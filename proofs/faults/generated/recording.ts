/**
 * The traffic of a correct run: every exchange of the suite with the healthy reference, and the check that made it.
 *
 * @module
 */

import { setImmediate as turn } from 'node:timers/promises'
import { runInProcess } from '../../../harness/engine/run-in-process.ts'
import { planChecks } from '../../../harness/planning/plan.ts'
import type { SuiteCheck } from '../../../harness/planning/suites.ts'
import type { Smoke } from '../../../harness/vocabulary/report.ts'
import type { OperationId } from '../../../spec/vocabulary.ts'
import type { Middleware } from '../fault.ts'
import type { FaultyServer } from '../matrix/faulty-server.ts'
import type { Breach, Seen } from './breach.ts'
import { type Proving, settings } from './proving.ts'
import { readRequest, responded } from './read-request.ts'
import { nodesOf, type SchemaNode } from './schema-nodes.ts'

export interface RecordedTraffic {
  exchanges: readonly Seen[]
  /** By operation; exchanges of no operation are under `''`. */
  byOperation: ReadonlyMap<OperationId | '', readonly Seen[]>
  /** By operation, class of status and place of a key: `viewRecord 2xx email`. */
  places: ReadonlyMap<string, readonly Seen[]>
  /** Requests that a check takes. */
  requests: ReadonlyMap<string, number>
  smoke: Smoke
}

const nodes = new WeakMap<Seen, ReadonlyMap<string, readonly SchemaNode[]>>()

/** The keys of a response, by place. */
export function nodesByPlace(seen: Seen): ReadonlyMap<string, readonly SchemaNode[]> {
  const known = nodes.get(seen) ?? groupBy(nodesOf(seen), (node) => node.place)
  nodes.set(seen, known)
  return known
}

/** Runs the checks against the healthy reference. */
export async function record(
  server: FaultyServer,
  checks: readonly SuiteCheck[],
  proving: Proving,
  seed: number,
): Promise<RecordedTraffic> {
  const exchanges: Seen[] = []
  const requests = new Map<string, number>()
  const plan = planChecks(checks, proving.parts.requirements)
  let done = 0
  const underWay: Seen[] = []
  const watch: Middleware = async (request, next) => {
    const asked = { ...(await readRequest(request, server.reference)), check: plan[done]?.id ?? '' }
    for (const each of underWay) if (each.operation === asked.operation) asked.together = each.together = true
    underWay.push(asked)
    // Requests that are sent at once are to meet, as they would on a socket.
    await turn()
    const response = await next(request)
    const seen = responded(asked, response.status, await response.clone().text())
    underWay.splice(underWay.indexOf(asked), 1)
    seen.together = asked.together
    exchanges.push(seen)
    return response
  }
  await server.use({ make: () => watch })
  const { smoke } = (await runInProcess([], server.target, proving.parts, settings(seed))).session
  const { findings, errors } = await runInProcess(plan, proving.target, proving.parts, {
    ...settings(seed),
    smoke,
    onFinding({ requirement, requests: sent }) {
      requests.set(requirement, sent)
      done += 1
    },
  })
  const bad = findings.filter(({ status }) => status !== 'pass')
  if (bad.length + errors.length > 0)
    throw new Error(
      `The healthy reference does not pass: ${[...bad.map((each) => `${each.requirement}: ${each.status} ${each.message}`), ...errors.map(({ message }) => message)].slice(0, 5).join('; ')}`,
    )
  return { ...indexed(exchanges), requests, smoke }
}

function indexed(exchanges: Seen[]): Pick<RecordedTraffic, 'exchanges' | 'byOperation' | 'places'> {
  const places = new Map<string, Seen[]>()
  for (const seen of exchanges) {
    if (seen.operation === undefined) continue
    const outcome = outcomeOf(seen.status)
    for (const place of new Set(nodesOf(seen).map((node) => node.place)))
      add(places, `${seen.operation} ${outcome} ${place}`, seen)
  }
  return { exchanges, byOperation: groupBy(exchanges, ({ operation }) => operation ?? ''), places }
}

/** `2xx`, `4xx`. */
export function outcomeOf(status: number): string {
  return `${Math.floor(status / 100)}xx`
}

/** The recorded exchanges among which a breach has to look for its own. */
export function exchangesFor(recording: RecordedTraffic, { place, operation }: Breach): readonly Seen[] {
  if (place !== undefined) return recording.places.get(place) ?? []
  return operation === undefined ? recording.exchanges : (recording.byOperation.get(operation) ?? [])
}

function groupBy<Key, Value>(values: readonly Value[], keyOf: (value: Value) => Key): Map<Key, Value[]> {
  const groups = new Map<Key, Value[]>()
  for (const value of values) add(groups, keyOf(value), value)
  return groups
}

function add<Key, Value>(groups: Map<Key, Value[]>, key: Key, value: Value): void {
  const group = groups.get(key)
  if (group === undefined) groups.set(key, [value])
  else group.push(value)
}
