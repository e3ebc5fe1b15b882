/**
 * What a client that went away waits for: the reason of its signal, as from `fetch`. The work goes on, as on a server
 * that has the request already; with a signal that has aborted before, it does not begin.
 *
 * @throws the reason of the signal
 */
export function untilAborted<T>(signal: AbortSignal, work: () => Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    const abort = () => reject(signal.reason)
    if (signal.aborted) return abort()
    signal.addEventListener('abort', abort, { once: true })
    work()
      .finally(() => signal.removeEventListener('abort', abort))
      .then(resolve, reject)
  })
}
