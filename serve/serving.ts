/**
 * The reference behind a socket, together with what `conformance serve` adds: console, control endpoints, log. The
 * reference can be replaced while the socket stays open.
 *
 * @module
 */

import { createReferenceInTurns } from '../reference/create-reference.ts'
import { type Listener, listen } from '../reference/http/listen.ts'
import type {
  PretendOptions,
  Reference,
  ReferenceSnapshot,
  SmtpOptions,
  StateJson,
} from '../reference/reference.ts'
import { type Respond, respondOf, servicesOf } from '../reference/services-of.ts'
import { checkState } from '../reference/tables/check-table.ts'
import { withPretended } from '../reference/testing/pretend-provider.ts'
import { createExchangeLog, type ExchangeLog } from './exchange-log.ts'
import { type PausableClock, pausableClock } from './pausable-clock.ts'
import { createPretendPage, pretendPagePath } from './pretend-page.ts'
import { limitsIn } from './read-settings.ts'
import { type Recording, recordExchanges } from './record-exchanges.ts'
import { InvalidControlRequest, type Responding } from './respond.ts'
import type { ServedData } from './served-data.ts'
import { keepSnapshots, type Snapshots } from './snapshots.ts'

export interface ServingOptions {
  data: ServedData
  /** @default 0, any free port */
  port?: number
  prefix?: string
  seed: number
  /** ISO 8601. */
  clock?: string
  smtp?: SmtpOptions
  /** One superuser in addition to those of the data, the same after every reload. */
  superuser: { id: string; email: string; password: string; tokenKey: string }
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

interface Served {
  data: ServedData
  reference: Reference
  respond: Respond
  beginning: ReferenceSnapshot
  /** Absent if no one can read the log. */
  recording: Recording | undefined
}

/** Replaces the state with a whole state, and adds our superuser unless the state has an account with its address. */
async function takeOver(
  reference: Reference,
  state: StateJson,
  superuser: Readonly<Record<string, unknown>>,
): Promise<void> {
  await reference.importState(state)
  const taken = await reference.records.find('_superusers', { email: superuser.email })
  if (taken === undefined) await reference.records.create('_superusers', superuser)
}

/**
 * @throws the system's error if the port is not available, what the reference throws for the data, and what the
 *   functions that make handlers throw
 */
export async function startServing(options: ServingOptions): Promise<Serving> {
  const clock = pausableClock(options.clock)
  const exchanges = createExchangeLog()
  let listener: Listener | undefined
  let present: Served | undefined

  const pretendedIn = ({ settings }: ServedData): PretendOptions => ({
    ...settings?.oauth2,
    page: `${listener?.url ?? ''}${pretendPagePath}`,
  })

  async function create(data: ServedData): Promise<Served> {
    const { id, email, password, tokenKey } = options.superuser
    const own = { id, email, password, tokenKey, verified: true }
    const given = [...data.superusers, ...(data.records._superusers ?? [])]
    const taken = given.some((one) => String(one.email).toLowerCase() === email.toLowerCase())
    const reference = await createReferenceInTurns({
      tables: data.tables,
      // Ours comes first, so that its random values do not depend on the other data.
      records: {
        ...data.records,
        _superusers: [...(taken ? [] : [own]), ...(data.records._superusers ?? [])],
      },
      superusers: data.superusers,
      apiKeys: data.keys,
      seed: options.seed,
      // Kept in memory, for tests: a high cost would only slow them down.
      passwordCost: 4,
      clock: clock.clock,
      prefix: options.prefix,
      // Requests are read from `exchanges`, so bodies need not be kept twice as long as the server runs.
      keepRequests: 20,
      ...data.settings,
      limits: limitsIn(data.settings ?? {}),
      oauth2: pretendedIn(data),
      mail: {
        sender: { appURL: listener?.url ?? '', ...data.settings?.mail?.sender },
        smtp: options.smtp ?? data.settings?.mail?.smtp,
      },
    })
    if (data.state !== undefined) {
      checkState(data.state)
      const tables = data.state.tables.map((one) =>
        one.system ? one : withPretended(pretendedIn(data), one),
      )
      await takeOver(reference, { ...data.state, tables }, own)
    }
    const recording = options.record === false ? undefined : recordExchanges(reference, exchanges)
    return {
      data,
      reference,
      respond: respondOf(reference),
      beginning: reference.snapshot(),
      recording,
    }
  }

  const now = () => {
    if (present === undefined) throw new Error('The server has not been started yet.')
    return present
  }
  /** Data is loaded in slices, so another load may begin meanwhile: it waits for this one. */
  let loading: Promise<void> = Promise.resolve()
  async function replace(data: ServedData): Promise<void> {
    const next = await create(data)
    const before = now()
    present = next
    // What is still under way there would succeed, and no one would find what it wrote.
    const { store, background } = servicesOf(before.reference)
    store.retire()
    background.forget()
    before.recording?.stop()
    await before.reference.close()
  }
  const handlers: Responding[] = []
  let begin: () => void = () => {}
  const begun = new Promise<void>((resolve) => {
    begin = resolve
  })
  listener = await listen(
    async (request, ip) => {
      // Much data takes a while to load.
      if (present === undefined) await begun
      for (const handler of handlers) {
        const responding = handler(request, ip)
        // Every request of the interface passes here.
        const response = responding && (await responding)
        if (response !== undefined) return response
      }
      // A connection that was reset has no address any more. Without one, the request would count as one of this process.
      return now().respond(request, ip ?? '')
    },
    options.port ?? 0,
    '127.0.0.1',
  )
  try {
    present = await create(options.data)
  } catch (error) {
    await listener.close()
    throw error
  }
  const { url, close } = listener

  const serving: Serving = {
    url,
    prefix: present.reference.prefix,
    get reference() {
      return now().reference
    },
    exchanges,
    clock,
    snapshots: keepSnapshots(() => now().reference),
    seed: options.seed,
    get data() {
      return now().data
    },
    get oauth2() {
      return pretendedIn(now().data)
    },
    get notices() {
      const { data, reference } = now()
      return [...reference.notices, ...(data.notices ?? [])]
    },
    tablesChanged() {
      const { reference, recording } = now()
      if (recording === undefined) return
      recording.stop()
      now().recording = recordExchanges(reference, exchanges)
    },
    settled: async () => now().recording?.settled(),
    reset() {
      const { reference, beginning } = now()
      reference.restore(beginning)
      clock.reset()
    },
    reload(data) {
      // Also where this data is invalid: the next load waits for those before it.
      const loaded = Promise.allSettled([data, loading]).then(async () => replace(await data))
      loading = loaded.catch(() => {})
      return loaded
    },
    async reread() {
      if (options.reread === undefined)
        throw new InvalidControlRequest('There is no data file to read: start the server with --data.', 409)
      await serving.reload(options.reread())
    },
    async close() {
      await close()
      await now().reference.close()
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
