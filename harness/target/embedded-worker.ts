/**
 * The thread of `startEmbeddedThread`: tells its target once it can be asked, closes it when it is told anything, and
 * tells how that went.
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
const told = once(parentPort, 'message')
parentPort.postMessage(target)
// The first sign-in and the first mail would wait for them. As yet the suite is being loaded.
await Promise.allSettled([import('jose'), import('nodemailer')])
await told
const end = await close().then(
  (): WorkerEnd => ({}),
  (error: unknown): WorkerEnd => ({ failed: messageOf(error) }),
)
parentPort.postMessage(end)
