/**
 * Starts a worker thread for each assignment and collects its messages.
 *
 * @module
 */

import { extname } from 'node:path'
import type { Worker } from 'node:worker_threads'
import { ConfigurationError } from '../errors.ts'
import { startThread } from '../support/start-thread.ts'
import type { Finding } from '../vocabulary/finding.ts'
import type { Smoke } from '../vocabulary/report.ts'
import { type EnginePart, type EngineResult, nothingYet, together } from './engine-result.ts'
import type { Assignment, News, ToWorker } from './messages.ts'

export interface EngineEvents {
  smoke(smoke: Smoke): void
  finding(finding: Finding): void
}

// A function: in a CommonJS bundle there is no place, and `readData` says what to do.
const worker = () => new URL(`./worker${extname(import.meta.url)}`, import.meta.url)

/**
 * Runs one assignment, or two at the same time.
 *
 * @param hosts threads that run an assignment each, in that of its server. @default new ones, which end with it
 * @throws ConfigurationError of a smoke check
 */
export async function runAssignments(
  assignments: readonly [Assignment] | readonly [Assignment, Assignment],
  events: EngineEvents,
  signal?: AbortSignal,
  hosts: readonly Worker[] = [],
): Promise<EngineResult> {
  const parts = assignments.map(nothingYet)
  const workers = assignments.map(
    (assignment, at) => givenTo(hosts[at], assignment) ?? startThread(worker(), assignment),
  )
  let configuration: News['configuration']

  const stop = () => {
    for (const worker of workers) worker.postMessage('stop' satisfies ToWorker)
  }
  let broken: { error: unknown } | undefined
  const onNews = (part: EnginePart, news: News) => {
    enter(part, news)
    try {
      tell(part, news)
    } catch (error) {
      // An error of a listener: what was created is deleted first.
      broken ??= { error }
      stop()
    }
  }
  const tell = (part: EnginePart, news: News) => {
    configuration ??= news.configuration
    // The findings of the other one would no longer count.
    if (news.ended === 'lost' || news.ended === 'configuration') stop()
    // Both are equal: the first one is reported before any finding.
    if (news.smoke !== undefined && parts.every((each) => each === part || each.smoke === undefined))
      events.smoke(news.smoke)
    if (news.finding !== undefined) events.finding(news.finding)
  }

  if (signal?.aborted === true) stop()
  signal?.addEventListener('abort', stop)
  try {
    await Promise.all(
      workers.map((worker, at) => {
        const part = parts[at] as EnginePart
        return endOf(worker, part, stop, (news) => onNews(part, news))
      }),
    )
  } finally {
    signal?.removeEventListener('abort', stop)
  }
  if (broken !== undefined) throw broken.error
  if (configuration !== undefined)
    throw new ConfigurationError(configuration.fact, configuration.place, configuration.next)
  return together(parts)
}

function givenTo(host: Worker | undefined, assignment: Assignment): Worker | undefined {
  host?.postMessage({ assignment } satisfies ToWorker)
  return host
}

/** Adds a message of a worker to its result. */
export function enter(part: EnginePart, news: News): void {
  part.requests = news.requests
  if (news.ended === 'stopped') part.stopped = true
  if (news.smoke !== undefined) part.smoke = news.smoke
  if (news.finding !== undefined) part.findings.push(news.finding)
  if (news.error !== undefined) part.errors.push(news.error)
  if (news.end === undefined) return
  const { late, otherViolations, leftovers, foreign, unlisted, journalError } = news.end
  const { coverage, sent, connections, rateLimit } = news.end
  part.whole = true
  part.late.push(...late)
  part.otherViolations.push(...otherViolations)
  part.leftovers.push(...leftovers)
  part.foreign.push(...foreign)
  part.unlisted.push(...unlisted)
  part.journalError = journalError
  part.coverage = coverage
  part.sent = sent
  part.connections = connections
  part.rateLimit = rateLimit
}

/** Waits until a worker has done its assignment. If it ends early, that is an error of the run and stops the other. */
async function endOf(
  worker: Worker,
  part: EnginePart,
  stop: () => void,
  onNews: (news: News) => void,
): Promise<void> {
  worker.on('error', (error) => {
    part.errors.push({ place: 'engine', message: error.stack ?? String(error) })
    stop()
  })
  const code = await new Promise<number>((resolve) => {
    worker.once('exit', resolve)
    const onMessage = (news: News) => {
      onNews(news)
      if (news.over !== true) return
      worker.off('message', onMessage)
      resolve(0)
    }
    worker.on('message', onMessage)
  })
  if (!part.whole && part.errors.length === 0)
    part.errors.push({
      place: 'engine',
      message: `a worker exited before its checks were complete (${code})`,
    })
}
