/**
 * The kill matrix: each fault against the checks that it says it trips. Proves that checks can fail and that faults
 * are seen. One process for each core takes its share; the result is the same for any number of them.
 *
 * @module
 */

import { loadSuites } from '../../../harness/planning/suites.ts'
import type { DeclaredFault } from '../fault.ts'
import { chosenBy } from './chosen-by.ts'
import type { FaultJob, FaultOutcome } from './fault-worker.ts'
import type { FaultMatrix, FaultRow } from './matrix.ts'
import { loadFaults } from './registry.ts'
import { runJobs } from './worker-pool.ts'

export interface MatrixOptions {
  /** @default 1 */
  seed?: number
  /** Only faults with one of these in their names or declared checks. @default all */
  texts?: readonly string[]
  /**
   * Only enough faults for each check to have one, and of those every n-th. The healthy reference is not
   * run.
   *
   * @default all faults
   */
  sample?: number
  /** @default one for each core, four at most */
  workers?: number
  /** In the order in which they are done. */
  onRow?: (row: FaultRow) => void
}

/** @throws Error when a text matches nothing */
export async function runFaults({
  seed = 1,
  texts = [],
  sample,
  workers,
  onRow,
}: MatrixOptions = {}): Promise<FaultMatrix> {
  const every = await loadFaults()
  const called = (text: string) =>
    every.filter(({ name, trips }) => [name, ...trips].some((each) => each.includes(text)))
  const all = chosenBy(texts, every, called, 'No fault is called, or trips,')
  const faults = sample === undefined ? all : onePerCheck(all).filter((_, at) => at % sample === 0)
  const declared = [...new Set(all.flatMap(({ trips }) => trips))]
  const rows = new Map<string, FaultRow>()
  const falseAlarms: string[] = []
  // The longest job first, so that no worker is left alone with it at the end.
  const jobs: FaultJob[] = [
    ...(sample !== undefined ? [] : [{ healthy: texts.length === 0 ? ('all' as const) : declared }]),
    ...faults.map(({ name }) => ({ fault: name })),
  ]

  function hear(response: FaultOutcome): void {
    if ('row' in response) {
      rows.set(response.row.fault, response.row)
      onRow?.(response.row)
    } else falseAlarms.push(...response.falseAlarms)
  }

  await runJobs({
    worker: new URL('./fault-worker.ts', import.meta.url),
    args: [String(seed)],
    jobs,
    onAnswer: hear,
    workers,
  })

  const ordered = faults.map(({ name }) => rows.get(name)).filter((row) => row !== undefined)
  const known = new Set((await loadSuites()).map(({ id }) => id))
  // What was left out might have tripped its checks.
  const leftOut = every.filter((fault) => !faults.includes(fault))
  const tripped = new Set([
    ...ordered.flatMap((row) => row.tripped),
    ...leftOut.flatMap(({ trips }) => trips),
  ])
  return {
    rows: ordered,
    falseAlarms,
    untripped: [...known].filter((id) => !tripped.has(id)),
    unknown: declared.filter((id) => !known.has(id)),
  }
}

/** Leaves out the faults whose checks all have one before them. */
function onePerCheck(faults: readonly DeclaredFault[]): DeclaredFault[] {
  const covered = new Set<string>()
  return faults.filter(({ trips }) => {
    const isNeeded = trips.some((id) => !covered.has(id))
    for (const id of trips) covered.add(id)
    return isNeeded
  })
}
