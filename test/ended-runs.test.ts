/**
 * Runs of the command that are ended in the middle, on a server whose ids count. `npm run liars -- --kills` does the same
 * at ten points.
 */

import { beforeAll, describe, expect, it } from 'vitest'
import { type Kills, runKills } from '../proofs/liars/kills/run-kills.ts'
import { inFull } from '../scripts/support/in-full.ts'

const points = 2

// `npm test` has `test/targets/concurrent-runs.test.ts` and `cli/separate-server.test.ts`.
describe.runIf(inFull)('a run that is ended in the middle', () => {
  let kills: Kills

  beforeAll(async () => {
    kills = await runKills({ points })
  }, 600_000)

  it('leaves nothing after the next run, where kill -9 ended it', () => {
    expect(kills.killed).toHaveLength(points)
    // Otherwise the next run had nothing to do.
    expect(kills.killed.flatMap(({ left }) => left).length).toBeGreaterThan(0)
    expect(kills.killed.flatMap(({ remaining }) => remaining)).toEqual([])
  })

  it('leaves nothing where Ctrl-C ended it', () => {
    expect(kills.interrupted.map(({ ended }) => ended)).toEqual(Array.from({ length: points }, () => 130))
    expect(kills.interrupted.flatMap(({ left }) => left)).toEqual([])
  })

  it('touches no foreign record, nor does the next run', () => {
    expect([...kills.killed, ...kills.interrupted].flatMap(({ damaged }) => damaged)).toEqual([])
  })

  it('lets the next run touch nothing of another database at the address', () => {
    expect(
      [...kills.killed, ...kills.interrupted].flatMap(({ damagedElsewhere }) => damagedElsewhere),
    ).toEqual([])
  })

  it('has a journal in which the server can write no line', () => {
    expect([...kills.lines.damaged, ...kills.lines.damagedElsewhere]).toEqual([])
  })
})
