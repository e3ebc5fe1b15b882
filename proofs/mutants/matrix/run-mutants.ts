/**
 * Runs mutants, each in a process of its own.
 *
 * @module
 */

import { availableParallelism } from 'node:os'
import { runJobs } from '../../faults/matrix/worker-pool.ts'
import type { Mutant } from '../mutant.ts'
import type { MutantJob } from './mutant-process.ts'
import type { MutantRow } from './run-mutant.ts'

const worker = new URL('./mutant-process.ts', import.meta.url)

export interface MutantsOptions {
  /** @default 1 */
  seed?: number
  /** All checks against each, instead of those that it declares. @default false */
  whole?: boolean
  /** In the order in which they are done. */
  onRow?: (row: MutantRow) => void
}

/** @returns a row for each, in the order of the mutants */
export async function runMutants(
  mutants: readonly Mutant[],
  { seed = 1, whole = false, onRow }: MutantsOptions = {},
): Promise<MutantRow[]> {
  const waiting = [...mutants]
  const rows = new Map<string, MutantRow>()
  function hear(row: MutantRow): void {
    rows.set(row.fault, row)
    onRow?.(row)
  }
  async function work(): Promise<void> {
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
      const job: MutantJob = { mutant: next, seed, whole }
      await runJobs<MutantJob, MutantRow>({ worker, args: [], jobs: [job], workers: 1, onAnswer: hear })
    }
  }
  await Promise.all(Array.from({ length: Math.min(4, availableParallelism()) }, work))
  return mutants.map(({ name }) => rows.get(name)).filter((row) => row !== undefined)
}
