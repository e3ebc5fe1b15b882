/**
 * The thread of `startEmbeddedThread`: sends its target when it accepts requests, closes it on any message, and sends
 * the result.
 *
 * @module
 */

import { once } from 'node:events'
import { parentPort, workerData } from 'node:worker_threads'
import { messageOf } from '../errors.ts'
import { type EmbeddedOptions, startEmbedded } from './embedded.ts'

/** Its last message. */
export interface WorkerEnd {
  /** Why it could not be closed. */
  failed?: string
}

if (parentPort === null) throw new Error('This module is a thread of its own, and is not imported.')
const { target, close } = await startEmbedded(workerData as EmbeddedOptions)
const reported = once(parentPort, 'message')
parentPort.postMessage(target)
// Loaded early, while the suite is still loading, so that the first sign-in and the first email do not wait for them.
await Promise.allSettled([import('jose'), import('nodemailer')])
await reported
const end = await close().then(
  (): WorkerEnd => ({}),
  (error: unknown): WorkerEnd => ({ failed: messageOf(error) }),
)
parentPort.postMessage(end)
