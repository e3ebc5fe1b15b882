/**
 * A process that records examples: takes one id after the other.
 *
 * @module
 */

import type { ExampleExchanges } from '../../../spec/example-exchanges.ts'
import { startExampleRecorder } from './example-recorder.ts'

export interface ExampleJob {
  id: string
}

export interface RecordedExample extends ExampleJob {
  examples: ExampleExchanges
}

const recorder = await startExampleRecorder(Number(process.argv[2]))

process.on('message', async ({ id }: ExampleJob) => {
  const recorded: RecordedExample = { id, examples: await recorder.record(id) }
  process.send?.(recorded)
})

process.on('disconnect', async () => {
  await recorder.close()
  process.exit()
})
