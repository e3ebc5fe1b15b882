import { KeptBody } from './kept-body.ts'

/**
 * Reads a copy of the body of a Request or Response. The body itself is left for its owner to read.
 *
 * @param limit bytes; no more than that is read ahead of the owner
 * @param signal ends the reading, where nobody waits for the body any more
 * @returns undefined when there is more than `limit`
 * @throws what the body breaks off with, or the reason of the signal
 */
export async function peekBody(
  message: Request | Response,
  limit: number,
  signal?: AbortSignal,
): Promise<Uint8Array | undefined> {
  const kept = new KeptBody(limit)
  const reader = message.clone().body?.getReader()
  if (reader === undefined) return kept.bytes()
  // A copy is only cancelled for good together with the original, so its end is nothing to wait for.
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
