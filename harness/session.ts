/**
 * One run against one target: connection, records, actors, ledger and log in one place.
 *
 * @module
 */

import type { Exchange } from '../exchange/exchange.ts'
import { Redactor } from '../exchange/secrets/redact.ts'
import { isVariable } from '../exchange/secrets/secret-names.ts'
import type { Binding, Requirement } from '../spec/vocabulary.ts'
import { Actors } from './actors.ts'
import type { TargetLostError } from './errors.ts'
import { Evidence } from './judging/evidence-limits.ts'
import { note } from './ledger/journal.ts'
import { Ledger, type Note } from './ledger/ledger.ts'
import { ownHeaders } from './own-headers.ts'
import { Ownership } from './ownership/ownership.ts'
import { callHook } from './target/call-hook.ts'
import { createProbe } from './target/probe.ts'
import { revive } from './target/revive.ts'
import type { Api } from './vocabulary/api.ts'
import type { Smoke } from './vocabulary/findings.ts'
import type { Target } from './vocabulary/target.ts'
import { createApi } from './wire/client.ts'
import { ConnectionLog } from './wire/connection-log.ts'
import { makePaths } from './wire/paths.ts'
import { Recorder } from './wire/recorder.ts'
import { TrafficLog } from './wire/traffic.ts'
import { createTransport, type Exchanging, type Pause, type Transport, wait } from './wire/transport.ts'
import type { Validator } from './wire/validator.ts'

export interface SessionOptions {
  seed: number
  /** Text that keeps this run's data apart from other runs'. @default derived from the seed */
  namespace?: string
  /** Only requests that change nothing. @default false */
  readOnly?: boolean
  /** Factor on the examples of every property. @default 1 */
  runs?: number
  /** No shrinking: the first counterexample is good enough. For the fault matrix. */
  quick?: boolean
  /** Milliseconds for one request. */
  timeout?: number
  /** Milliseconds for one check. @default 120000 */
  checkTimeout?: number
  /** File in which everything created is noted, for the next run should this one be killed. */
  journal?: string
  /** Most requests in a second. @default as many as the target answers */
  rate?: number
  /** Most requests to the target at the same time. @default 8 */
  concurrency?: number
  /** The run stops after so many requests; its clean-up does not. */
  maxRequests?: number
  /** Sent with every request; `$NAME` stands for a variable of the environment. */
  headers?: Record<string, string>
  /** The options that name the target, for the command that repeats a finding. @default '' */
  invocation?: string
}

/** What one check made and others use. */
export interface Shared {
  made: Promise<unknown>
  /** What was sent for it. */
  exchanges: readonly Exchange[]
}

export interface Session {
  /** Tables are completed by the smoke check. */
  target: Target
  readonly binding: Binding
  readonly options: SessionOptions
  readonly requirements: ReadonlyMap<string, Requirement>
  /** `options.headers` with the values that they name. */
  readonly ownHeaders: Readonly<Record<string, string>>
  readonly redactor: Redactor
  readonly recorder: Recorder
  /** What findings may still keep of their exchanges. */
  readonly evidence: Evidence
  readonly traffic: TrafficLog
  readonly transport: Transport
  readonly connections: ConnectionLog
  readonly validator: Validator | undefined
  readonly actors: Actors
  readonly ledger: Ledger
  /** Whose records are. */
  readonly ownership: Ownership
  /** Makes the marks of records to which a check gives none, by check. */
  readonly ownMarks: Map<string, (prefix?: string) => string>
  /** What checks of this run share, by name. */
  readonly shared: Map<string, Shared>
  /** Letters of the checks of this run: what they call unique holds them. */
  readonly scopes: Set<string>
  /** Milliseconds in which the last mails came, the youngest first. */
  readonly mailTimes: number[]
  /** Seconds by which the target's clock was moved since superusers signed in. */
  passed: number
  /** The same, since the run began. */
  moved: number
  /** Filled by the smoke check. */
  smoke: Smoke
  /** Roles of auth tables that send guests away, and how: profile requirements of them are not judged. */
  readonly closed: Map<string, string>
  /**
   * No more requests are sent once it is aborted, and none waits any more until it may be sent; but those under way are
   * waited for: what they create is known.
   */
  signal: AbortSignal | undefined
  /** Id of the check that is under way, or was the last. */
  check: string | undefined
  api(actor: string): Api
  /** The same for the clean-up: its requests are sent even after the run was stopped, or its budget used up. */
  cleaner(actor: string): Api
  /** Whoever may see and delete the most, for the clean-up: a superuser, or a guest where none is known. */
  mostAble(): Api
  /** Does work that `settled` waits for. */
  pending<T>(work: () => Promise<T>): Promise<T>
  /** Resolves when nothing is under way any more. */
  settled(): Promise<void>
  /** Whether the target still responds at all, by `harness/target/probe.ts`. */
  alive(): Promise<boolean>
  /** Whether the target was found dead, be it alive again by now: nothing that it answers since is judged. */
  readonly died: boolean
  /** Requests that got no answer of a target that was lost, in the order in which they were given up. */
  readonly losses: TargetLostError[]
  /** Has a target that died started again, once; false where that cannot be done. */
  revive(): Promise<boolean>
  close(): Promise<void>
}

export interface SessionParts {
  requirements: ReadonlyMap<string, Requirement>
  /** Absent: exchanges are recorded but not held against the description. */
  validator?: Validator
  /** How time is passed until a request may be sent again, and between two probes. @default real time */
  pause?: Pause
  /** How a request is exchanged for its response. @default over a connection */
  exchange?: Exchanging
}

export function createSession(target: Target, parts: SessionParts, options: SessionOptions): Session {
  const redactor = new Redactor()
  const sentHeaders = ownHeaders(options.headers)
  for (const [name, value] of Object.entries(options.headers ?? {}))
    if (isVariable(value)) redactor.give(sentHeaders[name] ?? '', value)
  const apis = new Map<string, Api>()
  const cleaners = new Map<string, Api>()
  const transport = createTransport(target.baseUrl, {
    ...(options.timeout === undefined ? {} : { timeout: options.timeout }),
    ...(options.rate === undefined ? {} : { rate: options.rate }),
    ...(options.concurrency === undefined ? {} : { concurrency: options.concurrency }),
    ...(parts.pause === undefined ? {} : { pause: parts.pause }),
    ...(parts.exchange === undefined ? {} : { exchange: parts.exchange }),
    stop: () => session.signal,
  })
  const knock = `${makePaths(target.binding).prefix}/`
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
    binding: target.binding,
    options,
    requirements: parts.requirements,
    ownHeaders: sentHeaders,
    redactor,
    recorder: new Recorder(redactor),
    evidence: new Evidence(),
    traffic: new TrafficLog(parts.validator),
    transport,
    connections: new ConnectionLog(),
    validator: parts.validator,
    actors: new Actors(target, redactor, ({ table, identity, password }) =>
      session.recorder.silently(() =>
        session.cleaner('guest').authWithPassword({ role: '', name: table }, { identity, password }),
      ),
    ),
    ledger: new Ledger({
      revive: () => session.revive(),
      alive: () => session.alive(),
      ...(options.journal === undefined ? {} : { note: noteIn(options.journal) }),
      ...(target.hooks?.deleteRecords === undefined
        ? {}
        : { deleteAll: (records) => callHook(target, 'deleteRecords', { records }) }),
    }),
    get ownership() {
      ownership ??= new Ownership(session)
      return ownership
    },
    ownMarks: new Map(),
    shared: new Map(),
    scopes: new Set(),
    mailTimes: [],
    passed: 0,
    moved: 0,
    smoke: emptySmoke(target),
    closed: new Map(),
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
      () => transport.send({ method: 'GET', path: knock, headers: {}, patient: false, counted: true }),
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
  return (entry) => note(journal, entry)
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
