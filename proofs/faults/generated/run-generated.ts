/**
 * All generated breaches, or a sample of them, on as many processes as there are cores.
 *
 * @module
 */

import { loadRequirements } from '../../../spec/requirements.ts'
import { nothingLike } from '../matrix/chosen-by.ts'
import { runJobs } from '../matrix/worker-pool.ts'
import { leftOutBy } from './breach-runner.ts'
import type { BreachJob, BreachResponse } from './breach-worker.ts'
import type { BreachRow } from './fates.ts'
import type { BreachSample } from './sample.ts'

/** Shares that the processes take one after the other. */
const shares = 100

export interface GeneratedOptions {
  seed: number
  sample: BreachSample
  /** Checks that do not run against breaches. @default none */
  without?: readonly string[]
  /** @default one for each core, four at most */
  workers?: number
  /** @param done share of the work that is done, up to 1 */
  onRows?(rows: readonly BreachRow[], done: number): void
}

/**
 * @returns the rows in the order of the breaches, which is the same for the same seed
 * @throws ConfigurationError if a word of `without` matches no requirement, Error if a text of the sample is in no name
 */
export async function runGenerated({
  seed,
  sample,
  without = [],
  workers,
  onRows,
}: GeneratedOptions): Promise<{ rows: BreachRow[]; all: number }> {
  // Here, a wrong word is an error with its next step; in a worker it would end the worker.
  leftOutBy(without, loadRequirements())
  const found: BreachResponse['rows'] = []
  let all = 0
  let unknown: string | undefined
  let responses = 0
  await runJobs<BreachJob, BreachResponse>({
    worker: new URL('./breach-worker.ts', import.meta.url),
    args: [String(seed), ...without],
    jobs: Array.from({ length: shares }, (_, part) => ({ sample, share: { part, of: shares } })),
    onAnswer(response) {
      found.push(...response.rows)
      all = response.all
      unknown = response.unknown
      responses += 1
      onRows?.(
        response.rows.map(({ row }) => row),
        responses / shares,
      )
    },
    workers,
  })
  if (unknown !== undefined) throw nothingLike('No breach is called', unknown)
  return { rows: found.sort((a, b) => a.position - b.position).map(({ row }) => row), all }
}
