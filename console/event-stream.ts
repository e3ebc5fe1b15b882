/**
 * What happens on the server, as server-sent events: `request` with its exchange, `mail` with the number of mails,
 * `state` when everything may have changed.
 *
 * @module
 */

import { summaryOf } from '../serve/logged-exchange.ts'
import type { Serving } from '../serve/serving.ts'

/** Mails are handed over behind the answers: they are looked for, as long as somebody listens. */
const lookMs = 250

export function eventStream(serving: Serving): Response {
  const encoder = new TextEncoder()
  let stop = () => {}
  const body = new ReadableStream<Uint8Array>({
    start(controller) {
      const send = (event: string, data: unknown) =>
        controller.enqueue(encoder.encode(`event: ${event}\ndata: ${JSON.stringify(data)}\n\n`))
      const unfollow = serving.exchanges.follow((exchange) => send('request', summaryOf(exchange)))
      let seen = marks(serving)
      const timer = setInterval(() => {
        const present = marks(serving)
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
  })
  return new Response(body, {
    headers: {
      'Content-Type': 'text/event-stream',
      'Cache-Control': 'no-store',
      'X-Content-Type-Options': 'nosniff',
    },
  })
}

/** Cheap to compare: a store that changed has another root. */
function marks({ reference, clock }: Serving) {
  const { ahead, frozen } = clock.facts()
  return {
    mails: reference.mail.outbox.length,
    root: reference.services.store.snapshot().root,
    clock: frozen ? clock.facts().now : Math.round(ahead / 1000),
  }
}
