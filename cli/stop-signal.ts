/**
 * What ends a command that has no end of its own: Ctrl-C, SIGTERM, the end of its terminal, output that no one reads.
 *
 * @module
 */

import { constants } from 'node:os'

/** Signals that request a command to stop. */
const stopSignals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const

/** Exit code of a command that a signal ended, as shells have it: 130 for SIGINT, 143 for SIGTERM, 129 for SIGHUP. */
export function exitCodeOf(signal: NodeJS.Signals): number {
  return 128 + constants.signals[signal]
}

/** The exit code that shells give a program that writes to a closed pipe. */
const withoutReader = 141

/** Whether the code means a pipe, or a socket used as one, whose other end was closed. */
export function hasNoReader(code: string | undefined): boolean {
  return code === 'EPIPE' || code === 'ECONNRESET'
}

/** Why a command stops. */
interface Stop {
  /** Exit code of a command that runs until it is stopped: to be stopped by a signal is its usual end. */
  usual: number
  /** Exit code of a command that had more to do. */
  early: number
}

/**
 * Aborts at the first signal. Made before anything is announced: a reader of the announcement may respond with a signal
 * immediately, which would end the process with everything left as it is.
 *
 * Output that no one reads ends a command as well: otherwise `conformance serve | head -1` would wait forever.
 */
export function stopSignal(): AbortSignal {
  const controller = new AbortController()
  const stop = (reason: Stop) => controller.abort(reason)
  for (const name of stopSignals) {
    const onSignal = () => stop({ usual: 0, early: exitCodeOf(name) })
    // A terminal that is closed says it, and then its shell says it again.
    if (name === 'SIGHUP') process.on(name, onSignal)
    else process.once(name, onSignal)
  }
  process.stdout.once('error', () => stop({ usual: withoutReader, early: withoutReader }))
  return controller.signal
}

/** Ends when the signal is aborted, or immediately if it already is. @returns the exit code that it requests */
export function untilStopped(signal: AbortSignal): Promise<number> {
  return new Promise((resolve) => {
    const end = () => resolve((signal.reason as Stop).usual)
    if (signal.aborted) end()
    else signal.addEventListener('abort', end, { once: true })
  })
}

/** Exit code of a command that was stopped before its work began. @param signal that is aborted */
export function stoppedEarly(signal: AbortSignal): number {
  return (signal.reason as Stop).early
}

/**
 * Milliseconds in which a repeated signal is the same one: `timeout` sends it to the process and then to its group, and so
 * does a supervisor that stops npm and what npm has started.
 */
const sameSignal = 500

/** Of a command that deletes what its runs created, if they created anything: only their workers know. */
export const stoppingLine =
  'stopping: the run first deletes what it created, if anything (press Ctrl-C again to leave it)'

/** Aborts at the first signal, with its name as the reason; a later Ctrl-C or SIGTERM ends the process immediately. */
export function untilInterrupted(announce: () => void): { signal: AbortSignal; done(): void } {
  const controller = new AbortController()
  let first = 0
  const stop = (name: NodeJS.Signals) => {
    if (!controller.signal.aborted) {
      first = performance.now()
      announce()
      controller.abort(name)
      return
    }
    const isRepeated = performance.now() - first < sameSignal
    // A terminal that is closed says it, and then its shell says it again: no one is impatient.
    if (name !== 'SIGHUP' && !isRepeated) process.exit(exitCodeOf(name))
  }
  for (const name of stopSignals) process.on(name, stop)
  return {
    signal: controller.signal,
    done: () => {
      for (const name of stopSignals) process.off(name, stop)
    },
  }
}
