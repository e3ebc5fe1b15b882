/**
 * Properties with fast-check: with the run's seed, a counterexample that is shrunk within the time limit, and the
 * exchanges of exactly the failing run.
 *
 * @module
 */

import fc, { type Arbitrary } from 'fast-check'
import type { Exchange } from '../../exchange/exchange.ts'
import { TargetLostError } from '../errors.ts'
import { runOptions } from '../run-options.ts'
import { propertySeed } from '../support/hash.ts'
import type { PropertyOptions } from '../vocabulary/check.ts'
import type { Examples } from '../vocabulary/finding.ts'
import type { CleanUp, Course, RunSettings } from '../vocabulary/session.ts'
import type { Wire } from '../vocabulary/wire.ts'
import { Attempts, again } from './attempts.ts'
import { BlockedError, ExpectationError, UntestableError } from './expect.ts'
import { neededSetUp } from './needed-set-up.ts'
import type { OutsideProperties } from './outside-properties.ts'
import { PropertyFailure } from './property-failure.ts'
import { formatPath, type ReplayPath, wrongPath } from './replay-path.ts'

const usualRuns = 25
const usualTimeLimit = 30_000
/** Minimum number of examples for a verdict if the time limit ends a property: fewer say too little about all. */
const fewestExamples = 5

export interface PropertyFrame {
  session: Wire & CleanUp & Course & RunSettings
  check: string
  index: number
  replay: ReplayPath | undefined
  signal: AbortSignal
  outside: OutsideProperties
  /** Called if the time limit ends the property before all examples have run. */
  cutShort(examples: Examples): void
}

/**
 * Runs a property. Does nothing if another property of the check is replayed.
 *
 * @throws PropertyFailure with the smallest counterexample that was found in time
 */
export async function runProperty<T extends unknown[]>(
  { session, check, index, replay, signal, outside, cutShort }: PropertyFrame,
  arbitraries: { [K in keyof T]: Arbitrary<T[K]> },
  predicate: (...values: T) => Promise<void>,
  options: PropertyOptions<T> = {},
): Promise<void> {
  if (replay !== undefined && replay.property !== index) return
  const seed = propertySeed(session.options.seed, check, index)
  const replaying = replay !== undefined && replay.path !== ''
  let last: { failure: ExpectationError; exchanges: Exchange[]; requests: number } | undefined
  let stop: unknown
  const { transport } = session
  const end = performance.now() + (options.timeLimit ?? usualTimeLimit) - transport.waited()
  // Waiting for the tester's `--rate` or the server's own rate limits does not count.
  const isOver = () => performance.now() - transport.waited() > end

  /** Repeats an example from its start after a broken connection. What it created is deleted first. */
  async function example(values: T): Promise<void> {
    const attempts = new Attempts(session, 'an example')
    while ((await run(values, attempts)) === again);
  }

  async function run(values: T, attempts: Attempts): Promise<typeof again | undefined> {
    if (session.died) stop ??= new TargetLostError()
    if (stop !== undefined || signal.aborted || (attempts.runs === 0 && isOver()))
      throw new fc.PreconditionFailure(true)
    const scope = session.recorder.open()
    const mark = session.cleanup.mark()
    attempts.begin()
    try {
      await predicate(...values)
      return undefined
    } catch (error) {
      const standing = attempts.outcome(error)
      if (standing === again) return again
      const { exchanges, requests } = scope
      if (standing instanceof ExpectationError)
        last = { failure: standing, exchanges: [...exchanges], requests }
      else if (!(standing instanceof fc.PreconditionFailure)) {
        // Not a counterexample, so there is nothing to shrink: makes fast-check stop at once.
        stop = standing
        throw new fc.PreconditionFailure(true)
      }
      throw standing
    } finally {
      attempts.settle()
      scope.close()
      await session.cleanup.cleanTo(mark)
    }
  }

  const property = fc.asyncProperty(
    ...(arbitraries as unknown as [Arbitrary<unknown>]),
    (...values: unknown[]) => example(values as T),
  )
  const wanted = Math.max(
    1,
    Math.round((options.runs ?? usualRuns) * (session.options.runs ?? runOptions.runs.default)),
  )

  const given = options.examples?.length ?? 0
  const endOnFailure = session.options.quick === true || replaying
  const examined = async () =>
    fc.check(property, {
      seed,
      numRuns: wanted,
      examples: options.examples as unknown as [unknown][] | undefined,
      endOnFailure,
      path: replaying ? replay.path : undefined,
    })
  let details = await examined().catch((error: unknown) => {
    // fast-check's error for a path with steps that the example does not have.
    if (replaying && error instanceof Error && error.message.startsWith('Unable to replay'))
      throw wrongPath('leads to no example', formatPath(replay))
    throw error
  })
  let path = details.counterexamplePath ?? ''
  let runs = details.numRuns
  // A given example cannot be shrunk, or only in part: a generated counterexample may be smaller.
  const isGiven = path !== '' && Number.parseInt(path, 10) < given
  if (isGiven && last !== undefined && stop === undefined && !endOnFailure && wanted > given) {
    const ofGiven = last
    const generated = await fc.check(property, { seed, numRuns: wanted - given })
    const { counterexamplePath } = generated
    if (counterexamplePath && last !== ofGiven && last.requests <= ofGiven.requests) {
      details = generated
      runs = given + generated.numRuns
      path = counterexamplePath.replace(/^\d+/, (at) => String(Number(at) + given))
    } else last = ofGiven
    // An error that ends the second search does not revoke the result of the first.
    if (!session.died && !signal.aborted) stop = undefined
  }
  if (stop !== undefined) throw stop
  if (signal.aborted) throw signal.reason
  if (details.failed && last !== undefined) {
    const text = fc.stringify(details.counterexample)
    const commands = /replayPath=\\?"([^"\\]*)/.exec(text)?.[1]
    const place = formatPath({
      property: index,
      path,
      commands: commands === '' ? undefined : commands,
    })
    // Shared set-up may have been used outside and inside the property.
    const before = new Set(outside.exchanges)
    const inside = last.exchanges.filter((each) => !before.has(each))
    const twice = last.exchanges.length - inside.length
    const setUp = neededSetUp(outside.exchanges, last.exchanges)
    throw new PropertyFailure(last.failure, {
      exchanges: [...setUp, ...inside],
      requests: setUp.length + outside.lost + last.requests - twice,
      path: place,
      example: text,
      runs,
    })
  }
  if (details.failed)
    throw new BlockedError(`the property could not be judged: ${details.numSkips} examples were skipped`)
  if (replaying || details.numRuns >= wanted) return
  cutShort({ run: details.numRuns, of: wanted })
  const fewest = Math.min(fewestExamples, wanted)
  if (details.numRuns < fewest)
    throw new UntestableError(
      `only ${details.numRuns} of ${wanted} examples ran within the time limit, and a verdict needs ${fewest}`,
      'run fewer examples: --runs 0.2',
    )
}
