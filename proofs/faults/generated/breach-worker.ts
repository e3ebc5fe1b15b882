/**
 * A process that runs its share of the generated breaches. Each records a correct run of its own: that takes less time
 * than handing one over.
 *
 * @module
 */

import { startBreachRunner } from './breach-runner.ts'
import type { BreachRow } from './fates.ts'
import { type BreachSample, sampled, unknownName } from './sample.ts'

export interface BreachJob {
  sample: BreachSample
  /** Its part of the sample: neighbors, since the same checks see them. */
  share: { part: number; of: number }
}

export interface BreachResponse {
  /** With their positions among all breaches. */
  rows: { position: number; row: BreachRow }[]
  /** How many breaches there are. */
  all: number
  /** A text of the sample that is in no name: then nothing runs. */
  unknown?: string | undefined
}

const [seed, ...without] = process.argv.slice(2)
const runner = await startBreachRunner({ seed: Number(seed), without })

process.on('message', async ({ sample, share }: BreachJob) => {
  const positions = new Map(runner.breaches.map((breach, position) => [breach, position]))
  const rows: BreachResponse['rows'] = []
  const unknown = unknownName(runner.breaches, sample)
  const chosen = unknown === undefined ? sampled(runner.breaches, sample) : []
  const end = (part: number) => Math.floor((chosen.length * part) / share.of)
  for (const breach of chosen.slice(end(share.part), end(share.part + 1)))
    rows.push({ position: positions.get(breach) ?? 0, row: await runner.row(breach.name) })
  process.send?.({ rows, all: runner.breaches.length, unknown } satisfies BreachResponse)
})

process.on('disconnect', async () => {
  await runner.close()
  process.exit()
})
