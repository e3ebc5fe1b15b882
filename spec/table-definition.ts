/**
 * Table definitions in the JSON form that the living server family exports and imports
 * (`tables.definition` in docs/profile.md). Types only.
 *
 * @module
 */

import type { DeepReadonly, DefinitionOf, FieldType } from './field-types.ts'

/** The definition of a field of any type. */
export type FieldDefinition = { [T in FieldType]: DefinitionOf<T> }[FieldType]

/** `null`: superusers only. `''`: everyone. Otherwise an expression of the filter language. */
export type RuleText = string | null

/** Template of an email. It may contain placeholders such as `{APP_NAME}`, `{APP_URL}` and `{TOKEN}`. */
export interface MailTemplate {
  /** Subject line. */
  subject: string
  /** Body as HTML. */
  body: string
}

/** How tokens of one kind are signed. */
export interface TokenOptions {
  /** Lifetime in seconds. @default depends on the kind: 432000 for sessions, for example */
  duration?: number
  /** Key of the signature. A new one ends all tokens of this kind. @default random */
  secret?: string
}

/** An identity provider that users can sign in with. */
export interface OAuth2ProviderDefinition {
  /** Name in requests. */
  name: string
  /** Id of the application at the provider. */
  clientId: string
  /** Secret of the application at the provider. @default '' */
  clientSecret?: string
  /** Page to which the browser is sent. @default the provider's, if it is well known */
  authURL?: string
  /** Address at which a code is exchanged for a token. @default the provider's, if it is well known */
  tokenURL?: string
  /** Address at which the provider describes the user. @default the provider's, if it is well known */
  userInfoURL?: string
  /** Name for display. @default the provider's */
  displayName?: string
  /** Whether PKCE is used. @default the provider's */
  pkce?: boolean | null
  /** How id tokens are verified, for providers without a user info address. @default none */
  extra?: {
    /** Address of the provider's keys. */
    jwksURL?: string
    /** Accepted issuers. */
    issuers?: string[]
  } | null
}

/** Options of a table that is enabled for sign-in. */
export interface AuthOptions {
  /** Condition that a record has to meet to sign in. @default '' every record */
  authRule?: RuleText
  /** Condition under which a caller may manage an account without its password. @default null superusers only */
  manageRule?: RuleText
  /** Emails about sign-ins from new places. @default { enabled: true } */
  authAlert?: {
    /** Whether they are sent. @default true */
    enabled?: boolean
    /** Their text. @default a short text in English */
    emailTemplate?: MailTemplate
  }
  /** Sign-in with identity providers. @default { enabled: false } */
  oauth2?: {
    /** Whether it is possible. @default false */
    enabled?: boolean
    /** Fields of new records that take values of the provider. @default none */
    mappedFields?: {
      /** Field that takes the id of the user at the provider. @default '' none */
      id?: string
      /** Field that takes the name. @default '' none */
      name?: string
      /** Field that takes the username. @default '' none */
      username?: string
      /** Field that takes the picture, or its address. @default '' none */
      avatarURL?: string
    }
    /** Providers to choose from. @default [] */
    providers?: OAuth2ProviderDefinition[]
  }
  /** Sign-in with a password. @default { enabled: true, identityFields: ['email'] } */
  passwordAuth?: {
    /** Whether it is possible. @default true */
    enabled?: boolean
    /** Fields that identify a record. @default ['email'] */
    identityFields?: string[]
  }
  /** Sign-in with two factors. @default { enabled: false } */
  mfa?: {
    /** Whether a second factor is required. @default false */
    enabled?: boolean
    /** Maximum number of seconds between the two factors. @default 600 */
    duration?: number
    /** Condition under which a second factor is required. @default '' always */
    rule?: string
  }
  /** Sign-in with a one-time code. @default { enabled: false } */
  otp?: {
    /** Whether it is possible. @default false */
    enabled?: boolean
    /** Seconds for which a code is valid. @default 180 */
    duration?: number
    /** Digits of a code. @default 8 */
    length?: number
    /** The email with the code. @default a short text in English */
    emailTemplate?: MailTemplate
  }
  /** Tokens of sessions. @default { duration: 432000 } */
  authToken?: TokenOptions
  /** Tokens that reset a password. @default { duration: 1800 } */
  passwordResetToken?: TokenOptions
  /** Tokens that confirm a new email address. @default { duration: 1800 } */
  emailChangeToken?: TokenOptions
  /** Tokens that verify an email address. @default { duration: 86400 } */
  verificationToken?: TokenOptions
  /** Tokens for protected files. @default { duration: 180 } */
  fileToken?: TokenOptions
  /** The email that verifies an address. @default a short text in English */
  verificationTemplate?: MailTemplate
  /** The email that resets a password. @default a short text in English */
  resetPasswordTemplate?: MailTemplate
  /** The email that confirms a new address. @default a short text in English */
  confirmEmailChangeTemplate?: MailTemplate
}

/** The definition of a table. */
export interface TableDefinition extends AuthOptions {
  /** Stays the same when the table is renamed. @default derived from the name */
  id?: string
  /** Name in paths. */
  name: string
  /** Kind of table: `auth` tables hold accounts. @default 'base' */
  type?: 'base' | 'auth'
  /** Whether the server itself needs the table. @default false */
  system?: boolean
  /** Callers that may list records, and the records that they see. @default null superusers only */
  listRule?: RuleText
  /** Callers that may view a record. @default null superusers only */
  viewRule?: RuleText
  /** Callers that may create records, and the records that they may create. @default null superusers only */
  createRule?: RuleText
  /** Callers that may change a record. @default null superusers only */
  updateRule?: RuleText
  /** Callers that may delete a record. @default null superusers only */
  deleteRule?: RuleText
  /** Fields of its records. Those that every record has need not be listed. @default [] */
  fields?: FieldDefinition[]
  /**
   * Indexes in SQL: `CREATE [UNIQUE] INDEX name ON table (column [COLLATE x], ...) [WHERE ...]`
   *
   * @default []
   */
  indexes?: string[]
  /** When the table was made. Exported definitions have it; it is not used. @default none */
  created?: string
  /** When the table was changed. Exported definitions have it; it is not used. @default none */
  updated?: string
}

/** A field of a definition as an application writes it, `as const` or not. */
export type FieldInput = DeepReadonly<FieldDefinition>

/** A table definition as an application writes it down, `as const` or not. */
export type TableInput = DeepReadonly<TableDefinition>
