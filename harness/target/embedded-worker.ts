/**
 * The thread of `startEmbeddedThread`: sends its target when it accepts requests, then does as `ToWorker` says. Its last
 * message says how closing ended. docs/decisions/016.
 *
 * @module
 */

import { parentPort, workerData } from 'node:worker_threads'
import type { ToWorker } from '../engine/messages.ts'
import { messageOf } from '../errors.ts'
import { type EmbeddedOptions, startEmbedded } from './embedded.ts'

/** Its last message. */
export interface WorkerEnd {
  closed: true
  /** Why it could not be closed. */
  failed?: string
}

if (parentPort === null) throw new Error('This module is a thread of its own, and is not imported.')
const { target, close } = await startEmbedded(workerData as EmbeddedOptions)
const port = parentPort
// Here, not in the engine: the message to stop may come while the engine is still being loaded.
const stop = new AbortController()
const closing = new Promise<void>((resolve) => {
  port.on('message', async (message: ToWorker) => {
    if (typeof message === 'string') {
      stop.abort()
      if (message === 'close') resolve()
      return
    }
    const { runInThread } = await import('../engine/run-in-thread.ts')
    await runInThread(message.assignment, port, stop.signal)
  })
})
port.postMessage(target)
await closing
const end = await close().then(
  (): WorkerEnd => ({ closed: true }),
  (error: unknown): WorkerEnd => ({ closed: true, failed: messageOf(error) }),
)
port.postMessage(end)
