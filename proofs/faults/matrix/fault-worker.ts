/**
 * A process of the kill matrix: does one job after the other, and says what came of it.
 *
 * @module
 */

import { startFaultRunner } from './fault-runner.ts'
import type { FaultRow } from './matrix.ts'

/** `healthy` holds ids of checks, `all` stands for every one. */
export type FaultJob = { healthy: readonly string[] | 'all' } | { fault: string }

export type FaultOutcome = { falseAlarms: string[] } | { row: FaultRow }

const runner = await startFaultRunner(Number(process.argv[2]))

process.on('message', async (job: FaultJob) => {
  const response: FaultOutcome =
    'healthy' in job
      ? { falseAlarms: await runner.falseAlarms(job.healthy === 'all' ? undefined : job.healthy) }
      : { row: await runner.row(job.fault) }
  process.send?.(response)
})

process.on('disconnect', async () => {
  await runner.close()
  process.exit()
})
