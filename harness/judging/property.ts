/**
 * Properties with fast-check: with the run's seed, a counterexample that is shrunk within the time limit, and the
 * exchanges of exactly the failing run.
 *
 * @module
 */

import fc, { type Arbitrary, type IAsyncProperty, type Parameters, type RunDetails } from 'fast-check'
import { runOptions } from '../run-options.ts'
import { propertySeed } from '../support/hash.ts'
import type { PropertyOptions } from '../vocabulary/check.ts'
import type { Examples } from '../vocabulary/finding.ts'
import type { CleanUp, Course, RunSettings } from '../vocabulary/session.ts'
import type { Wire } from '../vocabulary/wire.ts'
import { BlockedError, UntestableError } from './expect.ts'
import { neededSetUp } from './needed-set-up.ts'
import type { OutsideProperties } from './outside-properties.ts'
import { type FailedExample, PropertyExamples } from './property-examples.ts'
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

/** The values of one example. */
type Values = [unknown, ...unknown[]]

/** What fast-check found, and how a replay of the property counts it: the given examples come first. */
interface Search {
  details: RunDetails<Values>
  path: string
  runs: number
}

/**
 * Runs a property. Does nothing if another property of the check is replayed.
 *
 * @throws PropertyFailure with the smallest counterexample that was found in time
 */
export async function runProperty<T extends unknown[]>(
  frame: PropertyFrame,
  arbitraries: { [K in keyof T]: Arbitrary<T[K]> },
  predicate: (...values: T) => Promise<void>,
  options: PropertyOptions<T> = {},
): Promise<void> {
  const { session, check, index, replay, signal } = frame
  if (replay !== undefined && replay.property !== index) return
  const examples = new PropertyExamples(session, signal, predicate, options.timeLimit ?? usualTimeLimit)
  const property = fc.asyncProperty(
    ...(arbitraries as unknown as [Arbitrary<unknown>]),
    (...values: unknown[]) => examples.run(values as T),
  )
  const seed = propertySeed(session.options.seed, check, index)
  const wanted = Math.max(
    1,
    Math.round((options.runs ?? usualRuns) * (session.options.runs ?? runOptions.runs.default)),
  )
  const replayed = replay !== undefined && replay.path !== '' ? replay : undefined
  const endOnFailure = session.options.quick === true || replayed !== undefined
  const given = options.examples as unknown as Values[] | undefined

  const parameters = { seed, numRuns: wanted, examples: given, endOnFailure }
  const first = await search(property, parameters, replayed)
  const found = endOnFailure ? first : await smallest(first, property, parameters, examples, frame)
  if (examples.stop !== undefined) throw examples.stop
  if (signal.aborted) throw signal.reason
  const { details } = found
  if (details.failed && examples.failed !== undefined) throw failureOf(found, examples.failed, frame)
  if (details.failed)
    throw new BlockedError(`the property could not be judged: ${details.numSkips} examples were skipped`)
  if (replayed === undefined && details.numRuns < wanted) expectEnough(frame, details.numRuns, wanted)
}

/** Runs and shrinks examples, or replays one. @throws ConfigurationError for a path that leads to none */
async function search(
  property: IAsyncProperty<Values>,
  parameters: Parameters<Values>,
  replayed: ReplayPath | undefined,
): Promise<Search> {
  try {
    const details = await fc.check(property, { ...parameters, path: replayed?.path })
    return { details, path: details.counterexamplePath ?? '', runs: details.numRuns }
  } catch (error) {
    // fast-check's error for a path with steps that the example does not have.
    if (replayed !== undefined && error instanceof Error && error.message.startsWith('Unable to replay'))
      throw wrongPath('leads to no example', formatPath(replayed))
    throw error
  }
}

/**
 * A given example cannot be shrunk, or only in part: a generated counterexample may be smaller.
 *
 * @returns the counterexample with fewer requests, which is also what `examples` keeps
 */
async function smallest(
  first: Search,
  property: IAsyncProperty<Values>,
  { seed, numRuns = 0, examples: given = [] }: Parameters<Values>,
  examples: Pick<PropertyExamples<never>, 'failed' | 'stop'>,
  { session, signal }: PropertyFrame,
): Promise<Search> {
  const ofGiven = examples.failed
  const isGiven = first.path !== '' && Number.parseInt(first.path, 10) < given.length
  if (!isGiven || ofGiven === undefined || examples.stop !== undefined || numRuns <= given.length)
    return first
  const details = await fc.check(property, { seed, numRuns: numRuns - given.length })
  // An error that ends the second search does not revoke the result of the first.
  if (!session.died && !signal.aborted) examples.stop = undefined
  const { failed } = examples
  const path = details.counterexamplePath
  if (!path || failed === undefined || failed === ofGiven || failed.requests > ofGiven.requests) {
    examples.failed = ofGiven
    return first
  }
  return {
    details,
    path: path.replace(/^\d+/, (at) => String(Number(at) + given.length)),
    runs: given.length + details.numRuns,
  }
}

function failureOf(
  { details, path, runs }: Search,
  last: FailedExample,
  frame: PropertyFrame,
): PropertyFailure {
  const { index, outside } = frame
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
  return new PropertyFailure(last.failure, {
    exchanges: [...setUp, ...inside],
    requests: setUp.length + outside.lost + last.requests - twice,
    path: place,
    example: text,
    runs,
  })
}

/** @throws UntestableError if the time limit left too few examples for a verdict */
function expectEnough({ cutShort }: PropertyFrame, run: number, wanted: number): void {
  cutShort({ run, of: wanted })
  const fewest = Math.min(fewestExamples, wanted)
  if (run < fewest)
    throw new UntestableError(
      `only ${run} of ${wanted} examples ran within the time limit, and a verdict needs ${fewest}`,
      'run fewer examples: --runs 0.2',
    )
}
