/**
 * Draws inputs in rounds, each with a seed of its own, and shrinks the first failure of every kind. A round depends on
 * its seed alone, so that one of its inputs can be run again without the others.
 *
 * @module
 */

import { openSync, writeSync } from 'node:fs'
import fc, { type Arbitrary } from 'fast-check'
import { emptyCount, emptyFigures } from '../figures.ts'
import { Misbehaved } from '../misbehaved.ts'
import type { FuzzFailure, FuzzJob, Report } from '../vocabulary.ts'

export interface Observer {
  /** One input was sent. */
  count(operation: string, status: number | string, accepted: boolean): void
  block(cpu: number, shown: () => string): void
  /** A failure is being shrunk, or run again: nothing is counted, and nothing is left to a sample. */
  shrinking: boolean
}

/** How one kind of input is made, run and shown. */
export interface Runner<Input> {
  arbitrary: Arbitrary<Input>
  /** @throws Misbehaved */
  run(input: Input, observer: Observer): Promise<void>
  /** @param last what comes after this place has not been sent */
  show(input: Input, last?: number): string[]
  close(): Promise<void>
}

const runsInRound = 60
/** Milliseconds for shrinking one failure. After that, the smallest so far is reported. */
const shrinkTime = 15_000
/** Failures beyond this many are counted, and neither shrunk nor reported. */
const mostFailures = 40
const reportEvery = 250

/** Spreads seeds that follow each other over all numbers. */
function roundSeed(seed: number, kind: string, round: number): number {
  let hash = seed | 0
  for (const char of `${kind}:${round}`)
    hash = Math.imul(hash ^ char.charCodeAt(0), 0x01000193) ^ (hash >>> 15)
  return hash & 0x7fffffff
}

const ignored: Observer = { count: () => {}, block: () => {}, shrinking: true }

export async function runRounds<Input>(
  job: FuzzJob,
  runners: readonly Runner<Input>[],
  report: (what: Report) => void,
): Promise<void> {
  const position = openSync(job.positionFile, 'w')
  const known = new Set(job.known)
  const deadline = Date.now() + job.time
  let inputs = 0
  let reported = performance.now()
  for (let round = job.round; inputs < job.inputs && Date.now() < deadline; round++) {
    const runner = runners[round % runners.length] as Runner<Input>
    const seed = roundSeed(job.seed, job.kind, round)
    const figures = emptyFigures()
    let at = -1
    const replay = (path: string) => `${job.kind}:${job.seed}:${round}:${path}`
    const observer: Observer = {
      shrinking: false,
      count(operation, status, accepted) {
        inputs += 1
        const count = figures.counts[operation] ?? emptyCount()
        figures.counts[operation] = count
        count.inputs += 1
        if (accepted) count.accepted += 1
        count.statuses[status] = (count.statuses[status] ?? 0) + 1
        if (performance.now() - reported < reportEvery) return
        reported = performance.now()
        report({ type: 'progress', inputs, what: operation })
      },
      block(cpu, shown) {
        if (cpu > figures.longest.cpu) figures.longest = { cpu, shown: shown(), replay: replay(String(at)) }
      },
    }
    let failing: string | undefined
    let shrinkUntil = Number.POSITIVE_INFINITY
    const property = fc.asyncProperty(runner.arbitrary, async (input) => {
      if (failing === undefined) {
        at += 1
        writeSync(position, `${round}:${at}\n`.padEnd(32), 0)
        if (inputs >= job.inputs || Date.now() > deadline) return
      } else if (Date.now() > shrinkUntil) return
      try {
        await runner.run(input, failing === undefined ? observer : ignored)
      } catch (error) {
        if (!(error instanceof Misbehaved)) throw error
        if (failing !== undefined) {
          if (error.signature === failing) throw error
          return
        }
        figures.seen[error.class] = (figures.seen[error.class] ?? 0) + 1
        if (known.has(error.signature) || known.size >= mostFailures) return
        known.add(error.signature)
        failing = error.signature
        shrinkUntil = Math.min(Date.now() + shrinkTime, deadline + shrinkTime / 3)
        throw error
      }
    })
    const result = await fc.check(property, { seed, numRuns: runsInRound })
    if (result.failed) {
      const error = result.errorInstance
      if (!(error instanceof Misbehaved)) throw error ?? new Error('an input failed without an error')
      const failure: FuzzFailure = {
        class: error.class,
        signature: error.signature,
        message: error.message,
        replay: replay(result.counterexamplePath ?? ''),
        shown: result.counterexample === null ? [] : runner.show(result.counterexample[0], error.at),
        shrinks: result.numShrinks,
      }
      report({ type: 'failure', failure })
    }
    report({ type: 'round', round, figures })
  }
  for (const runner of runners) await runner.close()
  report({ type: 'end' })
}

/** Shows one input of one round, runs it, and reports the result. */
export async function replayOne<Input>(
  { kind, seed, round, path, show }: FuzzJob,
  runners: readonly Runner<Input>[],
  say: (line: string) => void,
): Promise<boolean> {
  const runner = runners[round % runners.length] as Runner<Input>
  const property = fc.asyncProperty(runner.arbitrary, async (input) => {
    for (const line of runner.show(input)) say(line)
    if (show) return
    await runner.run(input, {
      count: (operation, status) => say(`→ ${operation} ${status}`),
      block: () => {},
      shrinking: true,
    })
  })
  const result = await fc.check(property, {
    seed: roundSeed(seed, kind, round),
    path: path ?? '0',
    numRuns: 1,
    endOnFailure: true,
  })
  for (const each of runners) await each.close()
  if (result.failed) say(`✗ ${result.errorInstance instanceof Error ? result.errorInstance.message : ''}`)
  return !result.failed
}
