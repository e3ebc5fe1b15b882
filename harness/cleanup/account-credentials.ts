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

/** Accounts are known by their ids. */
export class AccountCredentials {
  /** The last token of each account that signed in. */
  readonly tokens = new Map<string, string>()
  readonly #signIns = new Map<string, SignIn[]>()

  /** An account was given this identity or password, or signed in with both; what is absent is as it was before. */
  add(id: string, given: Partial<SignIn>): void {
    const known = this.#signIns.get(id) ?? []
    const { identity, password } = { ...known.at(-1), ...defined(given) }
    if (identity === undefined || password === undefined) return
    const others = known.filter((each) => each.identity !== identity || each.password !== password)
    this.#signIns.set(id, [...others, { identity, password }])
  }

  /**
   * What signs an account in, the newest first: a server may say that it has changed a password, and keep the one before
   * it.
   */
  signInsOf(id: string): readonly SignIn[] {
    return (this.#signIns.get(id) ?? []).slice(-mostSignIns).reverse()
  }
}
