/**
 * The JSON Schema of a table definition, generated from the types and `field-types.ts`: `npm run generate` writes it to
 * `table.schema.json`, and the build compiles it. It defines the type of each option; the reference checks the values.
 * Unknown keys are allowed, since newer servers export more, and null counts as absent.
 *
 * @module
 */

import { type CommonFieldOptions, type FieldType, fieldTypes, optionForms } from './field-types.ts'
import type { JsonSchema } from './json-schema.ts'
import type {
  AuthOptions,
  MailTemplate,
  OAuth2ProviderDefinition,
  TableDefinition,
  TokenOptions,
} from './table-definition.ts'

/** One schema per key: a new option without a schema does not compile. */
type FormsOf<Shape> = { readonly [Key in keyof Shape]-?: JsonSchema }

const { string, number, boolean, strings } = optionForms

function object<Shape>(properties: FormsOf<Shape>): JsonSchema {
  return { type: ['object', 'null'], properties }
}

const common: FormsOf<CommonFieldOptions & { type: string }> = {
  id: string,
  name: string,
  type: string,
  system: boolean,
  hidden: boolean,
  presentable: boolean,
  required: boolean,
  help: string,
}

const field: JsonSchema = {
  type: 'object',
  properties: common,
  allOf: (Object.keys(fieldTypes) as FieldType[]).flatMap((type) => {
    const { options } = fieldTypes[type]
    if (Object.keys(options).length === 0) return []
    const ofType = { required: ['type'], properties: { type: { const: type } } }
    // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
    return [{ if: ofType, then: { properties: options } }]
  }),
}

const provider: JsonSchema = {
  type: 'object',
  properties: {
    name: string,
    clientId: string,
    clientSecret: string,
    authURL: string,
    tokenURL: string,
    userInfoURL: string,
    displayName: string,
    pkce: boolean,
    extra: { type: ['object', 'null'] },
  } satisfies FormsOf<OAuth2ProviderDefinition>,
}

/** Schemas that several options share. */
const parts = {
  field,
  provider,
  template: object<MailTemplate>({ subject: string, body: string }),
  token: object<TokenOptions>({ duration: number, secret: string }),
}

const part = (name: keyof typeof parts): JsonSchema => ({ $ref: `#/$defs/${name}` })
const partAt = (ref: string): JsonSchema => parts[ref.slice('#/$defs/'.length) as keyof typeof parts]
const template = part('template')
const token = part('token')

type Part<Key extends keyof AuthOptions> = NonNullable<AuthOptions[Key]>

const auth: FormsOf<AuthOptions> = {
  authRule: string,
  manageRule: string,
  authAlert: object<Part<'authAlert'>>({ enabled: boolean, emailTemplate: template }),
  oauth2: object<Part<'oauth2'>>({
    enabled: boolean,
    mappedFields: object<NonNullable<Part<'oauth2'>['mappedFields']>>({
      id: string,
      name: string,
      username: string,
      avatarURL: string,
    }),
    providers: { type: ['array', 'null'], items: part('provider') },
  }),
  passwordAuth: object<Part<'passwordAuth'>>({ enabled: boolean, identityFields: strings }),
  mfa: object<Part<'mfa'>>({ enabled: boolean, duration: number, rule: string }),
  otp: object<Part<'otp'>>({ enabled: boolean, duration: number, length: number, emailTemplate: template }),
  authToken: token,
  passwordResetToken: token,
  emailChangeToken: token,
  verificationToken: token,
  fileToken: token,
  verificationTemplate: template,
  resetPasswordTemplate: template,
  confirmEmailChangeTemplate: template,
}

const table: FormsOf<TableDefinition> = {
  ...auth,
  id: string,
  name: { type: 'string' },
  type: string,
  system: boolean,
  listRule: string,
  viewRule: string,
  createRule: string,
  updateRule: string,
  deleteRule: string,
  fields: { type: ['array', 'null'], items: part('field') },
  indexes: strings,
  created: string,
  updated: string,
}

/** Options of fields of every type. */
export const commonFieldOptions: readonly string[] = Object.keys(common)

/** Options that only auth tables have. */
export const authOptionNames: readonly string[] = Object.keys(auth)

/** Every key of a field definition, of any type. */
const fieldKeys: readonly string[] = [
  ...new Set([
    ...commonFieldOptions,
    ...Object.values(fieldTypes).flatMap(({ options }) => Object.keys(options)),
  ]),
]

/** An unknown key of a definition. */
export interface UnknownKey {
  /** From the definition down: `otp`, `enabeld`. */
  path: readonly string[]
  /** Keys that are known at its place. */
  known: readonly string[]
}

/** The keys of a definition, at any depth, that no option has. */
export function unknownKeys(definition: unknown): UnknownKey[] {
  return unknownIn(definition, tableSchema, [])
}

function unknownIn(value: unknown, schema: JsonSchema, path: readonly string[]): UnknownKey[] {
  const { $ref, items, properties } = schema as { $ref?: string; items?: JsonSchema; properties?: object }
  if ($ref !== undefined) return unknownIn(value, partAt($ref), path)
  if (Array.isArray(value))
    return items === undefined ? [] : value.flatMap((each, at) => unknownIn(each, items, [...path, `${at}`]))
  if (typeof value !== 'object' || value === null || properties === undefined) return []
  const known = schema === field ? fieldKeys : Object.keys(properties)
  const inner = new Map<string, JsonSchema>(Object.entries(properties))
  return Object.entries(value).flatMap(([key, each]) => {
    const below = [...path, key]
    if (!known.includes(key)) return [{ path: below, known }]
    const its = inner.get(key)
    return its === undefined ? [] : unknownIn(each, its, below)
  })
}

export const tableSchema: JsonSchema = {
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  $id: 'https://record-auth-conformance.invalid/table.schema.json',
  title: 'Table definition',
  description:
    'A table in the JSON form that the living server family exports and imports. Generated from spec/table-schema.ts by `npm run generate`.',
  type: 'object',
  required: ['name'],
  properties: table,
  $defs: parts,
}
