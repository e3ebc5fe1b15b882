/**
 * Which tokens, passwords and keys must be accepted (alive) or rejected (dead) after a sequence of operations,
 * according to the document. Those that the document leaves open are in neither list. Sends no requests.
 *
 * @module
 */

import type { ApiKey, ProviderAccount, TableRef } from '../../../harness/vocabulary/target.ts'
import type { Account } from '../../shared/auth/accounts.ts'
import type { Otp } from '../../shared/auth/email-flows.ts'

/** A person who has, or had, an account. */
export interface SequencePerson extends Account {
  deleted: boolean
  /** Whether `password` is known to sign in: how a password is changed is left open. */
  known: boolean
  /** Number of wrong passwords that were tried: a server may tolerate only a few. */
  wrong: number
  /**
   * Whether a proof from an email was confirmed: the address may then be verified, and get no further email for that.
   */
  verified: boolean
  /** The account at the identity provider, if the record was created from one. */
  provider?: ProviderAccount
  /** The latest identifier that the first of two factors returned. */
  mfaId?: string
  /** The latest token of a sign-in or a refresh: alive until the account is deleted. */
  token?: string
  /** All earlier tokens: dead once the account is deleted. */
  earlier: string[]
}

export function newSequencePerson(account: Account): SequencePerson {
  const verified = account.record.verified === true
  return { ...account, deleted: false, known: true, wrong: 0, verified, earlier: [] }
}

export class SequenceModel {
  readonly people: SequencePerson[] = []
  readonly keys: { key: ApiKey; revoked: boolean }[] = []
  /** Codes that signed in: dead. */
  readonly usedCodes: { table: TableRef; otp: Otp }[] = []
  /** Emails that were requested. */
  emails = 0
  /** Passwords that were made up. */
  passwords = 0

  living(): SequencePerson[] {
    return this.people.filter(({ deleted }) => !deleted)
  }

  /** Those who sign in by a password alone. */
  byPassword(): SequencePerson[] {
    return this.living().filter(isByPassword)
  }

  /** Those with a token that is alive. */
  present(): (SequencePerson & { token: string })[] {
    return this.living().filter(hasToken)
  }

  /**
   * Records a new token or, without one, an action that may have ended the previous session. The document does not say
   * whether a server keeps several sessions of one record.
   */
  renew(person: SequencePerson, token?: string): void {
    if (person.token !== undefined) person.earlier.push(person.token)
    if (token === undefined) delete person.token
    else person.token = token
  }

  /** A password that no record had before: a server may store an old one under a key that it ignores, and show it. */
  newPassword(): string {
    this.passwords += 1
    return `Sequence-No.${this.passwords}-ok`
  }

  /** Tokens of deleted accounts: they no longer identify anyone. */
  dead(): { person: SequencePerson; token: string }[] {
    return this.people
      .filter(({ deleted }) => deleted)
      .flatMap((person) => person.earlier.map((token) => ({ person, token })))
  }
}

/** Whether a password alone signs in to the table of a record. */
export function isByPassword({ table }: Pick<Account, 'table'>): boolean {
  return table.role === 'members' || table.role === 'staff'
}

function hasToken(person: SequencePerson): person is SequencePerson & { token: string } {
  return person.token !== undefined
}
