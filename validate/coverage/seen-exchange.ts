/**
 * What coverage keeps of one exchange: names, and nothing that a client or a server sent.
 *
 * @module
 */

import { headerOf } from '../../exchange/header-of.ts'
import { operationEntry } from '../operation-entries.ts'
import type { ActorsByToken } from './actors.ts'
import type { OpenRow } from './seen-rows.ts'
import { type ServerNames, sentParameters } from './sent-parameters.ts'
import type { WholeExchange } from './whole-exchange.ts'

/** @param actors of the server; learns the token that the exchange gives */
export function seenExchange(
  exchange: WholeExchange,
  actors: ActorsByToken,
  names?: ServerNames,
): Omit<OpenRow, 'requirements'> {
  const { operation, request, response } = exchange
  const { headers } = request
  const actor = headers === undefined ? 'unknown' : actors.actorOf(headerOf(headers, 'authorization'))
  actors.learn(exchange, actor)
  const parameters = sentParameters(operationEntry(operation), request, names)
  return { operation, status: response.status, actor, parameters }
}
