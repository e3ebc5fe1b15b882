/**
 * An embedded target that is served by a thread of its own: two references in one thread would wait for each other as
 * long as the checks would.
 *
 * @module
 */

import { once } from 'node:events'
import { extname } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { Worker } from 'node:worker_threads'
import type { Target } from '../vocabulary/target.ts'
import type { EmbeddedOptions, EmbeddedTarget } from './embedded.ts'
import type { WorkerEnd } from './embedded-worker.ts'
import { endOffered } from './hook-channel.ts'

/** A bundle of `embedded-worker.ts`: found and read as it is, it would take a third of a second more. */
const built = new URL('../../bundle/embedded-worker.js', import.meta.url)

/** Milliseconds for a thread to end by itself. A check may have left it without rest. */
const patience = 3_000

/**
 * The same as `startEmbedded`; from the sources, which no thread can load, in this one.
 *
 * @throws Error when the thread ends before it can be asked
 */
export async function startEmbeddedThread(options: EmbeddedOptions): Promise<EmbeddedTarget> {
  if (extname(import.meta.url) === '.ts') return (await import('./embedded.ts')).startEmbedded(options)
  // With what Node was started with for somebody else, `--input-type` for example, it would refuse the file, and what is
  // preloaded would be loaded twice.
  const thread = new Worker(built, {
    workerData: options,
    execArgv: [],
  })
  const ended = new Promise<void>((resolve) => thread.once('exit', () => resolve()))
  const tooEarly = ended.then(() => {
    throw new Error('the thread of the embedded reference ended before it received a request')
  })
  const [target] = (await Promise.race([once(thread, 'message'), tooEarly])) as [Target]
  // The checks find out that nobody answers any more, and the run says so.
  thread.on('error', (error) => console.error(error))
  const silencing = ended.then(() => endOffered(target.hooks))
  return {
    target,
    async close() {
      const answered = once(thread, 'message') as Promise<[WorkerEnd]>
      thread.postMessage('close')
      let end: Awaited<typeof answered> | Awaited<typeof ended>
      try {
        end = await Promise.race([answered, ended, sleep(patience, undefined, { ref: false })])
      } finally {
        await thread.terminate()
        // Nobody asks a target that is closed, and nobody has to be told.
        const silence = await silencing
        silence()
      }
      if (end?.[0].failed !== undefined) throw new Error(end[0].failed)
    },
  }
}
