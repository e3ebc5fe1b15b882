/**
 * Ends runs of the command at points that are spread over their requests: by `kill -9`, and by Ctrl-C.
 *
 * @module
 */

import { availableParallelism } from 'node:os'
import { loadLiars } from '../matrix/registry.ts'
import { type EndedRun, type RunEnder, startRunEnder } from './ended-run.ts'

export interface KillsOptions {
  /** How many points. */
  points: number
  /** @default 1 */
  seed?: number
  /** In the order in which they are done. */
  onRun?: (run: EndedRun) => void
}

export interface Kills {
  killed: EndedRun[]
  interrupted: EndedRun[]
  /** A run that was left alone, and whose server named ids that hold lines of a journal. */
  lines: EndedRun
}

/** @throws Error when a run after one that was ended does not succeed, or when one that was left alone leaves records */
export async function runKills({ points, seed = 1, onRun = () => {} }: KillsOptions): Promise<Kills> {
  const runs: EndedRun[] = []
  const done = (run: EndedRun) => {
    runs.push(run)
    onRun(run)
    return run
  }
  const enders = await Promise.all(
    Array.from({ length: Math.min(2, availableParallelism()) }, () => startRunEnder(seed)),
  )
  try {
    const jobs = await spread(enders, points)
    await Promise.all(
      enders.map(async ({ end }) => {
        for (let job = jobs.shift(); job !== undefined; job = jobs.shift())
          done(await end(job.signal, job.point))
      }),
    )
  } finally {
    await Promise.all(enders.map(({ close }) => close()))
  }
  runs.sort((a, b) => (a.point ?? 0) - (b.point ?? 0))
  return {
    killed: runs.filter(({ ended }) => ended === 'SIGKILL'),
    interrupted: runs.filter(({ ended }) => ended !== 'SIGKILL'),
    lines: done(await linesInIds(seed)),
  }
}

/** Both signals at each point; the requests of a run that is left alone say where the points are. */
async function spread([ender]: readonly RunEnder[], points: number) {
  const whole = await ender?.end('SIGKILL')
  if (whole === undefined || whole.ended !== 0 || whole.left.length > 0)
    throw new Error(
      `A run that nothing ended has exit code ${whole?.ended} and leaves ${whole?.left.length} records. See why first.`,
    )
  const places = Array.from({ length: points }, (_, at) => Math.ceil((whole.requests * (at + 0.5)) / points))
  return (['SIGKILL', 'SIGINT'] as const).flatMap((signal) => places.map((point) => ({ signal, point })))
}

async function linesInIds(seed: number): Promise<EndedRun> {
  const front = (await loadLiars()).find(({ name }) => name === 'ids are lines of a journal')
  if (front === undefined) throw new Error('There is no liar whose ids are lines of a journal.')
  const ender = await startRunEnder(seed, front)
  try {
    return await ender.end('SIGKILL')
  } finally {
    await ender.close()
  }
}
