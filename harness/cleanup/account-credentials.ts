/**
 * What signs in the accounts that a run created: without a superuser, only an account itself may see and delete it.
 *
 * @module
 */

import { defined } from '../support/defined.ts'

export interface SignIn {
  identity: string
  password: string
}

/** Passwords of an account that are tried, of those that it has had. */
const mostSignIns = 3
/** Passwords that resets have set, for unknown accounts, that are tried after these. */
const mostResets = 2

/** Accounts are known by their ids or, while no response has contained the id, by what signs them in. */
export class AccountCredentials {
  /** The last token of each account that signed in. */
  readonly tokens = new Map<string, string>()
  /** Ids of records whose delete was accepted, of any table. */
  readonly deleted = new Set<string>()
  readonly #signIns = new Map<string, SignIn[]>()
  /** By identity, in lower case. */
  readonly #ids = new Map<string, string>()
  readonly #withoutId = new Map<string, SignIn>()
  /** Passwords of accepted resets, the newest last: a proof from an email does not say whose it is. */
  readonly #resets = new Set<string>()

  /** An account was given this identity or password, or signed in with both; what is absent is as it was before. */
  add(id: string, given: Partial<SignIn>): void {
    const known = this.#signIns.get(id) ?? []
    const { identity, password } = { ...known.at(-1), ...defined(given) }
    if (identity === undefined || password === undefined) return
    this.#ids.set(identity.toLowerCase(), id)
    const others = known.filter((each) => each.identity !== identity || each.password !== password)
    this.#signIns.set(id, [...others, { identity, password }])
  }

  /** An account was created with this, and no response contained its id. */
  addWithoutId({ identity, password }: Partial<SignIn>): void {
    if (identity === undefined || password === undefined) return
    this.#withoutId.set(identity.toLowerCase(), { identity, password })
  }

  /** The id that a create returned is not that of its account. */
  mistook(id: string): void {
    for (const each of this.signInsOf(id)) this.addWithoutId(each)
  }

  /** A reset has set this password. */
  reset(password: string): void {
    this.#resets.delete(password)
    this.#resets.add(password)
  }

  /** The owner of a token asks for this address: from then on, it may be its identity. */
  asked(token: string, identity: string): void {
    for (const [id, last] of this.tokens) if (last === token) this.add(id, { identity })
  }

  /** The account that had this identity last. */
  idOf(identity: string): string | undefined {
    return this.#ids.get(identity.toLowerCase())
  }

  /** What signs in the account whose id no response has contained. */
  signInWithoutId(identity: string): SignIn | undefined {
    return this.#withoutId.get(identity.toLowerCase())
  }

  /**
   * A record was found whose id no response contained. If it is such an account, it can be signed in from now on.
   *
   * @param identities what may be its identity; strings only
   */
  found(id: string, identities: readonly unknown[]): void {
    for (const identity of identities) {
      const signIn = typeof identity === 'string' ? this.signInWithoutId(identity) : undefined
      if (signIn !== undefined) this.add(id, signIn)
    }
  }

  /**
   * What signs an account in, the newest first: a server may say that it has changed a password, and keep the one before
   * it. Last come the passwords of resets.
   */
  signInsOf(id: string): readonly SignIn[] {
    const known = (this.#signIns.get(id) ?? []).slice(-mostSignIns).reverse()
    const identities = new Set(known.map(({ identity }) => identity))
    const resets = [...this.#resets].slice(-mostResets).reverse()
    const afterReset = resets.flatMap((password) =>
      [...identities].map((identity) => ({ identity, password })),
    )
    const isKnown = (each: SignIn) =>
      known.some(({ identity, password }) => identity === each.identity && password === each.password)
    return [...known, ...afterReset.filter((each) => !isKnown(each))]
  }
}
