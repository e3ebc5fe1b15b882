/**
 * The options of a reference and their defaults.
 *
 * @module
 */

import { foundValue } from '../spec/kind-name.ts'
import { documentPrefix, isPrefix } from '../spec/prefix.ts'
import type { ApiKeyScope } from './auth/api-keys.ts'
import type { SmtpOptions } from './auth/mail/mailbox.ts'
import type { MailSender } from './auth/mail/template.ts'
import type { ExactTables, TableInputs, TableName } from './define-tables.ts'
import { type Clock, createClock, type IdMaker } from './environment/environment.ts'
import type { Limits } from './limits/limits.ts'
import type { BatchSettings, RateLimitSettings, ThrottleSettings } from './services.ts'
import type { SeedRow } from './state/seed.ts'
import type { PretendOptions } from './testing/pretend-provider.ts'
import type { SomeOf } from './with-defaults.ts'

/** Options of `createReference`. */
export interface ReferenceOptions<Tables extends TableInputs = TableInputs> {
  /**
   * Table definitions in the living family's export format. The parsed JSON of an export from the family's dashboard
   * works unchanged; its views are left out. @default []
   */
  tables?: (Tables & ExactTables<Tables>) | undefined
  /** Initial records, by table name. They must fit their tables; rules do not apply. @default {} */
  records?: Readonly<Partial<Record<TableName<Tables>, readonly SeedRow[]>>> | undefined
  /** Accounts that may do everything. @default [] */
  superusers?:
    | readonly {
        /** Address to sign in with. */
        email: string
        /** Password to sign in with. */
        password: string
      }[]
    | undefined
  /** Path in front of every route; `/api` is what the living family's official client expects. @default '/api/v1' */
  prefix?: string | undefined
  /** Makes ids, codes and tokens the same in every run. @default random */
  seed?: number | undefined
  /** Ids of new records: counted, or from a function. @default random */
  ids?: IdMaker | undefined
  /**
   * Initial time, from which the clock runs on. `reset` returns to it. A clock object is used as it is, and is not reset.
   *
   * @default the system's time
   */
  clock?: number | string | Date | Clock | undefined
  /** Limits of batch requests. @default { enabled: true, maxRequests: 50, maxBodySize: 134217728, timeout: 3 } */
  batch?: SomeOf<BatchSettings> | undefined
  /** Where emails are sent, and who they are from. @default {} */
  mail?:
    | {
        /** SMTP server that emails are sent to, in addition to `reference.mail`. @default none */
        smtp?: SmtpOptions | undefined
        /**
         * The application in whose name emails are sent.
         *
         * @default { appName: 'Acme', appURL: 'http://localhost:8090', senderName: 'Support', senderAddress: 'support@example.com' }
         */
        sender?: SomeOf<MailSender> | undefined
      }
    | undefined
  /** Sign-in with identity providers. @default {} */
  oauth2?: PretendOptions | undefined
  /** Initial project API keys; the keys themselves are in `reference.apiKeys.initial`. @default [] */
  apiKeys?: readonly ApiKeyScope[] | undefined
  /** Requests per time and client address. @default { enabled: false, rules: [], excludedIPs: [] } */
  rateLimits?: SomeOf<RateLimitSettings> | undefined
  /** 0 switches one off. @default { resendSeconds: 120, otpAttempts: 5, otpAttemptSeconds: 180, openOtps: 10 } */
  throttle?: SomeOf<ThrottleSettings> | undefined
  /**
   * Limits on the cost of one request; `Infinity` switches a limit off.
   * @default { steps: 10000000, stepsAtOnce: 300000, expandedRecords: 50000, responseLength: 268435456, jsonKeys:
   * 50000, jsonValues: 600000, jsonDepth: 500, numberDigits: 1000, pairs: 10000, parts: 1000, names: 10000 }
   */
  limits?: SomeOf<Limits> | undefined
  /** Addresses, or subnets such as `10.0.0.0/8`, that superusers may use. @default [] any */
  superuserIPs?: readonly string[] | undefined
  /**
   * The log2 of the scrypt cost of all password hashes, whatever `cost` a field has. 4 is fast and sufficient for
   * tests.
   * @default the field's `cost`, 14 at most, and 10 if it has none
   */
  passwordCost?: number | undefined
  /** Minimum number of requests that `reference.requests` keeps, if they take under 16 MiB in total. @default 1000 */
  keepRequests?: number | undefined
  /**
   * Receives unexpected exceptions, for which the client gets a 500, an `EmailNotSent` for each email that an SMTP
   * server did not take, and what a listener of `requests.subscribe` throws.
   * @default console.error, with only the message of an `EmailNotSent`
   */
  log?: ((error: unknown) => void) | undefined
}

export const defaultBatch: BatchSettings = {
  enabled: true,
  maxRequests: 50,
  maxBodySize: 128 * 1024 * 1024,
  timeout: 3,
}

export const defaultSender: MailSender = {
  appName: 'Acme',
  appURL: 'http://localhost:8090',
  senderName: 'Support',
  senderAddress: 'support@example.com',
}

export const defaultThrottle: ThrottleSettings = {
  resendSeconds: 120,
  otpAttempts: 5,
  otpAttemptSeconds: 180,
  openOtps: 10,
}

export const defaultRateLimits: RateLimitSettings = { enabled: false, rules: [], excludedIPs: [] }

function isClock(clock: ReferenceOptions['clock']): clock is Clock {
  return typeof clock === 'object' && clock !== null && 'now' in clock
}

export function readClock(clock: ReferenceOptions['clock']): Clock {
  if (isClock(clock)) return clock
  const made = createClock()
  if (clock !== undefined) made.set(clock)
  return made
}

/** @throws Error if it would create paths that no request can have */
export function checkPrefix(prefix = documentPrefix): string {
  if (typeof prefix === 'string' && isPrefix(prefix)) return prefix
  throw new Error(
    `The prefix ${foundValue(prefix)} is not a path: write it like "/api/v1", without a slash at the end.`,
  )
}
