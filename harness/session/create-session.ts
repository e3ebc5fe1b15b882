/**
 * One run against one target: connection, records, actors, cleanup registry and log in one place.
 *
 * @module
 */

import { Redactor } from '../../exchange/secrets/redactor.ts'
import { isVariable } from '../../exchange/secrets/secret-names.ts'
import type { Requirement } from '../../spec/vocabulary.ts'
import { AccountCredentials } from '../cleanup/account-credentials.ts'
import { CleanupRegistry, type Note } from '../cleanup/cleanup-registry.ts'
import { appendEntry } from '../cleanup/journal.ts'
import { Evidence } from '../judging/evidence-limits.ts'
import { Ownership } from '../ownership/ownership.ts'
import { ProofBook } from '../services/proof-book.ts'
import { callHook } from '../target/call-hook.ts'
import { createProbe } from '../target/probe.ts'
import { revive } from '../target/revive.ts'
import type { Api } from '../vocabulary/api.ts'
import type { SessionOptions } from '../vocabulary/options.ts'
import type { Smoke } from '../vocabulary/report.ts'
import type { Session } from '../vocabulary/session.ts'
import type { Target } from '../vocabulary/target.ts'
import { configuredHeaders } from '../wire/configured-headers.ts'
import { ConnectionLog } from '../wire/connection-log.ts'
import { createApi } from '../wire/create-api.ts'
import { EmptyBodies } from '../wire/empty-bodies.ts'
import { Overlap } from '../wire/overlap.ts'
import { makePaths } from '../wire/paths.ts'
import { Recorder } from '../wire/recorder.ts'
import { RequestCount } from '../wire/request-count.ts'
import { RunCoverage } from '../wire/run-coverage.ts'
import { silenceAfter } from '../wire/silence.ts'
import { TrafficLog } from '../wire/traffic.ts'
import { type Connections, createTransport, type Exchanging, type Pause, wait } from '../wire/transport.ts'
import { Usernames } from '../wire/usernames.ts'
import { Actors } from './actors.ts'

export interface SessionParts {
  requirements: ReadonlyMap<string, Requirement>
  /** How time is passed until a request may be sent again, and between two probes. @default real time */
  pause?: Pause
  /** How a request is exchanged for its response. @default over a connection */
  exchange?: Exchanging
  /** Connections of the run. @default its own */
  connections?: Connections
  /** Records of one table that are deleted at the same time. @default 1 */
  deletesAtOnce?: number
  /** A session of the same run: what it knows of the target, and of the run's traffic, is shared with it. */
  of?: Session
  /** Stops the run: after that, a server that is silent is not waited for. @default never */
  stop?: AbortSignal
  /** What was sent before the session. @default nothing */
  count?: RequestCount
}

export function createSession(target: Target, parts: SessionParts, options: SessionOptions): Session {
  const { of } = parts
  const redactor = of?.redactor ?? new Redactor({ showsSentPasswords: true, shown: shownOf(target) })
  const sentHeaders = configuredHeaders(options.headers)
  for (const [name, value] of Object.entries(options.headers ?? {}))
    if (isVariable(value)) redactor.give(sentHeaders[name] ?? '', value)
  const apis = new Map<string, Api>()
  const cleaners = new Map<string, Api>()
  const transport = createTransport(target.baseUrl, {
    timeout: options.timeout,
    rate: options.rate,
    concurrency: options.concurrency,
    pause: parts.pause,
    exchange: parts.exchange,
    connections: parts.connections,
    stop: () => session.signal,
    silence: parts.stop && silenceAfter(parts.stop),
  })
  const knock = `${makePaths(target.binding).prefix}/`
  const count = parts.count ?? new RequestCount(options.maxRequests)
  const underWay = new Set<Promise<unknown>>()
  let revived: Promise<boolean> | undefined
  let ownership: Ownership | undefined

  function apiOf(known: Map<string, Api>, actor: string, cleaning: boolean): Api {
    let api = known.get(actor)
    if (api === undefined) {
      api = createApi(session, { actor, cleaning, authorization: () => session.actors.token(actor) })
      known.set(actor, api)
    }
    return api
  }

  const session: Session = {
    target,
    get binding() {
      return session.target.binding
    },
    options,
    requirements: parts.requirements,
    configuredHeaders: sentHeaders,
    redactor,
    recorder: new Recorder(redactor, count),
    count,
    evidence: of?.evidence ?? new Evidence(),
    traffic: of?.traffic ?? new TrafficLog(() => session.target),
    coverage: new RunCoverage({
      get binding() {
        return session.target.binding
      },
      credentials: target.credentials,
    }),
    transport,
    connections: new ConnectionLog(),
    overlap: new Overlap(of?.overlap),
    actors:
      of?.actors ??
      new Actors(target, redactor, ({ table, identity, password }) =>
        session.recorder.silently(() =>
          session.cleaner('guest').authWithPassword({ role: '', name: table }, { identity, password }),
        ),
      ),
    proofs: of?.proofs ?? new ProofBook(),
    cleanup: new CleanupRegistry({
      revive: () => session.revive(),
      alive: () => session.alive(),
      note: options.journal === undefined ? undefined : noteIn(options.journal),
      atOnce: parts.deletesAtOnce,
      deleteAll:
        target.hooks?.deleteRecords === undefined
          ? undefined
          : (records) => callHook(target, 'deleteRecords', { records }),
      proveTogether: (records) => session.ownership.proveTogether(records),
    }),
    accounts: new AccountCredentials(),
    usernames: of?.usernames ?? new Usernames(),
    get ownership() {
      ownership ??= new Ownership(session, of?.ownership.prior)
      return ownership
    },
    addedMarks: new Map(),
    shared: new Map(),
    scopes: new Set(),
    emailTimes: [],
    passed: 0,
    moved: 0,
    smoke: of?.smoke ?? emptySmoke(target),
    rejectsAll: of?.rejectsAll,
    closed: of?.closed ?? new Map(),
    standIns: of?.standIns ?? new Map(),
    identifiers: of?.identifiers ?? new Map(),
    emptyBodies: of?.emptyBodies ?? new EmptyBodies(),
    losses: [],
    signal: undefined,
    check: undefined,
    api: (actor) => apiOf(apis, actor, false),
    cleaner: (actor) => apiOf(cleaners, actor, true),
    mostAble: () => session.cleaner(session.actors.knows('superuser') ? 'superuser' : 'guest'),
    pending(work) {
      const promise = work()
      const done = () => underWay.delete(promise)
      underWay.add(promise)
      promise.then(done, done)
      return promise
    },
    async settled() {
      while (underWay.size > 0) await Promise.allSettled(underWay)
    },
    alive: createProbe(
      // Any response will do: no 429 or 503 is waited for.
      () => {
        count.requests += 1
        count.sent.reads += 1
        return transport.send({ method: 'GET', path: knock, headers: {}, patient: false, counted: true })
      },
      parts.pause ?? wait,
    ),
    get died() {
      return revived !== undefined
    },
    revive() {
      revived ??= revive(session)
      return revived
    },
    close: () => transport.close(),
  }
  return session
}

function noteIn(journal: string): Note {
  return (entry) => appendEntry(journal, entry)
}

/** Strings that responses contain and that are not tokens, although a check may try them as one: the base URL and table names. */
function shownOf({ baseUrl, tables }: Target): string[] {
  return [baseUrl, ...Object.values(tables).map(({ name }) => name)]
}

function emptySmoke(target: Target): Smoke {
  return {
    tables: Object.fromEntries(Object.keys(target.tables).map((role) => [role, 'given' as const])),
    missingTables: [],
    actors: Object.keys(target.credentials),
    capabilities: { ...target.capabilities },
    unlocks: [],
    notes: [],
  }
}
