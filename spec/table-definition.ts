/**
 * Table definitions in the JSON form that the living server family exports and imports
 * (profile, gap `tables.definition`). Types only.
 *
 * @module
 */

export type FieldType =
  | 'text'
  | 'number'
  | 'bool'
  | 'email'
  | 'url'
  | 'editor'
  | 'date'
  | 'autodate'
  | 'select'
  | 'json'
  | 'file'
  | 'relation'
  | 'password'
  | 'geoPoint'

interface CommonOptions {
  id?: string
  name: string
  system?: boolean
  hidden?: boolean
  presentable?: boolean
  required?: boolean
  help?: string
}

export interface TextDefinition extends CommonOptions {
  type: 'text'
  min?: number
  max?: number
  pattern?: string
  autogeneratePattern?: string
  primaryKey?: boolean
}
export interface NumberDefinition extends CommonOptions {
  type: 'number'
  min?: number | null
  max?: number | null
  onlyInt?: boolean
}
export interface BoolDefinition extends CommonOptions {
  type: 'bool'
}
export interface EmailDefinition extends CommonOptions {
  type: 'email'
  onlyDomains?: string[] | null
  exceptDomains?: string[] | null
}
export interface UrlDefinition extends CommonOptions {
  type: 'url'
  onlyDomains?: string[] | null
  exceptDomains?: string[] | null
}
export interface EditorDefinition extends CommonOptions {
  type: 'editor'
  maxSize?: number
  convertURLs?: boolean
}
export interface DateDefinition extends CommonOptions {
  type: 'date'
  min?: string
  max?: string
}
export interface AutodateDefinition extends CommonOptions {
  type: 'autodate'
  onCreate?: boolean
  onUpdate?: boolean
}
export interface SelectDefinition extends CommonOptions {
  type: 'select'
  values: string[]
  maxSelect?: number
}
export interface JsonDefinition extends CommonOptions {
  type: 'json'
  maxSize?: number
}
export interface FileDefinition extends CommonOptions {
  type: 'file'
  maxSelect?: number
  maxSize?: number
  mimeTypes?: string[] | null
  thumbs?: string[] | null
  protected?: boolean
}
export interface RelationDefinition extends CommonOptions {
  type: 'relation'
  collectionId: string
  cascadeDelete?: boolean
  minSelect?: number
  maxSelect?: number
}
export interface PasswordDefinition extends CommonOptions {
  type: 'password'
  min?: number
  max?: number
  pattern?: string
  cost?: number
}
export interface GeoPointDefinition extends CommonOptions {
  type: 'geoPoint'
}

export type FieldDefinition =
  | TextDefinition
  | NumberDefinition
  | BoolDefinition
  | EmailDefinition
  | UrlDefinition
  | EditorDefinition
  | DateDefinition
  | AutodateDefinition
  | SelectDefinition
  | JsonDefinition
  | FileDefinition
  | RelationDefinition
  | PasswordDefinition
  | GeoPointDefinition

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

type DeepReadonly<T> = T extends (infer E)[]
  ? readonly DeepReadonly<E>[]
  : T extends object
    ? { readonly [K in keyof T]: DeepReadonly<T[K]> }
    : T

/** A field of a definition that somebody wrote down, `as const` or not. */
export type FieldInput = DeepReadonly<FieldDefinition>

/** A table definition as an application writes it down, `as const` or not. */
export type TableInput = DeepReadonly<TableDefinition>
