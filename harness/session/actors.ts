/**
 * Maps the names of actors to tokens. A token is obtained once and kept for the run.
 *
 * @module
 */

import { isObject } from '../../exchange/json-object.ts'
import type { Redactor } from '../../exchange/secrets/redactor.ts'
import { tokenName } from '../../exchange/secrets/redactor.ts'
import { variableName } from '../../exchange/secrets/variable-name.ts'
import { inWords } from '../../spec/in-words.ts'
import { ConfigurationError } from '../errors.ts'
import { UntestableError } from '../judging/expect.ts'
import type { ApiResponse } from '../vocabulary/api.ts'
import type { Target } from '../vocabulary/target.ts'

type SignIn = (credential: { table: string; identity: string; password: string }) => Promise<ApiResponse>

export class Actors {
  readonly #tokens = new Map<string, Promise<string>>()
  readonly #target: Target
  readonly #redactor: Redactor
  readonly #signIn: SignIn

  constructor(target: Target, redactor: Redactor, signIn: SignIn) {
    this.#target = target
    this.#redactor = redactor
    this.#signIn = signIn
    for (const [actor, { token, signIn: given }] of Object.entries(target.credentials)) {
      if (token !== undefined) redactor.give(token, tokenName(actor))
      if (given !== undefined) redactor.give(given.password, `$PASSWORD_${variableName(actor)}`)
    }
  }

  knows(actor: string): boolean {
    return actor === 'guest' || this.#target.credentials[actor] !== undefined
  }

  /**
   * The Authorization value of an actor; undefined for a guest.
   *
   * @throws UntestableError if the target has no credential for the actor
   * @throws ConfigurationError if the credential is rejected
   */
  async token(actor: string): Promise<string | undefined> {
    if (actor === 'guest') return undefined
    const known = this.#tokens.get(actor)
    if (known !== undefined) return known
    const made = this.#obtain(actor)
    this.#tokens.set(actor, made)
    made.catch(() => {
      // `goOn` may have replaced it meanwhile.
      if (this.#tokens.get(actor) === made) this.#tokens.delete(actor)
    })
    return made
  }

  /** Replaces an actor's token, after a refresh has invalidated the previous one. */
  goOn(actor: string, token: string): void {
    this.#redactor.give(token, tokenName(actor))
    this.#tokens.set(actor, Promise.resolve(token))
  }

  /** Drops the tokens from sign-ins: enough time has passed that they may have expired. */
  forget(): void {
    for (const actor of [...this.#tokens.keys()])
      if (this.#target.credentials[actor]?.token === undefined) this.#tokens.delete(actor)
  }

  async #obtain(actor: string): Promise<string> {
    const credential = this.#target.credentials[actor]
    if (credential === undefined)
      throw new UntestableError(`the target file has no credential for "${actor}"`, credentialHint(actor))
    if (credential.token !== undefined) return credential.token
    const { signIn } = credential
    if (signIn === undefined) throw incomplete(actor)
    const response = await this.#signIn(signIn)
    const token = (response.body as { token?: unknown } | undefined)?.token
    if (response.ok && typeof token === 'string' && token !== '') {
      this.#redactor.give(token, tokenName(actor))
      return token
    }
    throw new ConfigurationError(
      `the sign-in of "${actor}" returned no token (status ${response.status}${shownInstead(response)})`,
      `credentials.${actor}.signIn (table ${signIn.table}, identity ${signIn.identity}) at ${this.#target.baseUrl}`,
      response.ok
        ? 'make the response a JSON object with a string "token" (section 2.5), or set a token instead of the sign-in'
        : 'correct the identity and password, or use a token instead',
    )
  }
}

/** What a successful sign-in returned instead of a token, without its values: they may be secret. */
function shownInstead({ ok, body }: ApiResponse): string {
  if (!ok) return ''
  return isObject(body)
    ? `; the keys of the response are ${inWords(Object.keys(body).slice(0, 10)) || 'none'}`
    : '; the response is not a JSON object'
}

function incomplete(actor: string): ConfigurationError {
  return new ConfigurationError(
    `the credential of "${actor}" is incomplete`,
    `credentials.${actor}`,
    'set either "token", or "signIn" with a table, an identity and a password',
  )
}

/** Where a tester sets the credential of the superuser. */
export const superuserPlaces = 'credentials.superuser, or CONFORMANCE_SUPERUSER_TOKEN'

/** The configuration line that adds an actor. */
export function credentialHint(actor: string): string {
  if (actor === 'superuser')
    return 'set CONFORMANCE_SUPERUSER_TOKEN, or CONFORMANCE_SUPERUSER_IDENTITY and CONFORMANCE_SUPERUSER_PASSWORD'
  return `target file: "credentials": { "${actor}": { "token": "..." } }`
}
