/**
 * Jobs for processes of this project: each process takes the next job when it is done with one. The matrices of the
 * faults, the liars and the mutants use it.
 *
 * @module
 */

import { fork } from 'node:child_process'
import { once } from 'node:events'
import { availableParallelism } from 'node:os'
import { fileURLToPath } from 'node:url'

export interface Pool<Job, Answer> {
  /** A TypeScript file that takes one job per message and returns one message for each. */
  worker: URL
  args: readonly string[]
  /** The longest first, so that no process is left alone with it at the end. */
  jobs: readonly Job[]
  /**
   * @default one more than there are cores, since a job waits for emails and time limits now and then; four at most, and
   * one for each eight jobs, since a process takes as long to start as several of them
   */
  workers?: number
  /** In the order in which they are done. */
  onAnswer(response: Answer): void
}

/**
 * Runs every job once.
 *
 * @throws Error when a process ends unexpectedly
 */
export async function runJobs<Job extends object, Answer>({
  worker,
  args,
  jobs,
  workers = Math.min(4, availableParallelism() + 1, Math.ceil(jobs.length / 8)),
  onAnswer: onResponse,
}: Pool<Job, Answer>): Promise<void> {
  const waiting = [...jobs]
  const file = fileURLToPath(worker)
  const processes = Array.from({ length: Math.min(workers, waiting.length) }, () =>
    work(file, args, waiting, onResponse),
  )
  await Promise.all(processes)
}

/** One process, until no job is left. */
async function work<Job extends object, Answer>(
  file: string,
  args: readonly string[],
  jobs: Job[],
  hear: (response: Answer) => void,
): Promise<void> {
  const worker = fork(file, args, { execArgv: ['--import', 'tsx'] })
  const ended = once(worker, 'exit')
  try {
    for (let job = jobs.shift(); job !== undefined; job = jobs.shift()) {
      const responded = once(worker, 'message')
      worker.send(job)
      const [response] = (await Promise.race([responded, ended.then(gone)])) as [Answer]
      hear(response)
    }
    worker.disconnect()
    await ended
  } finally {
    worker.kill()
  }
}

function gone([code, signal]: unknown[]): never {
  throw new Error(`A worker process ended unexpectedly (${code ?? signal}). Its output above says why.`)
}
