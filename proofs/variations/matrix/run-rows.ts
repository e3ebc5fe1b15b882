/**
 * Runs rows of the acquittal matrix. One process for each core takes its share; the rows are the same for any number of
 * them.
 *
 * @module
 */

import { runJobs } from '../../faults/matrix/worker-pool.ts'
import type { VariationRow } from './variation-row.ts'
import type { Extent, VariationJob } from './variation-runner.ts'

/** @returns the rows in the order in which they were done */
export async function runRows(
  extent: Extent,
  jobs: readonly VariationJob[],
  onRow?: (row: VariationRow) => void,
): Promise<VariationRow[]> {
  const rows: VariationRow[] = []
  await runJobs<VariationJob, VariationRow>({
    worker: new URL('./variation-worker.ts', import.meta.url),
    args: [extent],
    jobs,
    onAnswer(row) {
      rows.push(row)
      onRow?.(row)
    },
  })
  return rows
}
