/**
 * The liars' matrix: the suite against each liar, in front of a target whose every table holds records that are not the
 * run's. Proves that a run touches no record but its own. One process for each core takes its share; the rows are the
 * same for any number of them.
 *
 * @module
 */

import { runJobs } from '../../faults/matrix/worker-pool.ts'
import type { LiarExtent } from './checks-against.ts'
import type { LiarRow } from './liar-row.ts'
import type { LiarJob } from './liar-worker.ts'
import { loadLiars } from './registry.ts'

export interface LiarMatrixOptions {
  /** @default 1 */
  seed?: number
  /** Only liars whose name contains this string. */
  filter?: string
  /** Which checks run against each liar. @default 'share' */
  extent?: LiarExtent
  /** Only every n-th liar. @default 1 */
  every?: number
  /** In the order in which they are done. */
  onRow?: (row: LiarRow) => void
}

/** @throws Error when no liar has the string of the filter in its name */
export async function runLiars({
  seed = 1,
  filter = '',
  extent = 'share',
  every = 1,
  onRow,
}: LiarMatrixOptions = {}): Promise<LiarRow[]> {
  const liars = (await loadLiars()).filter(({ name }) => name.includes(filter))
  if (liars.length === 0)
    throw new Error(`No liar is called anything like "${filter}". Leave the string out to run all of them.`)
  const chosen = liars.filter((_, at) => at % every === 0)
  const jobs = chosen.flatMap(({ name: liar, bare }): LiarJob[] => [
    { liar, mode: 'claimed' },
    ...(bare === true ? [{ liar, mode: 'bare' } as const] : []),
  ])
  const rows: LiarRow[] = []
  await runJobs<LiarJob, LiarRow>({
    worker: new URL('./liar-worker.ts', import.meta.url),
    args: [String(seed), extent],
    jobs,
    onAnswer(row) {
      rows.push(row)
      onRow?.(row)
    },
  })
  const place = ({ liar, mode }: LiarJob) => jobs.findIndex((job) => job.liar === liar && job.mode === mode)
  return rows.sort((a, b) => place(a) - place(b))
}
