/**
 * One open stream of server-sent events, with a bounded buffer between senders and the client.
 *
 * @module
 */

import { TextEncoder } from 'node:util'
import { timers } from '../../environment/timers.ts'

export interface StreamLimits {
  /** Milliseconds without an event after which the stream ends. */
  idle: number
  /** Milliseconds after which the stream always ends. */
  longest: number
  /** Most bytes that are buffered for the client. */
  buffered: number
}

export interface EventStream {
  readonly body: ReadableStream<Uint8Array>
  /** Events that are sent after the end are discarded. */
  send(event: string, data: string): void
  /** Ends the stream after everything sent before. Clients of the living family then reconnect. */
  end(): void
}

/**
 * @param id part of every event: a client that reconnects sends the last one that it received
 * @param signal ends the stream when it aborts, because the client disconnects. An error would be logged for each client
 *   of a socket
 * @param ended called once, for any kind of end
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
  // An abandoned stream must not keep the process running.
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
  signal.addEventListener('abort', end)
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
