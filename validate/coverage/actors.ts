/**
 * Who sent a request, by the token in its `Authorization` header. Tokens are known from the responses that return them.
 *
 * @module
 */

import { isObject } from '../../exchange/json-object.ts'
import { sentToken } from '../../exchange/sent-token.ts'
import type { OperationId } from '../../spec/vocabulary.ts'
import type { WholeExchange } from './whole-exchange.ts'

/**
 * Kinds of senders, in the order of reports. `impersonated`: a session from `impersonate`. `unknown`: a token that no exchange has given
 * (an altered one, for example), or a request whose headers were not recorded.
 */
export const allActors = ['guest', 'user', 'superuser', 'apiKey', 'impersonated', 'unknown'] as const

/** Kind of sender: see `allActors`. */
export type ActorKind = (typeof allActors)[number]

/** Tokens that are remembered; the oldest are forgotten first. */
const mostTokens = 10_000
const usualSuperusers = '_superusers'
const signIns: readonly OperationId[] = ['authWithPassword', 'authWithOAuth2', 'authWithOtp']

/** The tokens of one server. */
export class ActorsByToken {
  readonly #tokens = new Map<string, ActorKind>()
  readonly #superusers: string

  /** @param superusers table whose records are superusers */
  constructor(superusers: string = usualSuperusers) {
    this.#superusers = superusers
  }

  /** Remembers a token that was given in some other way than by an exchange. */
  know(token: string, actor: ActorKind): void {
    // A recording replaces secrets by names that begin like this: two tokens may have the same name.
    if (token === '' || token.startsWith('$')) return
    this.#tokens.delete(token)
    this.#tokens.set(token, actor)
    const [oldest] = this.#tokens.keys()
    if (this.#tokens.size > mostTokens && oldest !== undefined) this.#tokens.delete(oldest)
  }

  /** @param authorization value of the header; undefined for none */
  actorOf(authorization: string | undefined): ActorKind {
    const token = sentToken(authorization?.trim())
    return token === '' ? 'guest' : (this.#tokens.get(token) ?? 'unknown')
  }

  /** Remembers the token that an exchange gives. @param actor who sent the request */
  learn(
    { operation, table, response: { status, body } }: Omit<WholeExchange, 'request'>,
    actor: ActorKind,
  ): void {
    if (status < 200 || status > 299 || !isObject(body)) return
    const { token, record } = body
    if (typeof token !== 'string') return
    const collection = isObject(record) ? record.collectionName : undefined
    if (signIns.includes(operation))
      this.know(token, [table, collection].includes(this.#superusers) ? 'superuser' : 'user')
    if (operation === 'authRefresh' && actor !== 'guest') this.know(token, actor)
    if (operation === 'impersonate') this.know(token, 'impersonated')
  }
}
