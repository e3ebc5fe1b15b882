/**
 * What is tested and what the tester brings: a target, its tables, credentials and services, as types.
 *
 * @module
 */

import type { Worker } from 'node:worker_threads'
import type { Binding, KeyAction, OperationId } from '../../spec/vocabulary.ts'

/** A table of the target in one of our roles. */
export interface TableRef {
  /** Name of the role in `spec/tables.yaml`. */
  role: string
  /** Name of the table in paths. */
  name: string
  /** Id of the table, if it is known. */
  id?: string
  /** Names of the target's fields by the names in `spec/tables.yaml`. Absent: the same. */
  fields?: Record<string, string>
  /** Values that each create in the table also sends, by names of the target's fields: for fields that it requires. */
  values?: Readonly<Record<string, unknown>>
  /**
   * Name of the target's field that signs accounts of the table in, where that is a username and nothing else. Each account
   * that the run creates gets one. Absent: the email address.
   */
  identity?: string
  /**
   * Who sends the requests of guests to the table: `account`, which the run signs up in the table with the role
   * `members`, or the name of a credential. Absent: they are sent as they are.
   */
  as?: string
  /**
   * Whether a target file maps a table of its own to the role: it may lack fields of the definition in `spec/tables.yaml`.
   * Absent: the table was made by the definition.
   */
  existing?: true
}

/** How to act as someone. Exactly one of `token` and `signIn`. Values come from the environment or a file. */
export interface Credential {
  /** A token that the server issued, or an API key. */
  token?: string
  /** A sign-in with a password. */
  signIn?: {
    /** Name of the auth table, as in paths. */
    table: string
    /** Email or username. */
    identity: string
    /** Password of the account. */
    password: string
  }
  /** Makes the token a project API key: what it may do. */
  scope?: {
    /** Names of tables, as in paths. */
    tables: readonly string[]
    /** What the key may do with them. */
    actions: readonly KeyAction[]
  }
}

/** Services that a run starts for a server that is configured to use them, and where they listen. */
export interface ServicePorts {
  /** The SMTP server, which receives the emails of the target. @default none */
  smtp?: {
    /**
     * Port on 127.0.0.1.
     *
     * @default 0 a free one
     */
    port?: number
    /**
     * Milliseconds between the arrival of an email and its use. Some servers record only afterwards that they have sent
     * it.
     *
     * @default 50
     */
    settle?: number
  }
  /** The identity provider for OAuth 2.0. @default none */
  oidc?: {
    /**
     * Port on 127.0.0.1.
     *
     * @default 0 a free one
     */
    port?: number
    /**
     * What the target calls it in `provider`.
     *
     * @default the first name in auth-methods, or `oidc` if that names none
     */
    name?: string
  }
}

/** How the emails of a target arrive, and how they are read. */
export interface MailHabits {
  /**
   * Milliseconds after which an email that was expected counts as not sent.
   *
   * @default 5000
   */
  patience?: number
  /**
   * Milliseconds to wait before concluding that no email was sent; at least three times the recent delivery time.
   *
   * @default 150
   */
  quiet?: number
  /**
   * A regular expression that finds a one-time code in an email: its first group, or all that it matches.
   *
   * @default the usual forms
   */
  code?: string
  /**
   * The same for the token that confirms a verification, a reset or a change of address.
   *
   * @default the usual forms
   */
  token?: string
}

export interface KeyScope {
  tables: readonly (TableRef | string)[]
  actions: readonly KeyAction[]
}

/** A project API key. `id` is what revokes it; a key given in the target file has none. */
export interface ApiKey {
  /** As the hook `revokeApiKey` gets it. */
  id?: string | number
  key: string
  /** All its permissions, if the tester knows them: a server may have coarser scopes than those that were requested. */
  actions?: readonly KeyAction[]
}

/** The email flows: each sends a proof that its second step takes (document, section 4.2). */
export type ConfirmationKind = 'verification' | 'password-reset' | 'email-change'

/** What the proof in an email is for: a one-time code signs in. */
export type ProofKind = ConfirmationKind | 'code'

/** An email that the target sent, with its transfer encoding decoded. */
export interface ReceivedEmail {
  /** Position among all emails of the run, from 1. */
  number: number
  to: string[]
  from: string
  subject: string
  text: string
  html: string
  /** The one-time code, if the tester's mailbox has already extracted it. */
  code?: string
  /** The token that confirms the email's flow, if the tester's mailbox has already extracted it. */
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

/** What the query of a list can request, in a form that the document leaves open. */
export type QueryPart = 'page size' | 'page number' | 'filter' | 'order' | 'expansion'

/** What is tested: the address of a server, and what the tester says about it. */
export interface Target {
  /** The part of the URL before the prefix: `http://127.0.0.1:8090`. */
  baseUrl: string
  /** Name in reports. */
  name?: string
  /** Name of the profile that the target claims; absent: claims nothing. */
  profile?: string
  /** Requirements of the standard profile that the claim is about. Absent: all. */
  follows?: readonly string[]
  /** Names of parameters and body fields, and the path prefix. */
  binding: Binding
  /** Keys of the binding that the tester names, even with the value that they have in the profile. @default none */
  named?: readonly string[]
  /** Capabilities the target says it has (true) or lacks (false); those not named are looked for. */
  capabilities: Readonly<Record<string, boolean>>
  /** Operations the target says it lacks (false). Those that a lacking capability needs are absent, too. */
  operations?: Readonly<Partial<Record<OperationId, boolean>>>
  /** Requirements, as `--only` takes them, that have no visible effect on the target according to the tester, with the reason. */
  notApplicable?: Readonly<Record<string, string>>
  /** The tables of the target by role. */
  tables: Readonly<Record<string, TableRef>>
  /** Roles for which the target says that it has no table. Absent: none. */
  absentTables?: readonly string[]
  /** Tokens and sign-ins by the name of the actor: `superuser`, for example. */
  credentials: Readonly<Record<string, Credential>>
  /** Hooks by name (`clock`, `mailbox`, ...): a module path or a URL. */
  hooks?: Readonly<Record<string, string>>
  /** How its emails arrive, and how they are read. */
  mail?: MailHabits
  /** Services to start for the run. The server is configured to use them. */
  services?: ServicePorts
  /** Set if no table is named; the run then explores the server. */
  bare?: {
    /** Path prefix. Absent: the run tries the usual ones. */
    prefix?: string
    /** Names of tables to request, in addition to usual ones. */
    names?: readonly string[]
  }
  /** What an exploration found. */
  explored?: {
    /** Tables for the role `plain`, the likeliest first. One without `fields` shows no text field. */
    plain: readonly TableRef[]
    /** The same, of tables that a guest cannot list. */
    closed: readonly TableRef[]
    /** Tables for the role `members`, the likeliest first. */
    members: readonly TableRef[]
    /** Pairs of tables for these roles, the likeliest first. One without a field `name` shows no text field. */
    relations: readonly Readonly<Record<'child' | 'parent', TableRef>>[]
    /** Names of all tables that were found or requested. */
    asked: readonly string[]
    /** Milliseconds that it took to find them. */
    ms?: number
    /** Operations that the server does not seem to have. Absent: not requested. */
    missing?: readonly OperationId[]
  }
  /**
   * Parts of a query that neither a claim nor a binding defines, and that had no effect in any form that was tried: the
   * common forms for an explored target, the form of the profile for any other. Absent: not tried, or defined by a
   * claim.
   */
  unknownForms?: readonly QueryPart[]
}

/** The properties that a claim sets. Without a name nothing is claimed. */
export type Claim = Partial<Pick<Target, 'profile' | 'follows' | 'binding'>>

export interface PreparedTarget {
  target: Target
  /** A second, equally fresh instance of the embedded reference, if two were requested. */
  second?: Target
  embedded: boolean
  /** Threads that serve `target` and `second`, and can run an order themselves. */
  threads?: readonly Worker[]
  /** What readers of the report should know about the setup. */
  notes: readonly string[]
  /** Letters that no other run against the target has at the same time. */
  namespace?: string
  /** File in which the run records what it creates. */
  journal?: string
  /** Why it has no journal although it writes to the target, and what to do about it. */
  noJournal?: string
  /** Undoes the setup and stops the services. @throws what the teardown throws */
  close(): Promise<void>
}
