/**
 * The thread that runs one order, and then ends.
 *
 * @module
 */

import { parentPort, workerData } from 'node:worker_threads'
import type { RunOrder } from './messages.ts'
import { runInThread } from './run-in-thread.ts'

if (parentPort === null) throw new Error('This module is a thread of its own, and is not imported.')
await runInThread(workerData as RunOrder, parentPort)
// Ends only this thread: an open connection would keep it alive.
process.exit()
