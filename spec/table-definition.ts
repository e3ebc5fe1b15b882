/**
 * Table definitions in the JSON form that the living server family exports and imports
 * (profile, gap `tables.definition`). Types only.
 *
 * @module
 */

import type { DeepReadonly, DefinitionOf, FieldType } from './field-types.ts'

export type FieldDefinition = { [T in FieldType]: DefinitionOf<T> }[FieldType]

/** `null`: superusers only. `''`: everyone. Otherwise an expression of the filter language. */
export type RuleText = string | null

export interface MailTemplate {
  subject: string
  body: string
}

export interface TokenOptions {
  /** Lifetime in seconds. */
  duration?: number
  secret?: string
}

export interface OAuth2ProviderDefinition {
  name: string
  clientId: string
  clientSecret?: string
  authURL?: string
  tokenURL?: string
  userInfoURL?: string
  displayName?: string
  pkce?: boolean | null
  extra?: { jwksURL?: string; issuers?: string[] } | null
}

/** Options of a table that is enabled for sign-in. */
export interface AuthOptions {
  authRule?: RuleText
  manageRule?: RuleText
  authAlert?: { enabled?: boolean; emailTemplate?: MailTemplate }
  oauth2?: {
    enabled?: boolean
    mappedFields?: { id?: string; name?: string; username?: string; avatarURL?: string }
    providers?: OAuth2ProviderDefinition[]
  }
  passwordAuth?: { enabled?: boolean; identityFields?: string[] }
  mfa?: { enabled?: boolean; duration?: number; rule?: string }
  otp?: { enabled?: boolean; duration?: number; length?: number; emailTemplate?: MailTemplate }
  authToken?: TokenOptions
  passwordResetToken?: TokenOptions
  emailChangeToken?: TokenOptions
  verificationToken?: TokenOptions
  fileToken?: TokenOptions
  verificationTemplate?: MailTemplate
  resetPasswordTemplate?: MailTemplate
  confirmEmailChangeTemplate?: MailTemplate
}

export interface TableDefinition extends AuthOptions {
  id?: string
  name: string
  type?: 'base' | 'auth'
  system?: boolean
  listRule?: RuleText
  viewRule?: RuleText
  createRule?: RuleText
  updateRule?: RuleText
  deleteRule?: RuleText
  fields?: FieldDefinition[]
  /** `CREATE [UNIQUE] INDEX name ON table (column [COLLATE x], ...) [WHERE ...]` */
  indexes?: string[]
  created?: string
  updated?: string
}

/** A field of a definition that somebody wrote down, `as const` or not. */
export type FieldInput = DeepReadonly<FieldDefinition>

/** A table definition as an application writes it down, `as const` or not. */
export type TableInput = DeepReadonly<TableDefinition>
