/**
 * Rejects with the reason of an aborted signal, as `fetch` does. The work continues, as on a server that already has
 * the request. If the signal was aborted before, the work does not start.
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
