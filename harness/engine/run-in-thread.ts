/**
 * Runs an assignment in this thread, and reports its progress in messages.
 *
 * @module
 */

import type { MessagePort } from 'node:worker_threads'
import type { Assignment, News } from './messages.ts'
import { runAssignment } from './run-assignment.ts'

/**
 * Errors that nothing catches become errors of the run: the clean-up must not be interrupted.
 *
 * @param port receives what happens
 * @param stop ends the run, also if it is aborted already
 */
export async function runInThread(
  assignment: Assignment,
  port: MessagePort,
  stop: AbortSignal,
): Promise<void> {
  const tell = (news: News) => port.postMessage(news)
  await runToItsEnd(assignment, tell, stop, (report) => {
    process.on('uncaughtException', report).on('unhandledRejection', report)
  })
}

/**
 * Reports the progress of an assignment, then an error that ends it, and last that it is over.
 *
 * @param onStart gets what reports further errors of the run
 */
export async function runToItsEnd(
  assignment: Assignment,
  tell: (news: News) => void,
  stop: AbortSignal,
  onStart?: (report: (error: unknown) => void) => void,
): Promise<void> {
  let requests = 0
  const onNews = (news: News) => {
    requests = news.requests
    tell(news)
  }
  const report = (error: unknown) => {
    const message = error instanceof Error ? (error.stack ?? error.message) : String(error)
    onNews({ requests, error: { place: 'engine', message } })
  }
  onStart?.(report)
  await runAssignment(assignment, stop, onNews).catch(report)
  onNews({ requests, over: true })
}
