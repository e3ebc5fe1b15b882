/**
 * Which tokens are alive and which codes work after a sequence of operations, by the rules of the standard profile
 * (gap `tokens.lifetime`). Knows nothing of servers.
 *
 * @module
 */

import type { ApiKey, ConfirmationKind, ProviderAccount } from '../../../harness/vocabulary/target.ts'
import type { Account } from './accounts.ts'

/** A person of the model. `generation` counts the changes that end tokens: of passwords, addresses, keys. */
export interface Person extends Account {
  role: 'members' | 'mfa' | 'shortlived' | 'oauth'
  verified: boolean
  generation: number
  /** How often the password was changed: that ends first factors, an address does not. */
  passwords: number
  deleted: boolean
  /** The password was replaced by one that no one knows. */
  lostPassword: boolean
  /** Attempts with codes: five are allowed within three minutes. */
  attempts: number
  requested: Set<'verification' | 'password-reset'>
  /** Who this is at the identity provider; absent until they came from there. */
  provider?: ProviderAccount
}

/** A person who has just signed up. */
export function newPerson(account: Account, role: Person['role']): Person {
  return {
    ...account,
    role,
    verified: false,
    generation: 0,
    passwords: 0,
    deleted: false,
    lostPassword: false,
    attempts: 0,
    requested: new Set(),
  }
}

/** Anything that proves for a time who a person is. */
export interface Proof {
  person: Person
  generation: number
  /** Model seconds. */
  expires: number
}

export interface ModelSession extends Proof {
  token: string
}

export interface OpenCode extends Proof {
  otpId: string
  code: string
  used: boolean
}

export interface OpenFactor extends Proof {
  mfaId: string
  passwords: number
  used: boolean
}

export interface MailToken extends Proof {
  kind: ConfirmationKind
  token: string
  /** For a change of address. */
  to: string
}

export interface OpenKey {
  key: ApiKey
  revoked: boolean
}

const FOREVER = 86_000
const SHORT = 10

export class AuthModel {
  readonly people: Person[] = []
  readonly sessions: ModelSession[] = []
  readonly codes: OpenCode[] = []
  readonly factors: OpenFactor[] = []
  readonly mails: MailToken[] = []
  readonly keys: OpenKey[] = []
  /** Seconds that have passed by the hook. */
  now = 0

  proof(person: Person): Proof {
    const lifetime = person.role === 'shortlived' ? SHORT : FOREVER
    return { person, generation: person.generation, expires: this.now + lifetime }
  }

  valid({ person, generation, expires }: Proof): boolean {
    return !person.deleted && person.generation === generation && this.now < expires
  }

  usable(code: OpenCode): boolean {
    return this.valid(code) && !code.used
  }

  counts({ person, passwords, used }: OpenFactor): boolean {
    return !person.deleted && person.passwords === passwords && !used
  }

  living(): Person[] {
    return this.people.filter(({ deleted }) => !deleted)
  }
}
