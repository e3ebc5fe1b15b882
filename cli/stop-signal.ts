/**
 * What ends a command that has no end of its own: Ctrl-C, SIGTERM, the end of its terminal, output that nobody takes.
 *
 * @module
 */

/** Exit code of what Ctrl-C has ended, as shells have it. */
export const interrupted = 130

/** Exit code of what writes to a pipe that nobody reads any more, as shells have it. */
const withoutReader = 141

/** Whether the code is that of a pipe, or of a socket in a pipe's place, whose other end was closed. */
export function hasNoReader(code: string | undefined): boolean {
  return code === 'EPIPE' || code === 'ECONNRESET'
}

/**
 * Aborts at the first signal, with the exit code for it as its reason. Made before anything is announced: who reads the
 * announcement may answer it with a signal at once, which would end the process with everything left where it is.
 *
 * Output that nobody takes ends a command, too: who runs `conformance serve | head -1` would wait for ever.
 */
export function stopSignal(): AbortSignal {
  const controller = new AbortController()
  for (const name of ['SIGINT', 'SIGTERM'] as const) process.once(name, () => controller.abort(0))
  // A terminal that is closed says it, and then its shell says it again.
  process.on('SIGHUP', () => controller.abort(0))
  process.stdout.once('error', () => controller.abort(withoutReader))
  return controller.signal
}

/** Ends when the signal is aborted, at once when it is already. @returns the exit code that it asks for */
export function untilStopped(signal: AbortSignal): Promise<number> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve(signal.reason)
    else signal.addEventListener('abort', () => resolve(signal.reason), { once: true })
  })
}
