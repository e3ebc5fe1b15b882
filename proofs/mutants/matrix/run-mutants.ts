/**
 * Runs mutants, each in a process of its own.
 *
 * @module
 */

import { fork } from 'node:child_process'
import { once } from 'node:events'
import { availableParallelism } from 'node:os'
import { fileURLToPath } from 'node:url'
import type { Mutant } from '../mutant.ts'
import type { MutantJob } from './mutant-process.ts'
import type { MutantRow } from './run-mutant.ts'

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
  async function work(): Promise<void> {
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
      const row = await inProcess({ mutant: next, seed, whole })
      rows.set(next.name, row)
      onRow?.(row)
    }
  }
  await Promise.all(Array.from({ length: Math.min(4, availableParallelism()) }, work))
  return mutants.map(({ name }) => rows.get(name)).filter((row) => row !== undefined)
}

/** @throws Error when the process ends without a row: its output says why */
async function inProcess(job: MutantJob): Promise<MutantRow> {
  const file = fileURLToPath(new URL('./mutant-process.ts', import.meta.url))
  const child = fork(file, { execArgv: ['--import', 'tsx'] })
  try {
    child.send(job)
    const ended = once(child, 'exit').then(([code, signal]) => {
      throw new Error(
        `The process of "${job.mutant.name}" ended (${code ?? signal}). Its output above says why.`,
      )
    })
    const [row] = (await Promise.race([once(child, 'message'), ended])) as [MutantRow]
    return row
  } finally {
    child.kill()
  }
}
