/**
 * A process of the acquittal matrix: does one job after the other, and says what came of it.
 *
 * @module
 */

import { type Extent, startVariationRunner, type VariationJob } from './variation-runner.ts'

const [extent] = process.argv.slice(2) as [Extent]
const runner = await startVariationRunner(extent)

process.on('message', async (job: VariationJob) => {
  process.send?.(await runner.row(job))
})

process.on('disconnect', async () => {
  await runner.close()
  process.exit()
})
