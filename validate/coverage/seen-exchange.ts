/**
 * What coverage keeps of one exchange: names, and nothing that a client or a server sent.
 *
 * @module
 */

import { headerOf } from '../../exchange/header-of.ts'
import type { OperationId } from '../../spec/vocabulary.ts'
import { operationEntry } from '../compiled.ts'
import type { Actors } from './actors.ts'
import type { SeenExchange } from './seen-rows.ts'
import { type SentRequest, type ServerNames, sentParameters } from './sent-parameters.ts'

/** An exchange to count, with the operation that it belongs to. */
export interface WholeExchange extends SentRequest {
  /** Operation of the interface. */
  operation: OperationId
  /** `{table}` of the path. */
  table: string
  /** Status of the response. */
  status: number
  /** Parsed JSON of the response; undefined where there is none. */
  responseBody: unknown
}

/** @param actors of the server; learns the token that the exchange gives */
export function seenExchange(exchange: WholeExchange, actors: Actors, names?: ServerNames): SeenExchange {
  const { operation, table, status, headers, responseBody } = exchange
  const actor = headers === undefined ? 'unknown' : actors.actorOf(headerOf(headers, 'authorization'))
  actors.learn({ operation, status, table, actor, body: responseBody })
  return { operation, status, actor, parameters: sentParameters(operationEntry(operation), exchange, names) }
}
