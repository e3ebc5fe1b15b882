/**
 * What happens on the server, as server-sent events: `request` with its exchange, `mail` with the number of emails,
 * `state` when everything may have changed, `missed` with the number of requests that were not recorded, `behind` when
 * the page must reload its data, because requests came faster than it read them.
 *
 * @module
 */

import { servicesOf } from '../../reference/services-of.ts'
import { summaryOf } from '../exchange-summary.ts'
import type { Serving } from '../serving.ts'

/** Milliseconds between checks for new emails, which are delivered after the responses. */
const lookMs = 250

/**
 * Bytes that wait for a page that does not read them. Further requests are left out, and the page reloads.
 */
const mostUnread = 1024 * 1024

export function eventStream(serving: Serving): Response {
  const encoder = new TextEncoder()
  let stop = () => {}
  let behind = false
  const source = {
    start(controller: ReadableStreamDefaultController<Uint8Array>) {
      const send = (event: string, data: unknown) =>
        controller.enqueue(encoder.encode(`event: ${event}\ndata: ${JSON.stringify(data)}\n\n`))
      const hasRoom = () => (controller.desiredSize ?? 0) > 0
      const unfollow = serving.exchanges.follow((exchange) => {
        if (hasRoom()) send('request', summaryOf(exchange))
        else behind = true
      })
      let seen = marks(serving)
      const timer = setInterval(() => {
        if (!hasRoom()) return
        const present = marks(serving)
        if (behind) send('behind', null)
        behind = false
        if (present.missed !== seen.missed) send('missed', present.missed)
        if (present.mails !== seen.mails) send('mail', present.mails)
        if (present.root !== seen.root || present.clock !== seen.clock) send('state', null)
        seen = present
      }, lookMs)
      timer.unref()
      stop = () => {
        clearInterval(timer)
        unfollow()
      }
      send('hello', null)
    },
    cancel: () => stop(),
  }
  const body = new ReadableStream<Uint8Array>(
    source,
    new ByteLengthQueuingStrategy({ highWaterMark: mostUnread }),
  )
  return eventResponse(body)
}

/** A response with server-sent events. */
export function eventResponse(body: ReadableStream<Uint8Array>): Response {
  return new Response(body, {
    headers: {
      'Content-Type': 'text/event-stream',
      'Cache-Control': 'no-store',
      'X-Content-Type-Options': 'nosniff',
    },
  })
}

/** Cheap to compare: every change gives the store a new root. */
function marks({ reference, clock, exchanges }: Serving) {
  const { ahead, frozen } = clock.facts()
  return {
    missed: exchanges.notRecorded,
    mails: reference.mail.outbox.length,
    root: servicesOf(reference).store.snapshot().root,
    clock: frozen ? clock.facts().now : Math.round(ahead / 1000),
  }
}
