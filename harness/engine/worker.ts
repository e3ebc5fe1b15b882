/**
 * The thread that runs one order.
 *
 * @module
 */

import { parentPort, workerData } from 'node:worker_threads'
import type { News, RunOrder } from './messages.ts'
import { runOrder } from './run-order.ts'

const stop = new AbortController()
parentPort?.on('message', () => stop.abort())

let requests = 0
const hear = (news: News) => {
  requests = news.requests
  parentPort?.postMessage(news)
}
const report = (error: unknown) => {
  const message = error instanceof Error ? (error.stack ?? error.message) : String(error)
  hear({ requests, error: { place: 'engine', message } })
}
// An unhandled rejection must not interrupt the clean-up.
process.on('uncaughtException', report).on('unhandledRejection', report)

await runOrder(workerData as RunOrder, stop.signal, hear).catch(report)
// Ends only this thread: an open connection would keep it alive.
process.exit()
