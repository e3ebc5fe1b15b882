/**
 * What runs an assignment in the thread of a test, instead of the thread of `harness/engine/worker.ts`: a new thread
 * takes a second to load and compile the suite, more than most of the checks of a test.
 *
 * @module
 */

import { EventEmitter } from 'node:events'
import type { Assignment, News, ToWorker } from '../../harness/engine/messages.ts'
import { runToItsEnd } from '../../harness/engine/run-in-thread.ts'

/** As `Worker`, for what `harness/engine/engine.ts` uses of it. */
export class WorkerHere extends EventEmitter {
  readonly #stop = new AbortController()

  /** @param assignment is copied, as messages between threads are */
  constructor(assignment: Assignment) {
    super()
    void this.#run(structuredClone(assignment))
  }

  postMessage(message: ToWorker): void {
    if (message === 'stop') this.#stop.abort()
  }

  async #run(assignment: Assignment): Promise<void> {
    // The engine listens once this has been created.
    await undefined
    const tell = (news: News) => void this.emit('message', structuredClone(news))
    await runToItsEnd(assignment, tell, this.#stop.signal)
  }
}
