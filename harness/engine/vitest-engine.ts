/**
 * Starts vitest on the checks and gathers what they found. The verdict is not vitest's: a run in which everything was
 * skipped would be a success to it.
 *
 * @module
 */

import { randomUUID } from 'node:crypto'
import { availableParallelism } from 'node:os'
import { extname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { BroadcastChannel } from 'node:worker_threads'
import { ConfigurationError } from '../errors.ts'
import { packageFacts } from '../package-facts.ts'
import type { Finding, Smoke } from '../vocabulary/findings.ts'
import { type EngineResult, nothingYet, together } from './engine-result.ts'
import type { RunOrder, TaskNews, WorkerOrders } from './messages.ts'

export interface EngineEvents {
  smoke(smoke: Smoke): void
  finding(finding: Finding): void
}

const signals = ['SIGINT', 'SIGTERM'] as const

const written = extname(import.meta.url)
const entries = ['first-entry', 'second-entry'].map((name) =>
  fileURLToPath(new URL(`./${name}${written}`, import.meta.url)).replaceAll('\\', '/'),
)

/** Begins to load what a run is done with; said beforehand, it is read while the target starts. */
export function readyVitest(): void {
  // What goes wrong is said where it is used.
  import('vitest/node').catch(() => {})
}

/**
 * Runs one order, or two at the same time: each in a worker of its own, where the machine has two processors.
 *
 * @throws ConfigurationError that a smoke check met
 */
export async function runWithVitest(
  orders: readonly [RunOrder] | readonly [RunOrder, RunOrder],
  events: EngineEvents,
  signal?: AbortSignal,
): Promise<EngineResult> {
  const { startVitest } = await import('vitest/node')
  const { root } = packageFacts()
  const parts = orders.map(nothingYet)
  let configuration: TaskNews['configuration']
  let failed = false

  function hear(news: TaskNews | undefined): void {
    if (news === undefined) return
    const part = parts[news.order]
    if (part === undefined) return
    part.heard = true
    part.requests = news.requests
    configuration ??= news.configuration
    if (news.ended === 'stopped') part.stopped = true
    // Nothing that the other one finds would count any more.
    if (news.ended === 'lost' || news.ended === 'configuration') failed = true
    if (news.error !== undefined) part.errors.push(news.error)
    if (news.sent !== undefined) part.sent = news.sent
    if (news.connections !== undefined) part.connections = news.connections
    if (news.beside !== undefined) part.beside.push(...news.beside)
    if (news.leftovers !== undefined) part.leftovers.push(...news.leftovers)
    if (news.foreign !== undefined) part.foreign.push(...news.foreign)
    if (news.unlisted !== undefined) part.unlisted.push(...news.unlisted)
    if (news.smoke !== undefined) {
      // Both are alike: whichever comes first is told before any finding.
      if (parts.every(({ smoke }) => smoke === undefined)) events.smoke(news.smoke)
      part.smoke = news.smoke
    }
    if (news.finding !== undefined) {
      part.findings.push(news.finding)
      events.finding(news.finding)
    }
    part.late.push(...(news.late ?? []))
  }

  // vitest would end the worker while the interrupted check still deletes what it created: the stop is our own word.
  const stopChannel = `conformance-stop-${randomUUID()}`
  const channel = new BroadcastChannel(stopChannel)
  channel.unref()
  // Said again and again: the worker may not be listening yet.
  const telling = setInterval(() => {
    if (signal?.aborted === true || failed) channel.postMessage('stop')
  }, 50)

  // vitest would end this process a millisecond after a Ctrl-C, in the middle of the clean-up. It listens long before it
  // tells of its start, and a Ctrl-C may come in between.
  const kept = new Set(signals.flatMap((name) => process.listeners(name)))
  const deafen = () => {
    for (const name of signals)
      for (const each of process.listeners(name)) if (!kept.has(each)) process.off(name, each)
  }
  const onListener = (name: string | symbol) => {
    if (signals.some((each) => each === name)) queueMicrotask(deafen)
  }
  process.on('newListener', onListener)
  const exitCode = process.exitCode
  const vitest = await startVitest(
    'test',
    [],
    {
      config: false,
      root,
      dir: root,
      include: entries.slice(0, orders.length),
      exclude: [],
      watch: false,
      isolate: false,
      fileParallelism: orders.length > 1,
      maxWorkers: Math.min(orders.length, availableParallelism()),
      pool: 'threads',
      testTimeout: 0,
      hookTimeout: 0,
      teardownTimeout: 2_000,
      passWithNoTests: true,
      // What is built already is loaded by Node itself, in a clone as below node_modules: over a second of each run.
      ...(written === '.js' && { server: { deps: { external: [/\.js$/] } } }),
      provide: { conformance: JSON.stringify({ orders, stopChannel } satisfies WorkerOrders) },
      reporters: [
        {
          onInit() {
            process.off('newListener', onListener)
            deafen()
          },
          onTestCaseResult: (testCase) => hear(testCase.meta().conformance),
        },
      ],
    },
    {
      logLevel: 'silent',
      cacheDir: join(root, 'node_modules/.cache/conformance'),
    },
    {},
  ).finally(() => process.off('newListener', onListener))
  clearInterval(telling)
  channel.close()
  process.exitCode = exitCode
  const unhandled = [
    ...vitest.state.getUnhandledErrors(),
    ...vitest.state.getTestModules().flatMap((module) => module.errors()),
  ]
  const result = together(parts)
  for (const error of unhandled) result.errors.push({ place: 'engine', message: messageOf(error) })
  if (configuration !== undefined)
    throw new ConfigurationError(configuration.fact, configuration.place, configuration.next)
  if (parts.some(({ heard }) => !heard) && result.errors.length === 0 && signal?.aborted !== true)
    result.errors.push({ place: 'engine', message: 'the engine did not run all that it was given' })
  if (signal?.aborted === true) result.stopped = true
  return result
}

function messageOf(error: unknown): string {
  const { message, stack } = error as { message?: string; stack?: string }
  return stack ?? message ?? String(error)
}
