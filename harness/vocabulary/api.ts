/**
 * How a check speaks to a target, as types.
 *
 * @module
 */

import type { Exchange } from '../../exchange/exchange.ts'
import type { OperationId } from '../../spec/vocabulary.ts'
import type { TableRef } from './target.ts'

export interface Query {
  page?: number | string
  perPage?: number | string
  sort?: string
  filter?: string
  expand?: string
  fields?: string
  skipTotal?: boolean | string | number
  [other: string]: string | number | boolean | undefined
}

export type Body = Record<string, unknown>

/** A record as it came over the wire. */
export type WireRecord = Record<string, unknown> & { id: string }

/** A received response. `body` is the parsed JSON, undefined where there is none or it does not parse. */
export interface Reply {
  status: number
  ok: boolean
  headers: Readonly<Record<string, string>>
  body: unknown
  text: string
  exchange: Exchange
}

export interface SubRequest {
  method: string
  /** Full path as in the document, made with `path.records(table)` and the like. */
  url: string
  body?: Body
  headers?: Record<string, string>
}

export interface RawRequest {
  method: string
  /** From the host on, query included: `/api/v1/...`. */
  path: string
  headers?: Record<string, string>
  body?: string | Uint8Array | FormData
  /** In place of a body: sent as JSON, its keys named as the target names them. */
  json?: unknown
  operation?: OperationId
}

/** Speaks the interface as one actor. Every exchange is recorded and held against the OpenAPI description. */
export interface Api {
  readonly actor: string
  /** The same client as somebody else. `guest` sends no token. Tokens are had once and kept. */
  as(actor: string): Api
  /** The same client with this very Authorization value. */
  withToken(token: string, name?: string): Api
  /** The same client where attempts are counted: there a 429 is an answer like any other, and not waited for. */
  counting(): Api
  list(table: TableRef, query?: Query): Promise<Reply>
  view(table: TableRef, id: string, query?: Query): Promise<Reply>
  /** What is created is entered in the cleanup registry, even if a check deletes it. */
  create(table: TableRef, body: Body | FormData, query?: Query): Promise<Reply>
  update(table: TableRef, id: string, body: Body | FormData, query?: Query): Promise<Reply>
  delete(table: TableRef, id: string): Promise<Reply>
  /** Records created in it enter the cleanup registry as well. */
  batch(requests: SubRequest[], query?: Query): Promise<Reply>
  authMethods(table: TableRef, query?: Query): Promise<Reply>
  authWithPassword(table: TableRef, body: Body, query?: Query): Promise<Reply>
  authWithOAuth2(table: TableRef, body: Body, query?: Query): Promise<Reply>
  requestOtp(table: TableRef, body: Body): Promise<Reply>
  authWithOtp(table: TableRef, body: Body, query?: Query): Promise<Reply>
  authRefresh(table: TableRef, query?: Query): Promise<Reply>
  impersonate(table: TableRef, id: string, body?: Body, query?: Query): Promise<Reply>
  requestVerification(table: TableRef, body: Body): Promise<Reply>
  confirmVerification(table: TableRef, body: Body): Promise<Reply>
  requestPasswordReset(table: TableRef, body: Body): Promise<Reply>
  confirmPasswordReset(table: TableRef, body: Body): Promise<Reply>
  requestEmailChange(table: TableRef, body: Body): Promise<Reply>
  confirmEmailChange(table: TableRef, body: Body): Promise<Reply>
  /** Anything, also what the interface forbids. Not held against the request schemas. */
  raw(request: RawRequest): Promise<Reply>
  /** Paths with the target's prefix, for batch urls and raw requests. */
  readonly path: {
    records(table: TableRef | string): string
    record(table: TableRef | string, id: string): string
    batch(): string
    auth(table: TableRef | string, action: string): string
  }
}
