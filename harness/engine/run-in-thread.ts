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
  let requests = 0
  const onNews = (news: News) => {
    requests = news.requests
    port.postMessage(news)
  }
  const report = (error: unknown) => {
    const message = error instanceof Error ? (error.stack ?? error.message) : String(error)
    onNews({ requests, error: { place: 'engine', message } })
  }
  process.on('uncaughtException', report).on('unhandledRejection', report)
  await runAssignment(assignment, stop, onNews).catch(report)
  onNews({ requests, over: true })
}
