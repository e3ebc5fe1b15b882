/**
 * Tokens without signing in, and requests as a given caller.
 *
 * @module
 */

import { isPromise } from '../../spec/is-promise.ts'
import { foundValue } from '../../spec/kind-name.ts'
import { didYouMean } from '../../spec/nearest.ts'
import { rejectUnknown } from '../../spec/reject-unknown.ts'
import type { SignOptions, TokenKind } from '../auth/tokens.ts'
import type { RecordOrId } from '../define-tables.ts'
import { withCallSite } from '../environment/with-call-site.ts'
import { isForeignBody, plainInit } from '../http/plain-init.ts'
import { idOfRecord } from '../records/id-of-record.ts'
import type { Services } from '../services.ts'
import { checkString } from '../state/check-values.ts'
import { superusers } from '../tables/system.ts'
import type { Row, Table } from '../vocabulary.ts'

/** Options of `tokenFor`. */
export interface TokenForOptions {
  /** `static`: a session token that auth-refresh does not extend, like one from impersonation. @default 'auth' */
  kind?: TokenKind | 'static' | undefined
  /** Seconds; a negative value creates an expired token. @default the table's */
  duration?: number | undefined
  /** For kind `emailChange`, which needs it: the address to change to. @default none */
  newEmail?: string | undefined
}

/** Sender of requests: the first superuser, a guest, a record, or the owner of a token. */
export type ActorName =
  | 'superuser'
  | 'guest'
  | {
      /** Id of the record. */
      readonly id: string
      /** Table of the record, as in every response. */
      readonly collectionName: string
    }
  | {
      /** Id of the record. */
      readonly id: string
      /** Name or id of its table. */
      readonly table: string
    }
  | {
      /** Session token or project API key. */
      readonly token: string
    }

/** Sends requests as one user. */
export interface Actor {
  /** Value of the Authorization header; empty for guests. */
  readonly token: string
  /** Sends a request with this token. A path alone is completed with an origin. */
  fetch(request: Request | string | URL, init?: RequestInit): Promise<Response>
}

/** Creates a token for a record of an auth table. @throws Error if the record does not exist */
export type TokenFor = (table: string, record: RecordOrId, options?: TokenForOptions) => Promise<string>

const tokenOptions: Record<keyof TokenForOptions, true> = { kind: true, duration: true, newEmail: true }

/** `static`: a session token that cannot be refreshed, like one from impersonation. */
export const tokenKinds = [
  'auth',
  'static',
  'file',
  'verification',
  'passwordReset',
  'emailChange',
] as const satisfies readonly (TokenKind | 'static')[]

/** @throws TypeError for an unknown option or kind, and for a duration that is not a number */
function checkTokenOptions(options: TokenForOptions): void {
  rejectUnknown(options, Object.keys(tokenOptions), 'option of tokenFor')
  const { kind, duration }: { kind?: unknown; duration?: unknown } = options
  if (kind !== undefined && !tokenKinds.some((each) => each === kind))
    throw new TypeError(
      `There is no token of kind ${foundValue(kind)}.${didYouMean(foundValue(kind), tokenKinds)} Valid values: ${tokenKinds.join(', ')}.`,
    )
  if (duration !== undefined && !Number.isFinite(duration))
    throw new TypeError(`The duration of a token must be a number of seconds; found ${foundValue(duration)}.`)
}

function place(services: Services, name: string, record: unknown): { table: Table; row: Row } {
  checkString('The name of the table', name)
  const reader = services.store.current
  const table = reader.table(name)
  if (table?.type !== 'auth') {
    const known = [...reader.tables()].filter(({ type }) => type === 'auth').map((one) => one.name)
    const what = table === undefined ? `there is no table "${name}"` : `"${name}" is not an auth table`
    throw new Error(
      `No token can be made: ${what}.${didYouMean(name, known)} Auth tables are ${known.join(', ')}.`,
    )
  }
  const id = idOfRecord(table, record)
  const row = reader.get(table, id)
  if (row === undefined) throw new Error(`No token can be made: table "${name}" has no record "${id}".`)
  return { table, row }
}

/** Signs tokens for records by table and id. @throws Error if the record does not exist */
export function tokensFor(services: Services): TokenFor {
  return withCallSite(async (name: string, record: RecordOrId, options: TokenForOptions = {}) => {
    checkTokenOptions(options)
    const { kind = 'auth', duration, newEmail } = options
    const { table, row } = place(services, name, record)
    const email = String(row.values.email ?? '')
    const signing: SignOptions = {
      duration,
      refreshable: kind === 'static' ? false : undefined,
      email:
        kind === 'verification' || kind === 'passwordReset' || kind === 'emailChange' ? email : undefined,
      newEmail,
    }
    if (kind === 'emailChange' && newEmail === undefined) {
      throw new Error('A token of kind emailChange needs the new address: pass { newEmail }.')
    }
    return services.tokens.sign(table, row, kind === 'static' ? 'auth' : kind, signing)
  })
}

function shownActor(given: unknown): string {
  if (typeof given !== 'object' || given === null) return foundValue(given)
  if (Array.isArray(given)) return 'an array: pass one of its records'
  if (isPromise(given)) return 'a promise, which lacks an await'
  const keys = Object.keys(given)
  return keys.length === 0 ? 'an empty object' : `an object with ${keys.join(', ')}`
}

async function tokenOf(services: Services, actor: ActorName): Promise<string> {
  const sign = tokensFor(services)
  if (actor === 'guest') return ''
  if (actor === 'superuser') {
    const reader = services.store.current
    const table = reader.table(superusers.name)
    const [first] = table === undefined ? [] : reader.scan(table)
    if (first === undefined) {
      throw new Error('There is no superuser: create the reference with superusers: [{ email, password }].')
    }
    return sign(superusers.name, first.id)
  }
  if (typeof actor === 'object' && actor !== null) {
    if ('token' in actor) {
      checkString('The token of as()', actor.token)
      return actor.token
    }
    if ('id' in actor && 'table' in actor) return sign(actor.table, actor.id)
    if ('id' in actor && 'collectionName' in actor) return sign(actor.collectionName, actor.id)
  }
  throw new TypeError(
    `as() takes a record, 'superuser', 'guest', { table, id } or { token }; found ${shownActor(actor)}.`,
  )
}

type Fetching = (request: Request) => Promise<Response>

/** @param fetch of the reference; @param origin for paths alone */
export function actorsOf(services: Services, fetch: Fetching, origin: string) {
  return withCallSite(async (actor: ActorName): Promise<Actor> => {
    const token = await tokenOf(services, actor)
    return {
      token,
      fetch(input, init) {
        const url = typeof input === 'string' ? new URL(input, origin) : input
        const send = (plain?: RequestInit) => {
          const request = new Request(url, plain)
          if (token !== '') request.headers.set('authorization', token)
          return fetch(request)
        }
        return init && isForeignBody(init.body) ? plainInit(init).then(send) : send(init)
      },
    }
  })
}
