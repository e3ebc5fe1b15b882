/**
 * Runs an order in this thread, and sends what happens as messages.
 *
 * @module
 */

import type { MessagePort } from 'node:worker_threads'
import type { News, RunOrder } from './messages.ts'
import { runOrder } from './run-order.ts'

/**
 * Errors that nothing catches become errors of the run: the clean-up must not be interrupted.
 *
 * @param port a text as a message to it means "stop"
 */
export async function runInThread(order: RunOrder, port: MessagePort): Promise<void> {
  const stop = new AbortController()
  const onMessage = (message: unknown) => {
    if (typeof message === 'string') stop.abort()
  }
  port.on('message', onMessage)

  let requests = 0
  const hear = (news: News) => {
    requests = news.requests
    port.postMessage(news)
  }
  const report = (error: unknown) => {
    const message = error instanceof Error ? (error.stack ?? error.message) : String(error)
    hear({ requests, error: { place: 'engine', message } })
  }
  process.on('uncaughtException', report).on('unhandledRejection', report)
  await runOrder(order, stop.signal, hear).catch(report)
  hear({ requests, over: true })
}
