/**
 * An embedded target in its own thread: two references in one thread would block each other as the checks would.
 *
 * @module
 */

import { once } from 'node:events'
import { extname } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Worker } from 'node:worker_threads'
import type { ToWorker } from '../engine/messages.ts'
import { startThread } from '../support/start-thread.ts'
import type { Target } from '../vocabulary/target.ts'
import type { EmbeddedOptions, EmbeddedTarget } from './embedded.ts'
import type { WorkerEnd } from './embedded-worker.ts'
import { endOffered } from './offer-hooks.ts'

// A function: in a CommonJS bundle there is no place, and `readData` says what to do.
const worker = () => new URL(`./embedded-worker${extname(import.meta.url)}`, import.meta.url)

/** Milliseconds for a thread to end on its own. A check may have left it busy. */
const patience = 3_000

export interface EmbeddedThread extends EmbeddedTarget {
  /** Also runs an assignment, without a change of threads at each request. */
  thread: Worker
}

/**
 * The same as `startEmbedded`, in its own thread.
 *
 * @throws Error if the thread ends before it accepts requests
 */
export async function startEmbeddedThread(options: EmbeddedOptions): Promise<EmbeddedThread> {
  const thread = startThread(worker(), options)
  const ended = new Promise<void>((resolve) => thread.once('exit', () => resolve()))
  const tooEarly = ended.then(() => {
    throw new Error('the thread of the embedded reference ended before it received a request')
  })
  const [target] = (await Promise.race([once(thread, 'message'), tooEarly])) as [Target]
  // The checks notice that the target no longer responds, and the run reports it.
  thread.on('error', (error) => console.error(error))
  const silencing = ended.then(() => endOffered(target.hooks))
  return {
    target,
    thread,
    async close() {
      const responded = lastOf(thread)
      thread.postMessage('close' satisfies ToWorker)
      let end: WorkerEnd | undefined
      try {
        const gaveUp = sleep(patience, undefined, { ref: false })
        end = (await Promise.race([responded, ended, gaveUp])) ?? undefined
      } finally {
        await thread.terminate()
        // A closed target is no longer used, so nothing needs to be reported.
        const silence = await silencing
        silence()
      }
      if (end?.failed !== undefined) throw new Error(end.failed)
    },
  }
}

/** News of an assignment may still come before it. */
function lastOf(thread: Worker): Promise<WorkerEnd> {
  return new Promise((resolve) => {
    thread.on('message', (message: object) => {
      if ('closed' in message) resolve(message as WorkerEnd)
    })
  })
}
