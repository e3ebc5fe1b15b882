/**
 * One open stream of server-sent events, with a bounded buffer between those who send and the client that reads.
 *
 * @module
 */

import { timers } from '../../timers.ts'

export interface StreamLimits {
  /** Milliseconds without an event after which the stream ends. */
  idle: number
  /** Milliseconds after which it ends whatever happens. */
  longest: number
  /** Bytes that wait for the client. */
  buffered: number
}

export interface EventStream {
  readonly body: ReadableStream<Uint8Array>
  /** What is sent after the end goes nowhere. */
  send(event: string, data: string): void
  /** Ends it after what was sent before. Clients of the family connect again. */
  end(): void
}

/**
 * @param id stands in every event: where a client connects again it says which one it saw last
 * @param signal ends it when the client goes away. An error instead would be logged for each client of a socket
 * @param ended told once, however it ends
 */
export function openEventStream(
  id: string,
  limits: StreamLimits,
  signal: AbortSignal,
  ended: () => void,
): EventStream {
  const encoder = new TextEncoder()
  let controller: ReadableStreamDefaultController<Uint8Array> | undefined
  const finish = (last?: (open: ReadableStreamDefaultController<Uint8Array>) => void) => {
    if (controller === undefined) return
    const open = controller
    controller = undefined
    timers.clearTimeout(idleTimer)
    timers.clearTimeout(lifeTimer)
    signal.removeEventListener('abort', end)
    last?.(open)
    ended()
  }
  const end = () => finish((open) => open.close())
  // A forgotten stream must not keep the process running.
  const after = (milliseconds: number) => {
    const timer = timers.setTimeout(end, milliseconds)
    timer.unref()
    return timer
  }
  const body = new ReadableStream<Uint8Array>(
    {
      start(opened) {
        controller = opened
      },
      cancel: () => finish(),
    },
    { highWaterMark: limits.buffered, size: (chunk) => chunk.byteLength },
  )
  let idleTimer = after(limits.idle)
  const lifeTimer = after(limits.longest)
  if (signal.aborted) end()
  else signal.addEventListener('abort', end)
  return {
    body,
    send(event, data) {
      if (controller === undefined) return
      controller.enqueue(encoder.encode(`id:${id}\nevent:${event}\ndata:${data}\n\n`))
      if ((controller.desiredSize ?? 0) < 0)
        return finish((open) => open.error(new Error('The client reads its events too slowly.')))
      timers.clearTimeout(idleTimer)
      idleTimer = after(limits.idle)
    },
    end,
  }
}
