/**
 * The reference that is served at the moment. Another one with other data can take its place while requests come in.
 *
 * @module
 */

import type { Reference, ReferenceSnapshot } from '../reference/reference.ts'
import { type Respond, respondOf, servicesOf } from '../reference/services-of.ts'
import type { ExchangeLog } from './exchange-log.ts'
import { type Recording, recordExchanges } from './record-exchanges.ts'
import type { ServedData } from './served-data.ts'

interface Served {
  data: ServedData
  reference: Reference
  respond: Respond
  beginning: ReferenceSnapshot
  /** Absent if no one can read the log. */
  recording: Recording | undefined
}

export interface ReplaceableReference {
  /** @throws Error before it has started */
  now(): Served
  start(data: ServedData): Promise<void>
  /** In the order of the calls. @throws what the reference throws; then the old data stays */
  replace(data: ServedData | Promise<ServedData>): Promise<void>
  /** Records further requests with what is known of the tables now. */
  recordAnew(): void
}

/**
 * @param create makes the reference of some data
 * @param exchanges receives the requests. Absent: none are recorded
 */
export function replaceableReference(
  create: (data: ServedData) => Promise<Reference>,
  exchanges: ExchangeLog | undefined,
): ReplaceableReference {
  let present: Served | undefined
  /** Data is loaded in slices, so another load may begin meanwhile: it waits for this one. */
  let loading: Promise<void> = Promise.resolve()

  function now(): Served {
    if (present === undefined) throw new Error('The server has not been started yet.')
    return present
  }

  async function load(data: ServedData): Promise<Served> {
    const reference = await create(data)
    const recording = exchanges === undefined ? undefined : recordExchanges(reference, exchanges)
    return { data, reference, respond: respondOf(reference), beginning: reference.snapshot(), recording }
  }

  async function replaceNow(data: ServedData): Promise<void> {
    const next = await load(data)
    const before = now()
    present = next
    // What is still under way there would succeed, and no one would find what it wrote.
    const { store, background } = servicesOf(before.reference)
    store.retire()
    background.forget()
    before.recording?.stop()
    await before.reference.close()
  }

  return {
    now,
    async start(data) {
      present = await load(data)
    },
    replace(data) {
      // Also where this data is invalid: the next load waits for those before it.
      const loaded = Promise.allSettled([data, loading]).then(async () => replaceNow(await data))
      loading = loaded.catch(() => {})
      return loaded
    },
    recordAnew() {
      const served = now()
      if (exchanges === undefined) return
      served.recording?.stop()
      served.recording = recordExchanges(served.reference, exchanges)
    },
  }
}
