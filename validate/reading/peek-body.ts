import { KeptBody } from './kept-body.ts'

/**
 * Reads a copy of the body of a Request or Response. The owner can still read the body.
 *
 * @param limit maximum number of bytes that are read before the owner reads them
 * @param signal aborts reading if the body is no longer needed
 * @returns undefined if there is more than `limit`
 * @throws the error of the body, or the reason of the signal
 */
export async function peekBody(
  message: Request | Response,
  limit: number,
  signal?: AbortSignal,
): Promise<Uint8Array | undefined> {
  const kept = new KeptBody(limit)
  const reader = message.clone().body?.getReader()
  if (reader === undefined) return kept.bytes()
  // Cancelling a copy resolves only together with the original, so it is not awaited.
  const stop = () => void reader.cancel().catch(() => {})
  signal?.addEventListener('abort', stop)
  try {
    for (;;) {
      const { done, value } = await reader.read()
      signal?.throwIfAborted()
      if (done) return kept.bytes()
      kept.add(value)
      if (!kept.over) continue
      stop()
      return undefined
    }
  } finally {
    signal?.removeEventListener('abort', stop)
  }
}
