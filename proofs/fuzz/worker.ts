/**
 * The process that runs one kind: the command notices, and continues, if a server ends this process.
 *
 * @module
 */

import { replayOne, runRounds } from './kinds/rounds.ts'
import { createRunners } from './kinds/runners.ts'
import type { FuzzJob, Report } from './vocabulary.ts'

const job = JSON.parse(process.argv[2] ?? '') as FuzzJob
// The process that reads the results has ended.
process.once('disconnect', () => process.exit())

const report = (what: Report) => process.send?.(what)

async function work(): Promise<void> {
  const { runners, remove } = await createRunners(job.kind)
  process.once('exit', remove)
  if (job.path === undefined) await runRounds(job, runners, report)
  else process.exitCode = (await replayOne(job, runners, console.log)) ? 0 : 1
}

await work().catch((error) => {
  const message = error instanceof Error ? (error.stack ?? error.message) : String(error)
  report({ type: 'error', message })
  process.exitCode = 2
})
// Lets the last message out first.
process.disconnect?.()
process.exit()
