import type { Readable } from 'node:stream'
import { KeptBody } from './kept-body.ts'
import { peekStream } from './peek-stream.ts'

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
  const body: unknown = message.body
  // node-fetch: a copy that is read alone comes to a halt after some KiB.
  if (isReadable(body)) return within(limit, await peekStream(body, limit))
  if (isKeeping(message)) return peekKept(message, limit)
  // A polyfill of fetch without streams.
  if (body === undefined) return within(limit, new Uint8Array(await message.clone().arrayBuffer()))
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

function isReadable(body: unknown): body is Readable {
  return typeof (body as Partial<Readable> | null)?.unshift === 'function'
}

/**
 * A Response of happy-dom keeps its bytes once they are read, and says by a property of its own that they were. Its `clone`
 * is empty, and empties the original, if the body has arrived before.
 */
function isKeeping(message: Request | Response): message is Response {
  return 'ok' in message && Object.getOwnPropertyDescriptor(message, 'bodyUsed')?.writable === true
}

async function peekKept(response: Response, limit: number): Promise<Uint8Array | undefined> {
  const hadStream = Boolean(response.body)
  const bytes = await response.arrayBuffer()
  Object.assign(response, { bodyUsed: false })
  // The stream was read. That of a copy comes from the bytes.
  if (hadStream) Object.defineProperty(response, 'body', { value: response.clone().body, configurable: true })
  return within(limit, new Uint8Array(bytes))
}

function within(limit: number, bytes: Uint8Array | undefined): Uint8Array | undefined {
  return bytes !== undefined && bytes.length > limit ? undefined : bytes
}
