/**
 * How a check communicates with a target, as types.
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

/** A record as it was received. */
export type WireRecord = Record<string, unknown> & { id: string }

/** A received response. `body` is the parsed JSON; undefined if there is none or it cannot be parsed. */
export interface ApiResponse {
  status: number
  /** Whether the request succeeded: by the status or, where the document leaves it open, by what the response says. */
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
  /** Path and query: `/api/v1/...`. */
  path: string
  headers?: Record<string, string>
  body?: string | Uint8Array | FormData
  /** Instead of a body: sent as JSON, with the target's names for its keys. */
  json?: unknown
  operation?: OperationId
}

/**
 * A client of the interface for one actor. Every exchange is recorded and validated against the OpenAPI description.
 */
export interface Api {
  readonly actor: string
  /** The same client as another actor. `guest` sends no token. Tokens are obtained once and kept. */
  as(actor: string): Api
  /** The same client with exactly this Authorization value. */
  withToken(token: string, name?: string): Api
  /** The same client without a token, also at a table where someone stands in for guests. */
  withoutToken(): Api
  /** The same client for checks that count attempts: it returns a 429 like any other response and does not retry. */
  counting(): Api
  /** The same client, which sends each identity as it is, also to a table whose accounts sign in by username alone. */
  literal(): Api
  /** Runs work that only reads while no other check of the run writes: between two pages, records would move. */
  undisturbed<T>(work: () => Promise<T>): Promise<T>
  /** Whether the target has shown that it wants an empty object where a request needs no body. */
  wantsObject(operation: OperationId): boolean
  list(table: TableRef, query?: Query): Promise<ApiResponse>
  view(table: TableRef, id: string, query?: Query): Promise<ApiResponse>
  /** The created record is added to the cleanup registry, even if a check deletes it. */
  create(table: TableRef, body: Body | FormData, query?: Query): Promise<ApiResponse>
  update(table: TableRef, id: string, body: Body | FormData, query?: Query): Promise<ApiResponse>
  delete(table: TableRef, id: string): Promise<ApiResponse>
  /** Records that it creates are also added to the cleanup registry. */
  batch(requests: SubRequest[], query?: Query): Promise<ApiResponse>
  authMethods(table: TableRef, query?: Query): Promise<ApiResponse>
  authWithPassword(table: TableRef, body: Body, query?: Query): Promise<ApiResponse>
  authWithOAuth2(table: TableRef, body: Body, query?: Query): Promise<ApiResponse>
  requestOtp(table: TableRef, body: Body): Promise<ApiResponse>
  authWithOtp(table: TableRef, body: Body, query?: Query): Promise<ApiResponse>
  authRefresh(table: TableRef, query?: Query): Promise<ApiResponse>
  impersonate(table: TableRef, id: string, body?: Body, query?: Query): Promise<ApiResponse>
  requestVerification(table: TableRef, body: Body): Promise<ApiResponse>
  confirmVerification(table: TableRef, body: Body): Promise<ApiResponse>
  requestPasswordReset(table: TableRef, body: Body): Promise<ApiResponse>
  confirmPasswordReset(table: TableRef, body: Body): Promise<ApiResponse>
  requestEmailChange(table: TableRef, body: Body): Promise<ApiResponse>
  confirmEmailChange(table: TableRef, body: Body): Promise<ApiResponse>
  /** Sends any request, even one that the interface forbids. Not validated against the request schemas. */
  raw(request: RawRequest): Promise<ApiResponse>
  /** Paths with the target's prefix, for batch urls and raw requests. */
  readonly path: {
    records(table: TableRef | string): string
    record(table: TableRef | string, id: string): string
    batch(): string
    auth(table: TableRef | string, action: string): string
  }
}
