/**
 * Starts vitest on the checks and gathers what they found. The verdict is not vitest's: a run in which everything was
 * skipped would be a success to it.
 *
 * @module
 */

import { randomUUID } from 'node:crypto'
import { extname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { BroadcastChannel } from 'node:worker_threads'
import { ConfigurationError } from '../errors.ts'
import type { SentKind } from '../ledger/ledger.ts'
import { packageFacts } from '../package-facts.ts'
import type { Finding, Leftover, RunError, SeenBeside, Smoke } from '../vocabulary/findings.ts'
import type { RunOrder, TaskNews, WorkerOrder } from './messages.ts'

export interface EngineResult {
  findings: Finding[]
  errors: RunError[]
  leftovers: Leftover[]
  beside: SeenBeside[]
  smoke?: Smoke
  requests: number
  stopped: boolean
  sent?: Record<SentKind, number>
}

export interface EngineEvents {
  smoke(smoke: Smoke): void
  finding(finding: Finding): void
}

const signals = ['SIGINT', 'SIGTERM'] as const

const written = extname(import.meta.url)
const entry = fileURLToPath(new URL(`./vitest-entry${written}`, import.meta.url))

/** @throws ConfigurationError that the smoke check met */
export async function runWithVitest(
  order: RunOrder,
  events: EngineEvents,
  signal?: AbortSignal,
): Promise<EngineResult> {
  const { startVitest } = await import('vitest/node')
  const { root } = packageFacts()
  const result: EngineResult = {
    findings: [],
    errors: [],
    leftovers: [],
    beside: [],
    requests: 0,
    stopped: false,
  }
  let configuration: TaskNews['configuration']
  let heard = 0

  function hear(news: TaskNews | undefined): void {
    if (news === undefined) return
    heard += 1
    result.requests = Math.max(result.requests, news.requests)
    configuration ??= news.configuration
    if (news.ended === 'stopped') result.stopped = true
    if (news.error !== undefined) result.errors.push(news.error)
    if (news.sent !== undefined) result.sent = news.sent
    if (news.beside !== undefined) result.beside.push(...news.beside)
    if (news.leftovers !== undefined) result.leftovers.push(...news.leftovers)
    if (news.smoke !== undefined) {
      result.smoke = news.smoke
      events.smoke(news.smoke)
    }
    if (news.finding !== undefined) {
      result.findings.push(news.finding)
      events.finding(news.finding)
    }
    for (const late of news.late ?? []) {
      const at = result.findings.findIndex(({ requirement }) => requirement === late.requirement)
      if (at >= 0) result.findings[at] = late
    }
  }

  // vitest would end the worker while the interrupted check still deletes what it created: the stop is our own word.
  const stopChannel = `conformance-stop-${randomUUID()}`
  const channel = new BroadcastChannel(stopChannel)
  channel.unref()
  // Said again and again: the worker may not be listening yet.
  const telling = setInterval(() => {
    if (signal?.aborted === true) channel.postMessage('stop')
  }, 50)

  const kept = new Set(signals.flatMap((name) => process.listeners(name)))
  const exitCode = process.exitCode
  const vitest = await startVitest(
    'test',
    [],
    {
      config: false,
      root,
      dir: root,
      include: [entry.replaceAll('\\', '/')],
      exclude: [],
      watch: false,
      isolate: false,
      fileParallelism: false,
      maxWorkers: 1,
      pool: 'threads',
      testTimeout: 0,
      hookTimeout: 0,
      teardownTimeout: 2_000,
      passWithNoTests: true,
      // What is built already is loaded by Node itself, in a clone as below node_modules: over a second of each run.
      ...(written === '.js' && { server: { deps: { external: [/\.js$/] } } }),
      provide: { conformance: JSON.stringify({ ...order, stopChannel } satisfies WorkerOrder) },
      reporters: [
        {
          // vitest would end this process a millisecond after a Ctrl-C, in the middle of the clean-up.
          onInit() {
            for (const name of signals) {
              for (const each of process.listeners(name)) if (!kept.has(each)) process.off(name, each)
            }
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
  )
  clearInterval(telling)
  channel.close()
  process.exitCode = exitCode
  const unhandled = [
    ...vitest.state.getUnhandledErrors(),
    ...vitest.state.getTestModules().flatMap((module) => module.errors()),
  ]
  for (const error of unhandled) result.errors.push({ place: 'engine', message: messageOf(error) })
  if (configuration !== undefined)
    throw new ConfigurationError(configuration.fact, configuration.place, configuration.next)
  if (heard === 0 && result.errors.length === 0 && signal?.aborted !== true)
    result.errors.push({ place: 'engine', message: 'the engine ran no check at all' })
  if (signal?.aborted === true) result.stopped = true
  return result
}

function messageOf(error: unknown): string {
  const { message, stack } = error as { message?: string; stack?: string }
  return stack ?? message ?? String(error)
}
