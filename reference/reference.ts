/**
 * The reference server: the whole interface in memory, inside the process that uses it.
 *
 * @example
 * ```ts
 * import { createReference } from 'record-auth-conformance/reference'
 *
 * await using reference = createReference({
 *   tables: [{ name: 'posts', listRule: '', createRule: '', fields: [{ name: 'title', type: 'text' }] }],
 * })
 * const response = await reference.fetch('/api/v1/collections/posts/records')
 * const { url } = await reference.listen()
 * ```
 *
 * @module
 */

import type { TableDefinition } from '../spec/table-definition.ts'
import { createApp } from './app.ts'
import {
  type ApiKeyScope,
  type ApiKeys,
  apiKeysTable,
  createApiKeys,
  type NewApiKey,
  plantApiKey,
} from './auth/api-keys.ts'
import { createMailbox, type Mailbox, type SmtpOptions, smtpDelivery } from './auth/mail/mailbox.ts'
import type { MailSender } from './auth/mail/template.ts'
import { withSecrets } from './auth/secrets.ts'
import { addressList } from './auth/superusers.ts'
import { createTokens } from './auth/tokens.ts'
import { createBackground } from './background.ts'
import { type Clock, createClock, createEnvironment, type ReferenceEnvironment } from './environment.ts'
import { preflight } from './http/respond.ts'
import { type Listener, listen } from './listen.ts'
import { createMemory, type MemoryState } from './memory.ts'
import { compileRule } from './query/rule.ts'
import type { RateLimitSettings } from './rate-limits.ts'
import { type SeedRow, seed } from './seed.ts'
import type { BatchSettings, Services, ThrottleSettings } from './services.ts'
import { type Snapshot, Store } from './store/store.ts'
import { TransactionWriter } from './store/writer.ts'
import { addTables } from './tables/add-tables.ts'
import { readDefinitions } from './tables/read-definitions.ts'
import { systemTables } from './tables/system.ts'

export type { ApiKeyScope, ApiKeys, ListedApiKey, NewApiKey } from './auth/api-keys.ts'
export type { Mailbox, MailFilter, SentMail, SmtpOptions } from './auth/mail/mailbox.ts'
export type { MailKind, MailSender } from './auth/mail/template.ts'
export type { RateLimitRule, RateLimitSettings } from './rate-limits.ts'
export type { ThrottleSettings } from './services.ts'

export interface ReferenceOptions {
  /** Table definitions in the family's export form. @default [] */
  tables?: readonly TableDefinition[]
  /** Records to begin with, by table name. They have to fit their tables; rules are not asked. @default {} */
  records?: Readonly<Record<string, readonly SeedRow[]>>
  /** Who may do everything. @default [] */
  superusers?: readonly { email: string; password: string }[]
  /** Path in front of every route. @default '/api/v1' */
  prefix?: string
  /** Makes ids, codes and token keys repeat from run to run. @default the system's randomness */
  seed?: number
  /** Time to begin with; the clock runs on from there. @default the system's time */
  clock?: number | string | Date | Clock
  /** @default { enabled: true, maxRequests: 50, maxBodySize: 134217728, timeout: 3 } */
  batch?: Partial<BatchSettings>
  mail?: {
    /** Where mails go besides `reference.mail`. @default nowhere */
    smtp?: SmtpOptions
    /** @default { appName: 'Acme', appURL: 'http://localhost:8090', senderName: 'Support', senderAddress: 'support@example.com' } */
    sender?: Partial<MailSender>
  }
  /** Project API keys to begin with; their texts are in `reference.apiKeys.initial`. @default [] */
  apiKeys?: readonly ApiKeyScope[]
  /** Requests per time and client address. @default { enabled: false, rules: [], excludedIPs: [] } */
  rateLimits?: Partial<RateLimitSettings>
  /** 0 switches one off. @default { resendSeconds: 120, otpAttempts: 5, otpAttemptSeconds: 180, openOtps: 10 } */
  throttle?: Partial<ThrottleSettings>
  /** Addresses, or subnets as `10.0.0.0/8`, that superusers may come from. @default [] any */
  superuserIPs?: readonly string[]
  /** log2 of the scrypt cost of password hashes. 10 is quick and right for tests. @default 10 */
  passwordCost?: number
  /** Told of exceptions that nobody foresaw; the client gets a 500. @default console.error */
  log?: (error: unknown) => void
}

/** The whole state at one moment. Costs the same whatever it holds. */
export interface ReferenceSnapshot {
  readonly store: Snapshot
  readonly memory: MemoryState
  readonly chance: number | undefined
}

export interface Reference extends AsyncDisposable {
  /** Answers a request inside the process. A path alone is completed with an origin. */
  fetch(request: Request | string | URL, init?: RequestInit): Promise<Response>
  /** Listens on a socket, too. @param port 0 for any free one */
  listen(port?: number, host?: string): Promise<Listener>
  /** Ends all listeners, when the mails under way are out. What is stored stays. */
  close(): Promise<void>
  readonly clock: Clock
  readonly apiKeys: ApiKeys
  /** Mails that were sent. Restoring and resetting empties it. */
  readonly mail: Mailbox
  readonly prefix: string
  snapshot(): ReferenceSnapshot
  restore(snapshot: ReferenceSnapshot): void
  /** Back to the state it was created with. The clock goes on. */
  reset(): void
  /** Another reference that begins with the present state; neither sees the writes of the other. */
  fork(): Reference
  /** For tests inside the process: tables, records and transactions without HTTP. */
  readonly store: Store
  readonly services: Services
}

const defaultBatch: BatchSettings = {
  enabled: true,
  maxRequests: 50,
  maxBodySize: 128 * 1024 * 1024,
  timeout: 3,
}

const defaultSender: MailSender = {
  appName: 'Acme',
  appURL: 'http://localhost:8090',
  senderName: 'Support',
  senderAddress: 'support@example.com',
}

const defaultThrottle: ThrottleSettings = {
  resendSeconds: 120,
  otpAttempts: 5,
  otpAttemptSeconds: 180,
  openOtps: 10,
}

/** Where paths without an origin are sent. Never resolved. */
const origin = 'http://reference.invalid'

function isClock(clock: ReferenceOptions['clock']): clock is Clock {
  return typeof clock === 'object' && 'now' in clock
}

function readClock(clock: ReferenceOptions['clock']): Clock {
  if (isClock(clock)) return clock
  const made = createClock()
  if (clock !== undefined) made.set(clock)
  return made
}

/** @throws Error when it would make paths that no request can have. */
function checkPrefix(prefix: string): string {
  if (prefix === '' || /^(\/[\w.~-]+)+$/.test(prefix)) return prefix
  throw new Error(`The prefix "${prefix}" is no path: write it like "/api/v1", without a slash at the end.`)
}

/** What a reference begins with. */
interface Beginning {
  store: Store
  keys: readonly NewApiKey[]
  memory?: MemoryState
}

function begin(options: ReferenceOptions, environment: ReferenceEnvironment): Beginning {
  const store = new Store()
  const secretly = (definition: TableDefinition) => withSecrets(definition, environment)
  addTables(store, [...systemTables, apiKeysTable].map(secretly))
  addTables(store, readDefinitions(options.tables ?? []).map(secretly), compileRule)
  // Nobody else has the store yet, so the first records need not wait for a turn.
  const writer = new TransactionWriter(store.snapshot().root)
  seed(writer, { records: options.records ?? {}, superusers: options.superusers ?? [] }, environment)
  const keys = (options.apiKeys ?? []).map((scope) => plantApiKey(writer, scope, environment))
  store.restore({ root: writer.root() })
  writer.close()
  return { store, keys }
}

function assemble(
  options: ReferenceOptions,
  clock: Clock,
  environment: ReferenceEnvironment,
  { store, keys, memory: remembered }: Beginning,
): Reference {
  const memory = createMemory(environment.now, remembered)
  const apiKeys = createApiKeys(store, environment, memory, keys)
  const sender = { ...defaultSender, ...options.mail?.sender }
  const smtp = options.mail?.smtp && smtpDelivery(options.mail.smtp, sender)
  const mail = createMailbox(smtp?.deliver)
  const log = options.log ?? console.error
  const background = createBackground(log)
  const services: Services = {
    environment,
    store,
    tokens: createTokens(environment),
    findApiKey: (text) => apiKeys.find(text),
    prefix: checkPrefix(options.prefix ?? '/api/v1'),
    batch: { ...defaultBatch, ...options.batch },
    mail,
    sender,
    background,
    memory,
    rateLimits: { enabled: false, rules: [], excludedIPs: [], ...options.rateLimits },
    throttle: { ...defaultThrottle, ...options.throttle },
    superuserIPs: addressList(options.superuserIPs ?? []),
    log,
  }
  const app = createApp(services)
  const listeners = new Set<Listener>()
  const snapshot = (): ReferenceSnapshot => ({
    store: store.snapshot(),
    memory: memory.save(),
    chance: environment.chance.save(),
  })
  const restore = (to: ReferenceSnapshot) => {
    store.restore(to.store)
    memory.resume(to.memory)
    mail.clear()
    environment.chance.resume(to.chance)
  }
  const answer = async (request: Request, ip?: string) =>
    request.method === 'OPTIONS' ? preflight(request) : app.fetch(request, { ip })
  const close = async () => {
    const open = [...listeners]
    listeners.clear()
    await Promise.all(open.map((listener) => listener.close()))
    await background.idle()
    await smtp?.close()
  }
  const initial = snapshot()
  return {
    fetch(request, init) {
      if (request instanceof Request && init === undefined) return answer(request)
      return answer(new Request(typeof request === 'string' ? new URL(request, origin) : request, init))
    },
    async listen(port = 0, host = '127.0.0.1') {
      const listener = await listen(answer, port, host)
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
    prefix: services.prefix,
    snapshot,
    restore,
    reset: () => restore(initial),
    fork() {
      const ownClock = clock.fork()
      const own = createEnvironment({ ...options, clock: ownClock })
      own.chance.resume(environment.chance.save())
      return assemble(options, ownClock, own, { store: store.fork(), keys, memory: memory.save() })
    },
    store,
    services,
    [Symbol.asyncDispose]: close,
  }
}

/**
 * Makes a reference server. Nothing is started and nothing is left behind when it is dropped; `listen` opens a socket
 * where one is needed.
 *
 * @throws Error that names the table, the record or the option that does not fit
 */
export function createReference(options: ReferenceOptions = {}): Reference {
  const clock = readClock(options.clock)
  const environment = createEnvironment({ ...options, clock })
  return assemble(options, clock, environment, begin(options, environment))
}
