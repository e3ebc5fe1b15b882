/**
 * Puts a reference together from its parts.
 *
 * @module
 */

import { createApp } from './app.ts'
import { buildServices } from './build-services.ts'
import { checkOptions } from './check-options.ts'
import type { KnownField, TableInputs } from './define-tables.ts'
import type { Background } from './environment/background.ts'
import {
  type Clock,
  createEnvironment,
  markClock,
  type ReferenceEnvironment,
} from './environment/environment.ts'
import { withCallSite } from './environment/with-call-site.ts'
import { addExtras } from './extras/add-extras.ts'
import { storedFile } from './extras/files/stored-file.ts'
import { createRealtime } from './extras/realtime/realtime.ts'
import { superuserStream } from './extras/realtime/superuser-stream.ts'
import type { Overrides } from './factory/make.ts'
import { fetchInProcess, type RespondInProcess, referenceOrigin } from './http/fetch-in-process.ts'
import { type Listener, listen } from './http/listen.ts'
import { preflight } from './http/respond.ts'
import { rateLimitNotices } from './limits/check-rate-limit-rule.ts'
import { atOnce, inTurns, type Pieces } from './limits/in-turns.ts'
import { type ReferenceOptions, readClock } from './options.ts'
import { createRecordsApi } from './records/records-api.ts'
import type { AnyReference, Reference } from './reference-types.ts'
import { withServices } from './services-of.ts'
import { type InitialState, initialState } from './state/initial-state.ts'
import { createStateControl } from './state/state-control.ts'
import { actorsOf, tokensFor } from './testing/actors.ts'
import { createFaults } from './testing/faults.ts'
import { createRequestLog } from './testing/request-log.ts'
import { withLogAndFaults } from './testing/with-log-and-faults.ts'

function assemble(
  options: ReferenceOptions,
  clock: Clock,
  environment: ReferenceEnvironment,
  initial: InitialState,
): AnyReference {
  const family = initial.family ?? {}
  const { services, apiKeys, closeMail } = buildServices(options, environment, initial)
  const { store, memory, mail, oauth2, prefix } = services
  const app = createApp(services)
  const realtime = createRealtime(services)
  addExtras(app, services, realtime)
  const requests = createRequestLog(prefix, services.log, options.keepRequests)
  const faults = createFaults(environment, prefix, () => store.current.tables())
  const respond = withLogAndFaults(
    async (request, ip) => (request.method === 'OPTIONS' ? preflight(request) : app.fetch(request, { ip })),
    requests,
    faults,
    environment.now,
  )
  const fetch = fetchInProcess(options.mail?.smtp ? respond : withEmails(respond, services.background))
  const listeners = new Set<Listener>()
  const close = async () => {
    realtime.disconnect()
    const open = [...listeners]
    listeners.clear()
    await Promise.all(open.map((listener) => listener.close()))
    await closeMail()
  }
  const reference: AnyReference = {
    fetch,
    async listen(port = 0, host = '127.0.0.1') {
      const listener = await listen(respond, port, host, services.log)
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
      // Read again each time: an imported state may contain a table that a rate limit names.
      const tables = [...store.current.tables()].map(({ name }) => name)
      return [...initial.notices, ...rateLimitNotices(services.rateLimits.rules, prefix, tables)]
    },
    records: createRecordsApi(services),
    make: withCallSite(async (table: string, count?: number, overrides?: Overrides) => {
      const { makeRecords } = await import('./factory/make.ts')
      return makeRecords(services, table, count, overrides)
    }) as AnyReference['make'],
    tokenFor: tokensFor(services),
    as: actorsOf(services, (request) => reference.fetch(request), referenceOrigin),
    fault: faults.add,
    clearFaults: faults.clear,
    requests,
    async footprint() {
      const { footprintOf } = await import('./testing/footprint.ts')
      return footprintOf(requests, prefix, (name) => store.current.table(name))
    },
    ...createStateControl(services, environment, {
      family,
      forget() {
        realtime.forget()
        faults.clear()
        requests.clear()
      },
      // A clock that was passed belongs to its owner, and may be shared.
      rewind: clock === options.clock ? undefined : markClock(clock),
    }),
    fork() {
      const forkedClock = clock.fork()
      const own = createEnvironment({ ...options, clock: forkedClock })
      own.resume(environment.save())
      return assemble(options, forkedClock, own, {
        ...initial,
        family,
        store: store.fork(),
        memory: memory.save(),
      })
    },
    [Symbol.asyncDispose]: close,
  }
  return withServices(reference, {
    services,
    respond,
    changes: (signal) => superuserStream(realtime, store, signal),
    file: (place) => storedFile(store.current, place),
  })
}

/**
 * Responds when the emails of the request are in the outbox: a test that reads it next would otherwise miss them. An SMTP
 * server may take long, and over a socket the time of a response must not reveal whether an email is sent.
 */
function withEmails(respond: RespondInProcess, { pending }: Background): RespondInProcess {
  return async (request, ip) => {
    const response = await respond(request, ip)
    const sending = pending()
    if (sending !== undefined) await sending
    return response
  }
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
  return atOnce(create(options as unknown as ReferenceOptions)) as unknown as Reference<KnownField<Tables>>
}

/** The same for the data of a file, with other requests of the process in between: many records take long. */
export function createReferenceInTurns(options: ReferenceOptions): Promise<AnyReference> {
  return inTurns(create(options, { isFromFile: true }))
}

function* create(options: ReferenceOptions, { isFromFile = false } = {}): Pieces<AnyReference> {
  checkOptions(options)
  const clock = readClock(options.clock)
  const environment = createEnvironment({ ...options, clock })
  return assemble(options, clock, environment, yield* initialState(options, environment, isFromFile))
}
