/**
 * The reference behind a socket, together with what `conformance serve` adds: console, control endpoints, log. The
 * reference can be replaced while the socket stays open.
 *
 * @module
 */

import { listen } from '../reference/http/listen.ts'
import type { PretendOptions, Reference } from '../reference/reference.ts'
import { createExchangeLog, type ExchangeLog } from './exchange-log.ts'
import { type PausableClock, pausableClock } from './pausable-clock.ts'
import { createPretendPage } from './pretend-page.ts'
import { pretendedIn, referenceOf, type ServedReferenceOptions } from './reference-of.ts'
import { replaceableReference } from './replaceable-reference.ts'
import { InvalidControlRequest, type Responding } from './respond.ts'
import type { ServedData } from './served-data.ts'
import { keepSnapshots, type Snapshots } from './snapshots.ts'

export interface ServingOptions extends ServedReferenceOptions {
  data: ServedData
  /** @default 0, any free port */
  port?: number
  /** ISO 8601. */
  clock?: string
  /** Whether requests are recorded for `exchanges`. Without it they cost less. @default true */
  record?: boolean
  /** Reads the data file again. Absent if there is none. */
  reread?: () => Promise<ServedData>
  /** Further handlers, called in this order before the interface. */
  handlers?: readonly ((serving: Serving) => Responding)[]
}

export interface Serving {
  /** Origin: `http://127.0.0.1:8090`. */
  readonly url: string
  readonly prefix: string
  /** The current reference. */
  readonly reference: Reference
  readonly exchanges: ExchangeLog
  readonly clock: PausableClock
  readonly snapshots: Snapshots
  readonly seed: number
  /** How identity providers are pretended. */
  readonly oauth2: PretendOptions
  /** The data that was loaded last. */
  readonly data: ServedData
  /** Messages about parts of the data that were left out or have no effect. */
  readonly notices: readonly string[]
  /** Resolves when all requests up to now are logged and validated. */
  settled(): Promise<void>
  /** Returns to the initial data, and the clock to its initial time. */
  reset(): void
  /** Call it after adding tables: responses are validated against all tables. */
  tablesChanged(): void
  /** Reads the data file again. @throws InvalidControlRequest 409 if there is none, and what `reload` throws */
  reread(): Promise<void>
  /** Restarts with other data, in the order of the calls. @throws what the reference throws; then the old data stays */
  reload(data: ServedData | Promise<ServedData>): Promise<void>
  close(): Promise<void>
}

/**
 * @throws the system's error if the port is not available, what the reference throws for the data, and what the
 *   functions that make handlers throw
 */
export async function startServing(options: ServingOptions): Promise<Serving> {
  const clock = pausableClock(options.clock)
  const exchanges = createExchangeLog()
  let url = ''
  const served = replaceableReference(
    (data) => referenceOf(data, options, url, clock),
    options.record === false ? undefined : exchanges,
  )
  const handlers: Responding[] = []
  let begin: () => void = () => {}
  const begun = new Promise<void>((resolve) => {
    begin = resolve
  })
  const listener = await listen(
    async (request, ip) => {
      // Much data takes a while to load. The handlers are there after it.
      if (handlers.length === 0) await begun
      for (const handler of handlers) {
        const responding = handler(request, ip)
        // Every request of the interface passes here.
        const response = responding && (await responding)
        if (response !== undefined) return response
      }
      // A connection that was reset has no address any more. Without one, the request would count as one of this process.
      return served.now().respond(request, ip ?? '')
    },
    options.port ?? 0,
    '127.0.0.1',
  )
  url = listener.url
  try {
    await served.start(options.data)
  } catch (error) {
    await listener.close()
    throw error
  }

  const serving: Serving = {
    url,
    prefix: served.now().reference.prefix,
    get reference() {
      return served.now().reference
    },
    exchanges,
    clock,
    snapshots: keepSnapshots(() => served.now().reference),
    seed: options.seed,
    get data() {
      return served.now().data
    },
    get oauth2() {
      return pretendedIn(served.now().data, url)
    },
    get notices() {
      const { data, reference } = served.now()
      return [...reference.notices, ...(data.notices ?? [])]
    },
    tablesChanged: served.recordAnew,
    settled: async () => served.now().recording?.settled(),
    reset() {
      const { reference, beginning } = served.now()
      reference.restore(beginning)
      clock.reset()
    },
    reload: served.replace,
    async reread() {
      if (options.reread === undefined)
        throw new InvalidControlRequest('There is no data file to read: start the server with --data.', 409)
      await serving.reload(options.reread())
    },
    async close() {
      await listener.close()
      await served.now().reference.close()
    },
  }
  try {
    for (const make of [createPretendPage, ...(options.handlers ?? [])]) handlers.push(make(serving))
  } catch (error) {
    await serving.close()
    throw error
  }
  begin()
  return serving
}
