/**
 * A process of the acquittal matrix: does one job after the other, and says what came of it.
 *
 * @module
 */

import { startVariationRunner } from './variation-runner.ts'

export interface VariationJob {
  names: readonly string[]
}

const [seed, extent] = process.argv.slice(2)
const runner = await startVariationRunner({ seed: Number(seed), whole: extent === 'whole' })

process.on('message', async ({ names }: VariationJob) => {
  process.send?.(await runner.row(names))
})

process.on('disconnect', async () => {
  await runner.close()
  process.exit()
})
