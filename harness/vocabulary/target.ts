/**
 * What is tested and what the tester brings: a target, its tables, credentials and services, as types.
 *
 * @module
 */

import type { Binding, OperationId } from '../../spec/vocabulary.ts'

/** A table of the target in one of our roles. */
export interface TableRef {
  role: string
  /** What stands in the path. */
  name: string
  id?: string
  /** Our field name → theirs. Absent: the same. */
  fields?: Record<string, string>
}

/** How to become somebody. Exactly one of `token` and `signIn`. Values come from the environment or a file. */
export interface Credential {
  token?: string
  signIn?: { table: string; identity: string; password: string }
  /** Makes a token a project API key: what it may do. Tables as they stand in the path. */
  scope?: { tables: readonly string[]; actions: readonly KeyAction[] }
}

/** Ports of the services that a run starts for a server that was told of them. A free one where none is named. */
export interface ServicePorts {
  /** The mail sink. */
  smtp?: {
    port?: number
    /**
     * Milliseconds between the arrival of a mail and its use: some servers note only afterwards that it was sent.
     *
     * @default 50
     */
    settle?: number
  }
  /** The identity provider. */
  oidc?: { port?: number }
}

export interface MailHabits {
  /**
   * Milliseconds in which a mail must have come.
   *
   * @default 5000
   */
  patience?: number
  /**
   * Milliseconds without a mail after which none will come; three times what the last mails took, where that is more.
   *
   * @default 150
   */
  quiet?: number
  /** A regular expression that finds a one-time code in an email: its first group, or all that it matches. */
  code?: string
  /** The same for what confirms a verification, a reset or a change of address. */
  token?: string
}

export type KeyAction = 'list' | 'view' | 'create' | 'update' | 'delete'

export interface KeyScope {
  tables: readonly (TableRef | string)[]
  actions: readonly KeyAction[]
}

/** A project API key. `id` is what revokes it; a key given in the target file has none. */
export interface ApiKey {
  id?: string
  key: string
  /** All that it may do, where the tester knows it: a server may have coarser scopes than those that were asked for. */
  actions?: readonly KeyAction[]
}

/** A mail that the target sent, its transfer encoding undone. */
export interface ReceivedMail {
  /** Position among all mails of the run, from 1. */
  number: number
  to: string[]
  from: string
  subject: string
  text: string
  html: string
  /** The one-time code, where the tester's mailbox has read it already. */
  code?: string
  /** What confirms the flow that the mail is about, likewise. */
  token?: string
}

/** A person at the identity provider. What is absent is absent in its claims too. */
export interface ProviderAccount {
  sub?: string
  email?: string
  emailVerified?: boolean
  name?: string
  username?: string
  picture?: string
}

/** What is tested. design: "target". */
export interface Target {
  baseUrl: string
  name?: string
  /** Name of the profile that the target claims; absent: claims nothing. */
  profile?: string
  /** Requirements of the standard profile that the claim is about. Absent: all. */
  follows?: readonly string[]
  binding: Binding
  /** Capabilities the target says it has (true) or lacks (false); those not named are looked for. */
  capabilities: Readonly<Record<string, boolean>>
  /** Operations the target says it lacks (false). Those that a lacking capability needs are absent, too. */
  operations?: Readonly<Partial<Record<OperationId, boolean>>>
  /** Requirements, as `--only` takes them, of which the tester says that nothing can be seen on the target, with the reason. */
  notApplicable?: Readonly<Record<string, string>>
  tables: Readonly<Record<string, TableRef>>
  credentials: Readonly<Record<string, Credential>>
  /** Help from the tester's side by name (`clock`, `mailbox`, ...): a module path or an address, as the hook's user reads it. */
  hooks?: Readonly<Record<string, string>>
  /** How its mails come, and how they are read. */
  mail?: MailHabits
  /** Services to start for the run; the server was told where they will be. */
  services?: ServicePorts
}

/** What a claim makes of a target. Without a name nothing is claimed. */
export type Claim = Partial<Pick<Target, 'profile' | 'follows' | 'binding'>>

export interface PreparedTarget {
  target: Target
  /** Once more the same, and as fresh: of the embedded reference, where two were wanted. */
  twin?: Target
  embedded: boolean
  /** What whoever reads the run should know of its setup. */
  notes: readonly string[]
  /** Letters that no other run against the target has at the same time. */
  namespace?: string
  /** Where the run notes what it creates. */
  journal?: string
  /** Undoes the setup and stops the services. @throws what the teardown throws */
  close(): Promise<void>
}
