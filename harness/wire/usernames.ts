/**
 * What a run knows of the usernames of its accounts, in tables whose accounts sign in by username alone (document, section
 * 2.2): `TableRef.identity`. docs/decisions/034.
 *
 * @module
 */

/** What a run knows of the usernames of its accounts. Tables are given by their names. */
export class Usernames {
  /** By table and address: the accounts that were given the address, or may have it by now, in this order. */
  readonly #byAddress = new Map<string, string[]>()
  /** By table and username: its addresses in small letters, in the order in which they were given to it. */
  readonly #addresses = new Map<string, string[]>()
  /** By table and id, and by token. */
  readonly #byHolder = new Map<string, string>()

  /** An account was given this address, or asks for it. */
  add(table: string, address: string, username: string): void {
    const low = address.toLowerCase()
    addTo(this.#byAddress, keyOf(table, low), username)
    addTo(this.#addresses, keyOf(table, username), low)
  }

  /** Accounts that have the address, may have it by now, or had it. */
  of(table: string, address: string): readonly string[] {
    return this.#byAddress.get(keyOf(table, address.toLowerCase())) ?? []
  }

  /** The address under which a username became known; undefined for a username that is not known. */
  addressOf(table: string, username: string): string | undefined {
    return this.#addresses.get(keyOf(table, username))?.[0]
  }

  /** Whether an account has another one of its addresses now: the one that its record shows. */
  hasMoved(table: string, username: string, address: string, shown: unknown): boolean {
    if (typeof shown !== 'string' || shown.toLowerCase() === address.toLowerCase()) return false
    return this.#addresses.get(keyOf(table, username))?.includes(shown.toLowerCase()) === true
  }

  /** @param holder the id of a record, or a token */
  hold(table: string, holder: unknown, username: string): void {
    if (typeof holder === 'string') this.#byHolder.set(keyOf(table, holder), username)
  }

  heldBy(table: string, holder: string): string | undefined {
    return this.#byHolder.get(keyOf(table, holder))
  }

  /** An account has another username: it has the addresses of the one before. */
  rename(table: string, before: string, now: string): void {
    for (const address of this.#addresses.get(keyOf(table, before)) ?? []) this.add(table, address, now)
  }
}

const keyOf = (table: string, name: string) => `${table} ${name}`

function addTo(map: Map<string, string[]>, key: string, value: string): void {
  const all = map.get(key) ?? []
  if (!all.includes(value)) map.set(key, [...all, value])
}
