/**
 * `npm run liars -- --kills [--points N]`: prints what runs that were ended in the middle left, and what the next run made
 * of it.
 *
 * @module
 */

import { setup as buildFirst } from '../../../scripts/support/build-first.ts'
import type { EndedRun } from './ended-run.ts'
import { runKills } from './run-kills.ts'

const columns = ['request', 'ended', 'left', 'remaining', 'damaged', 'elsewhere'] as const
const width = 11

/** @returns the exit code: 1 when a foreign record was lost or changed, or a record of the run remains */
export async function printKills(points: number): Promise<number> {
  buildFirst()
  const begin = performance.now()
  console.log(columns.map((column) => column.padStart(width)).join(''))
  const { killed, interrupted, lines } = await runKills({ points, onRun: print })
  const isBad = ({ remaining, damaged, damagedElsewhere }: EndedRun) =>
    remaining.length + damaged.length + damagedElsewhere.length > 0
  const bad = [
    ...killed.filter(isBad),
    ...interrupted.filter((run) => isBad(run) || run.left.length > 0),
    // Records that cannot be found by id stay.
    ...[lines].filter((run) => isBad({ ...run, remaining: [] })),
  ]
  const seconds = ((performance.now() - begin) / 1000).toFixed(1)
  console.log(
    `${killed.length} runs killed, ${interrupted.length} interrupted, 1 with lines in ids: ${bad.length} bad, ${seconds} s`,
  )
  return bad.length === 0 ? 0 : 1
}

function print(run: EndedRun): void {
  const { point = 'none', ended, left, remaining, damaged, damagedElsewhere } = run
  const counts = [point, ended, left.length, remaining.length, damaged.length, damagedElsewhere.length]
  console.log(counts.map((count) => String(count).padStart(width)).join(''))
  for (const place of [...damaged, ...damagedElsewhere].slice(0, 6)) console.log(`    DAMAGED  ${place}`)
}
