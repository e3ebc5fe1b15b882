/**
 * Tokens without signing in, and requests in somebody's name.
 *
 * @module
 */

import { didYouMean } from '../../spec/nearest.ts'
import type { SignOptions, TokenKind } from '../auth/tokens.ts'
import type { Services } from '../services.ts'
import { superusers } from '../tables/system.ts'
import type { Row, Table } from '../vocabulary.ts'

/** Options of `tokenFor`. */
export interface TokenForOptions {
  /** `static`: a session token that auth-refresh does not extend, as impersonation gives it. @default 'auth' */
  kind?: TokenKind | 'static'
  /** Seconds; negative ones make a token that has expired. @default the table's */
  duration?: number
  /** For kind `emailChange`: the address to change to. */
  newEmail?: string
}

/** Sender of requests: the first superuser, a guest, a record, or the owner of a token. */
export type ActorName =
  | 'superuser'
  | 'guest'
  | {
      /** Id of the record. */
      readonly id: string
      /** Table of the record, as every response shows it. */
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
  /** What goes into the Authorization header; empty for guests. */
  readonly token: string
  /** Sends a request with this token. A path alone is completed with an origin. */
  fetch(request: Request | string | URL, init?: RequestInit): Promise<Response>
}

/** Makes a token for a record of an auth table. @throws Error when there is no such record */
export type TokenFor = (table: string, id: string, options?: TokenForOptions) => Promise<string>

function place(services: Services, name: string, id: string): { table: Table; row: Row } {
  const reader = services.store.current
  const table = reader.table(name)
  if (table?.type !== 'auth') {
    const known = [...reader.tables()].filter(({ type }) => type === 'auth').map((one) => one.name)
    throw new Error(
      `No token can be made: "${name}" is not an auth table.${didYouMean(name, known)} Auth tables are ${known.join(', ')}.`,
    )
  }
  const row = reader.get(table, id)
  if (row === undefined) throw new Error(`No token can be made: table "${name}" has no record "${id}".`)
  return { table, row }
}

/** Signs tokens for records by table and id. @throws Error when there is no such record */
export function tokensFor(services: Services): TokenFor {
  return async (name, id, { kind = 'auth', duration, newEmail } = {}) => {
    const { table, row } = place(services, name, id)
    const email = String(row.values.email ?? '')
    const options: SignOptions = {
      duration,
      refreshable: kind === 'static' ? false : undefined,
      email:
        kind === 'verification' || kind === 'passwordReset' || kind === 'emailChange' ? email : undefined,
      newEmail,
    }
    if (kind === 'emailChange' && newEmail === undefined) {
      throw new Error('A token of kind emailChange needs the new address: give { newEmail }.')
    }
    return services.tokens.sign(table, row, kind === 'static' ? 'auth' : kind, options)
  }
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
  if ('token' in actor) return actor.token
  return sign('table' in actor ? actor.table : actor.collectionName, actor.id)
}

type Fetching = (request: Request) => Promise<Response>

/** @param fetch of the reference; @param origin for paths alone */
export function actorsOf(services: Services, fetch: Fetching, origin: string) {
  return async (actor: ActorName): Promise<Actor> => {
    const token = await tokenOf(services, actor)
    return {
      token,
      fetch(input, init) {
        const url = typeof input === 'string' ? new URL(input, origin) : input
        const request = new Request(url, init)
        if (token !== '') request.headers.set('authorization', token)
        return fetch(request)
      },
    }
  }
}
