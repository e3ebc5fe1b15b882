/**
 * A process of the liars' matrix: does one job after the other, and says what came of it.
 *
 * @module
 */

import type { LiarExtent } from './checks-against.ts'
import type { LiarMode } from './liar-row.ts'
import { startLiarRunner } from './liar-runner.ts'

export interface LiarJob {
  liar: string
  mode: LiarMode
}

const [seed, extent] = process.argv.slice(2)
const runner = await startLiarRunner({ seed: Number(seed), extent: extent as LiarExtent })

process.on('message', async ({ liar, mode }: LiarJob) => {
  process.send?.(await runner.row(liar, mode))
})

process.on('disconnect', async () => {
  await runner.close()
  process.exit()
})
