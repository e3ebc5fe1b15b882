/**
 * Table definitions in the JSON form that the living server family exports and imports
 * (profile, gap `tables.definition`). Types only.
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
  /** Lifetime in seconds. */
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
  /** Secret of the application at the provider. */
  clientSecret?: string
  /** Page to which the browser is sent. */
  authURL?: string
  /** Address at which a code is exchanged for a token. */
  tokenURL?: string
  /** Address at which the provider describes the user. */
  userInfoURL?: string
  /** Name for display. */
  displayName?: string
  /** Whether PKCE is used. */
  pkce?: boolean | null
  /** How id tokens are verified, for providers without a user info address. */
  extra?: {
    /** Address of the provider's keys. */
    jwksURL?: string
    /** Accepted issuers. */
    issuers?: string[]
  } | null
}

/** Options of a table that is enabled for sign-in. */
export interface AuthOptions {
  /** Condition that a record has to meet to sign in. */
  authRule?: RuleText
  /** Condition under which a caller may manage an account without its password. */
  manageRule?: RuleText
  /** Emails about sign-ins from new places. */
  authAlert?: {
    /** Whether they are sent. */
    enabled?: boolean
    /** Their text. */
    emailTemplate?: MailTemplate
  }
  /** Sign-in with identity providers. */
  oauth2?: {
    /** Whether it is possible. */
    enabled?: boolean
    /** Fields of new records that take values of the provider. */
    mappedFields?: {
      /** Field that takes the id of the user at the provider. */
      id?: string
      /** Field that takes the name. */
      name?: string
      /** Field that takes the username. */
      username?: string
      /** Field that takes the picture, or its address. */
      avatarURL?: string
    }
    /** Providers to choose from. */
    providers?: OAuth2ProviderDefinition[]
  }
  /** Sign-in with a password. */
  passwordAuth?: {
    /** Whether it is possible. */
    enabled?: boolean
    /** Fields that identify a record, such as `email`. */
    identityFields?: string[]
  }
  /** Sign-in with two factors. */
  mfa?: {
    /** Whether a second factor is required. */
    enabled?: boolean
    /** Seconds between the two factors. */
    duration?: number
    /** Condition under which a second factor is required. Empty: always. */
    rule?: string
  }
  /** Sign-in with a one-time code. */
  otp?: {
    /** Whether it is possible. */
    enabled?: boolean
    /** Seconds for which a code is valid. */
    duration?: number
    /** Digits of a code. */
    length?: number
    /** The email with the code. */
    emailTemplate?: MailTemplate
  }
  /** Tokens of sessions. */
  authToken?: TokenOptions
  /** Tokens that reset a password. */
  passwordResetToken?: TokenOptions
  /** Tokens that confirm a new email address. */
  emailChangeToken?: TokenOptions
  /** Tokens that verify an email address. */
  verificationToken?: TokenOptions
  /** Tokens for protected files. */
  fileToken?: TokenOptions
  /** The email that verifies an address. */
  verificationTemplate?: MailTemplate
  /** The email that resets a password. */
  resetPasswordTemplate?: MailTemplate
  /** The email that confirms a new address. */
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
  /** Callers that may list records, and the records that they see. */
  listRule?: RuleText
  /** Callers that may view a record. */
  viewRule?: RuleText
  /** Callers that may create records, and the records that they may create. */
  createRule?: RuleText
  /** Callers that may change a record. */
  updateRule?: RuleText
  /** Callers that may delete a record. */
  deleteRule?: RuleText
  /** Fields of its records. Those that every record has need not be listed. */
  fields?: FieldDefinition[]
  /** Indexes in SQL: `CREATE [UNIQUE] INDEX name ON table (column [COLLATE x], ...) [WHERE ...]` */
  indexes?: string[]
  /** When the table was made. Exported definitions have it; it is not used. */
  created?: string
  /** When the table was changed. Exported definitions have it; it is not used. */
  updated?: string
}

/** A field of a definition as an application writes it, `as const` or not. */
export type FieldInput = DeepReadonly<FieldDefinition>

/** A table definition as an application writes it down, `as const` or not. */
export type TableInput = DeepReadonly<TableDefinition>
