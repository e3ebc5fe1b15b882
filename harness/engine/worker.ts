/**
 * The thread that runs one assignment, and then ends.
 *
 * @module
 */

import { parentPort, workerData } from 'node:worker_threads'
import type { Assignment } from './messages.ts'
import { runInThread } from './run-in-thread.ts'

if (parentPort === null) throw new Error('This module is a thread of its own, and is not imported.')
const stop = new AbortController()
// The only message to it is "stop".
parentPort.on('message', () => stop.abort())
await runInThread(workerData as Assignment, parentPort, stop.signal)
// Ends only this thread: an open connection would keep it alive.
process.exit()
