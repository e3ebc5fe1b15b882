/**
 * Ctrl-C and SIGTERM as a signal to wait for.
 *
 * @module
 */

/** Exit code of what Ctrl-C has ended, as shells have it. */
export const interrupted = 130

/**
 * Aborts at the first SIGINT or SIGTERM. Made before anything is announced: who reads the announcement may answer it
 * with a signal at once, which would end the process with everything left where it is.
 */
export function stopSignal(): AbortSignal {
  const controller = new AbortController()
  for (const name of ['SIGINT', 'SIGTERM'] as const) process.once(name, () => controller.abort())
  return controller.signal
}

/** Ends when the signal is aborted, at once when it is already. */
export function untilStopped(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve()
    else signal.addEventListener('abort', () => resolve(), { once: true })
  })
}
