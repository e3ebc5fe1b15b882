/**
 * A generated breach: one way to break the document or the profile, derived from the description and from recorded
 * traffic. The words of this folder, as types.
 *
 * @module
 */

import type { OperationId } from '../../../spec/vocabulary.ts'
import type { FaultTools, Middleware } from '../fault.ts'

/** What kind of thing goes wrong. One file each, in `kinds/`. */
export const breachKinds = ['key', 'status', 'effect', 'route', 'size', 'at once', 'permission'] as const
export type BreachKind = (typeof breachKinds)[number]

/** Who sent a request, by its token. */
export const breachCallers = ['guest', 'user', 'superuser', 'key', 'invalid'] as const
export type BreachCaller = (typeof breachCallers)[number]

/** One exchange with the healthy reference, as it passed in front of it. */
export interface Seen {
  /** Id of the check that caused it. Empty in front of a breach. */
  check: string
  method: string
  url: URL
  caller: BreachCaller
  /** Absent if the document does not have the path and method. */
  operation?: OperationId
  /** Name of the table in the path, where there is such a table. */
  table?: string
  /** The table in the path as it was sent: its name or its identifier. */
  tableSent?: string
  /** The record in the path. */
  id?: string
  type: string
  /** The request's body. */
  text: string
  /** The same as JSON; undefined if it is not JSON. */
  sent: unknown
  status: number
  /** The response's body as JSON; undefined if it is not JSON. */
  body: unknown
  /** Bytes of the response's body. */
  bytes: number
  /** Another request for the same operation was under way. */
  together: boolean
}

/** What a breach may use in addition to the request. */
export interface BreachTools extends FaultTools {
  /** Called each time that the breach made a difference. */
  met(): void
  /** What is known about a request before its response. */
  read(request: Request): Promise<Seen>
}

export interface Breach {
  /** Operation · part · mutation. Unique and stable. */
  name: string
  kind: BreachKind
  /** The operation that goes wrong, where it is one. */
  operation?: OperationId | undefined
  /** Where in the recording to look: the key of `Recording.places`. @default the operation's exchanges */
  place?: string | undefined
  /** Whether the breach would make a difference to an exchange. One function for each stretch of traffic: it may remember. */
  watch(): (seen: Seen) => boolean
  /** Called once for each server, so that a breach can keep state. */
  make(tools: BreachTools): Middleware
}
