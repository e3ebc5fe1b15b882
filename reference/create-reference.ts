/**
 * Puts a reference together from its parts.
 *
 * @module
 */

import { rememberRequest } from '../exchange/remember-request.ts'
import type { TableDefinition } from '../spec/table-definition.ts'
import { createApp } from './app.ts'
import { apiKeysTable, createApiKeys, type NewApiKey, plantApiKey } from './auth/api-keys.ts'
import { createMailbox, EmailNotSent, smtpDelivery } from './auth/mail/mailbox.ts'
import { unfinishedProviders } from './auth/oauth2/known-providers.ts'
import { withSecrets } from './auth/secrets.ts'
import { addressList } from './auth/superusers.ts'
import { createTokens } from './auth/tokens.ts'
import { createBackground } from './background.ts'
import { checkOptions } from './check-options.ts'
import { rateLimitNotices } from './check-rate-limit-rule.ts'
import type { KnownField, TableInputs } from './define-tables.ts'
import { type Clock, createEnvironment, type ReferenceEnvironment } from './environment.ts'
import { addExtras } from './extras/add-extras.ts'
import { storedFile } from './extras/files/stored-file.ts'
import { createRealtime } from './extras/realtime/realtime.ts'
import { superuserStream } from './extras/realtime/superuser-stream.ts'
import type { Overrides } from './factory/make.ts'
import { preflight } from './http/respond.ts'
import { nativeResponse } from './http/text-response.ts'
import { atOnce, inTurns, type Pieces } from './in-turns.ts'
import { checkLimits } from './limits.ts'
import { type Listener, listen } from './listen.ts'
import { createMemory, type MemoryState } from './memory.ts'
import {
  checkPrefix,
  defaultBatch,
  defaultRateLimits,
  defaultSender,
  defaultThrottle,
  type ReferenceOptions,
  readClock,
} from './options.ts'
import { compileRule } from './query/rule.ts'
import { createRecordsApi } from './records-api.ts'
import type { AnyReference, Reference, ReferenceSnapshot } from './reference-types.ts'
import { filesWithoutContent, hashesTakenAsPasswords, type Seed, seed } from './seed.ts'
import type { Services } from './services.ts'
import { withServices } from './services-of.ts'
import type { WholeState } from './state-json.ts'
import { Store } from './store/store.ts'
import { TransactionWriter } from './store/writer.ts'
import { addTables } from './tables/add-tables.ts'
import { readDefinitions, withoutViews } from './tables/read-definitions.ts'
import { systemTables } from './tables/system.ts'
import { actorsOf, tokensFor } from './testing/actors.ts'
import { createFaults } from './testing/faults.ts'
import { createPretendProvider, withPretended } from './testing/pretend-provider.ts'
import { createRequestLog } from './testing/request-log.ts'
import { withLogAndFaults } from './testing/with-log-and-faults.ts'
import { untilAborted } from './until-aborted.ts'

/** The origin for paths without one. Never resolved. */
const origin = 'http://reference.invalid'

/** The states of snapshots, which do not expose them. */
const snapshots = new WeakMap<ReferenceSnapshot, WholeState>()

/** The records by table, without tables for which there are none. */
function givenRecords({ records = {} }: ReferenceOptions): Seed['records'] {
  return Object.fromEntries(
    Object.entries(records).flatMap(([name, rows]) => (rows === undefined ? [] : [[name, rows]])),
  )
}

/** The initial state of a reference. */
interface Beginning {
  store: Store
  keys: readonly NewApiKey[]
  notices: readonly string[]
  /** Names of the views that were left out. */
  views: readonly string[]
  memory?: MemoryState
}

function* begin(options: ReferenceOptions, environment: ReferenceEnvironment): Pieces<Beginning> {
  const { tables, views, notices } = withoutViews(readDefinitions(options.tables ?? []))
  try {
    const records = givenRecords(options)
    const hashes = hashesTakenAsPasswords(records)
    const { definitions, ...filled } = yield* fill(options, tables, records, environment)
    const all = [...filled.store.current.tables()]
    const files = filesWithoutContent(all, records)
    return {
      ...filled,
      views,
      notices: [...notices, ...unfinishedProviders(definitions), ...hashes, ...files],
    }
  } catch (error) {
    // A relation to a view is rejected as if the view did not exist.
    if (error instanceof Error) error.message = [error.message, ...notices].join('\n')
    throw error
  }
}

function* fill(
  options: ReferenceOptions,
  tables: readonly TableDefinition[],
  records: Seed['records'],
  environment: ReferenceEnvironment,
): Pieces<Pick<Beginning, 'store' | 'keys'> & { definitions: TableDefinition[] }> {
  const store = new Store()
  const complete = (definition: TableDefinition) =>
    withSecrets(withPretended(options.oauth2 ?? {}, definition), environment)
  addTables(
    store,
    [...systemTables, apiKeysTable].map((definition) => withSecrets(definition, environment)),
  )
  const definitions = tables.map(complete)
  addTables(store, definitions, compileRule)
  // The store is not shared yet, so the first records need not wait for a transaction.
  const writer = new TransactionWriter(store.snapshot().root)
  yield* seed(writer, { records, superusers: options.superusers ?? [] }, environment)
  const keys = (options.apiKeys ?? []).map((scope) => plantApiKey(writer, scope, environment))
  store.restore({ root: writer.root() })
  writer.close()
  return { store, keys, definitions }
}

function assemble(
  options: ReferenceOptions,
  clock: Clock,
  environment: ReferenceEnvironment,
  { store, keys, notices, views, memory: remembered }: Beginning,
): AnyReference {
  const memory = createMemory(environment.now, remembered)
  const apiKeys = createApiKeys(store, environment, memory, keys)
  const sender = { ...defaultSender, ...options.mail?.sender }
  const smtp = options.mail?.smtp && smtpDelivery(options.mail.smtp, sender)
  const mail = createMailbox(smtp?.deliver)
  const log = options.log ?? print
  const background = createBackground(log)
  const oauth2 = createPretendProvider(environment, log)
  const services: Services = {
    environment,
    store,
    tokens: createTokens(environment),
    findApiKey: (text) => apiKeys.find(text),
    prefix: checkPrefix(options.prefix),
    batch: { ...defaultBatch, ...options.batch },
    mail,
    sender,
    background,
    memory,
    oauth2,
    rateLimits: { ...defaultRateLimits, ...options.rateLimits },
    throttle: { ...defaultThrottle, ...options.throttle },
    limits: checkLimits(options.limits),
    views,
    superuserIPs: addressList(options.superuserIPs ?? []),
    log,
  }
  const { prefix } = services
  const app = createApp(services)
  const realtime = createRealtime(services)
  addExtras(app, services, realtime)
  const requests = createRequestLog(prefix, options.keepRequests)
  const faults = createFaults(environment, prefix)
  const response = withLogAndFaults(
    async (request, ip) => (request.method === 'OPTIONS' ? preflight(request) : app.fetch(request, { ip })),
    requests,
    faults,
    environment.now,
  )
  const listeners = new Set<Listener>()
  const save = (): WholeState => ({
    store: store.snapshot(),
    memory: memory.save(),
    random: environment.save(),
  })
  const resume = (to: WholeState) => {
    store.restore(to.store)
    memory.resume(to.memory)
    environment.resume(to.random)
    background.forget()
    realtime.forget()
    mail.clear()
    oauth2.clear()
    faults.clear()
    requests.clear()
  }
  /** Imports take effect in the order of their calls. */
  let importing: Promise<void> = Promise.resolve()
  const close = async () => {
    realtime.disconnect()
    const open = [...listeners]
    listeners.clear()
    await Promise.all(open.map((listener) => listener.close()))
    await background.idle()
    await smtp?.close()
  }
  const initial = save()
  const reference: AnyReference = {
    fetch(request, init, ip) {
      const given = request instanceof Request && init === undefined
      const made = given
        ? request
        : new Request(typeof request === 'string' ? new URL(request, origin) : request, init)
      // The socket itself reports whether the client of a request with an address has disconnected.
      const signal = init?.signal ?? (given && ip === undefined ? made.signal : undefined)
      const responding = signal ? untilAborted(signal, () => response(made, ip)) : response(made, ip)
      return responding.then((responded) => {
        const native = nativeResponse(responded)
        // So that the validator can be given the response alone, as one of fetch.
        rememberRequest(native, {
          method: made.method,
          url: made.url,
          body: typeof init?.body === 'string' ? init.body : undefined,
        })
        return native
      })
    },
    async listen(port = 0, host = '127.0.0.1') {
      const listener = await listen(response, port, host, log)
      listeners.add(listener)
      return {
        ...listener,
        async close() {
          if (listeners.delete(listener)) await listener.close()
        },
      }
    },
    close,
    clock,
    apiKeys,
    mail,
    realtime,
    oauth2,
    prefix,
    get notices() {
      // Of the tables that there are now: a state may bring the table of a limit.
      const tables = [...store.current.tables()].map(({ name }) => name)
      return [...notices, ...rateLimitNotices(services.rateLimits.rules, prefix, tables)]
    },
    records: createRecordsApi(services),
    make: (async (table: string, count?: number, overrides?: Overrides) => {
      const { makeRecords } = await import('./factory/make.ts')
      return makeRecords(services, table, count, overrides)
    }) as AnyReference['make'],
    tokenFor: tokensFor(services),
    as: actorsOf(services, (request) => reference.fetch(request), origin),
    fault: faults.add,
    clearFaults: faults.clear,
    requests,
    async footprint() {
      const { footprintOf } = await import('./testing/footprint.ts')
      return footprintOf(requests, prefix, (name) => store.current.table(name))
    },
    snapshot: () => {
      const taken = {} as ReferenceSnapshot
      snapshots.set(taken, save())
      return taken
    },
    restore(snapshot) {
      const state = snapshots.get(snapshot)
      if (state === undefined)
        throw new TypeError('This is not a snapshot of a reference: pass what snapshot() returned.')
      resume(state)
    },
    reset: () => resume(initial),
    fork() {
      const ownClock = clock.fork()
      const own = createEnvironment({ ...options, clock: ownClock })
      own.resume(environment.save())
      return assemble(options, ownClock, own, {
        store: store.fork(),
        keys,
        notices,
        views,
        memory: memory.save(),
      })
    },
    async exportState() {
      const { exportState } = await import('./state-json.ts')
      return inTurns(exportState(save()))
    },
    importState(state) {
      const before = importing
      const imported = (async () => {
        await before
        const { importState } = await import('./state-json.ts')
        resume(await inTurns(importState(state, environment), store.untilRestored()))
      })()
      importing = imported.catch(() => {})
      return imported
    },
    [Symbol.asyncDispose]: close,
  }
  return withServices(reference, {
    services,
    respond: response,
    changes: (signal) => superuserStream(realtime, store, signal),
    file: (place) => storedFile(store.current, place),
  })
}

/**
 * Creates a reference server. It starts nothing and needs no clean-up; `listen` opens a socket if you need one.
 *
 * @throws Error that names the invalid table, record or option
 *
 * @example
 * ```ts
 * import { createReference } from 'record-auth-conformance/reference'
 *
 * const reference = createReference({
 *   tables: [{ name: 'posts', listRule: '', fields: [{ name: 'title', type: 'text' }] }],
 * })
 * await reference.make('posts', 3)
 * const response = await reference.fetch('/api/v1/collections/posts/records')
 * console.log(await response.json())
 * ```
 */
export function createReference<const Tables extends TableInputs = TableInputs>(
  options: ReferenceOptions<Tables> = {},
): Reference<KnownField<Tables>> {
  return atOnce(create(options as ReferenceOptions)) as unknown as Reference<KnownField<Tables>>
}

/** The same, with other requests of the process in between: many records take long. */
export function createReferenceInTurns(options: ReferenceOptions): Promise<AnyReference> {
  return inTurns(create(options))
}

function* create(options: ReferenceOptions): Pieces<AnyReference> {
  checkOptions(options)
  const clock = readClock(options.clock)
  const environment = createEnvironment({ ...options, clock })
  return assemble(options, clock, environment, yield* begin(options, environment))
}

/** An email that was not sent is not an error in this program: a stack would show nothing. */
function print(error: unknown): void {
  console.error(error instanceof EmailNotSent ? error.message : error)
}
