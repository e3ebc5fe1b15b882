/**
 * Holds a table definition against the kinds of values that it is made of. The types say the same to whoever compiles;
 * a file that somebody wrote has no compiler, and would be refused in the words of JavaScript or taken with a part of it
 * quietly left out. What a value may be is for whoever uses it to say.
 *
 * @module
 */

import type { FieldType } from '../../spec/field-types.ts'
import type {
  AuthOptions,
  FieldDefinition,
  OAuth2ProviderDefinition,
  TableDefinition,
} from '../../spec/table-definition.ts'

interface Kind {
  /** For messages: `a text`. */
  name: string
  is(value: unknown): boolean
}

const isText = (value: unknown) => typeof value === 'string'
const text: Kind = { name: 'a text', is: isText }
const number: Kind = { name: 'a number', is: (value) => typeof value === 'number' }
const flag: Kind = { name: 'true or false', is: (value) => typeof value === 'boolean' }
const object: Kind = { name: 'an object', is: isObject }
const list: Kind = { name: 'a list', is: Array.isArray }
const texts: Kind = {
  name: 'a list of texts',
  is: (value) => Array.isArray(value) && value.every(isText),
}

type KindsOf<Shape> = Readonly<Record<Exclude<keyof Shape, 'name'>, Kind>>
type Common = 'id' | 'name' | 'type' | 'system' | 'hidden' | 'presentable' | 'required' | 'help'
type OptionsOf<Type extends FieldType> = Omit<Extract<FieldDefinition, { type: Type }>, Common>

const common: Readonly<Record<Common, Kind>> = {
  id: text,
  name: text,
  type: text,
  system: flag,
  hidden: flag,
  presentable: flag,
  required: flag,
  help: text,
}

const domains = { onlyDomains: texts, exceptDomains: texts }

const options: { readonly [Type in FieldType]: KindsOf<OptionsOf<Type>> } = {
  text: { min: number, max: number, pattern: text, autogeneratePattern: text, primaryKey: flag },
  number: { min: number, max: number, onlyInt: flag },
  bool: {},
  email: domains,
  url: domains,
  editor: { maxSize: number, convertURLs: flag },
  date: { min: text, max: text },
  autodate: { onCreate: flag, onUpdate: flag },
  select: { values: texts, maxSelect: number },
  json: { maxSize: number },
  file: { maxSelect: number, maxSize: number, mimeTypes: texts, thumbs: texts, protected: flag },
  relation: { collectionId: text, cascadeDelete: flag, minSelect: number, maxSelect: number },
  password: { min: number, max: number, pattern: text, cost: number },
  geoPoint: {},
}

const token = object
const auth: KindsOf<AuthOptions> = {
  authRule: text,
  manageRule: text,
  authAlert: object,
  oauth2: object,
  passwordAuth: object,
  mfa: object,
  otp: object,
  authToken: token,
  passwordResetToken: token,
  emailChangeToken: token,
  verificationToken: token,
  fileToken: token,
  verificationTemplate: object,
  resetPasswordTemplate: object,
  confirmEmailChangeTemplate: object,
}

const table: KindsOf<TableDefinition> = {
  ...auth,
  id: text,
  type: text,
  system: flag,
  listRule: text,
  viewRule: text,
  createRule: text,
  updateRule: text,
  deleteRule: text,
  fields: list,
  indexes: texts,
  created: text,
  updated: text,
}

/** Parts of the sign-in options, by the key that they stand under. */
const parts: Readonly<Record<string, Readonly<Record<string, Kind>>>> = {
  oauth2: { enabled: flag, mappedFields: object, providers: list },
  passwordAuth: { enabled: flag, identityFields: texts },
  mfa: { enabled: flag, duration: number, rule: text },
  otp: { enabled: flag, duration: number, length: number },
}

const provider: Readonly<Record<keyof OAuth2ProviderDefinition, Kind>> = {
  name: text,
  clientId: text,
  clientSecret: text,
  authURL: text,
  tokenURL: text,
  userInfoURL: text,
  displayName: text,
  pkce: flag,
  extra: object,
}

/** @throws Error that names the table, the place in it and what is expected there. What is null counts as left out. */
export function checkShape(definition: Readonly<Record<string, unknown>>): void {
  const where = `table "${String(definition.name)}"`
  checkKeys(definition, table, where)
  for (const [key, kinds] of Object.entries(parts)) checkKeys(definition[key], kinds, where, `${key}.`)
  const { providers } = (definition.oauth2 ?? {}) as { providers?: unknown }
  for (const [at, given] of listed(providers)) {
    expectKind(given, object, `oauth2.providers.${at}`, where)
    checkKeys(given, provider, where, `oauth2.providers.${at}.`)
  }
  for (const [at, field] of listed(definition.fields)) {
    expectKind(field, object, `fields.${at}`, where)
    const { name, type } = field as Record<string, unknown>
    const own = isText(type) && Object.hasOwn(options, type as string) ? options[type as FieldType] : {}
    checkKeys(field, { ...common, ...own }, `${isText(name) ? `field "${name}"` : `field ${at}`} of ${where}`)
  }
}

function checkKeys(given: unknown, kinds: Readonly<Record<string, Kind>>, where: string, inside = ''): void {
  if (!isObject(given)) return
  for (const [key, kind] of Object.entries(kinds)) {
    const value = given[key]
    if (value !== undefined && value !== null) expectKind(value, kind, `${inside}${key}`, where)
  }
}

function expectKind(value: unknown, kind: Kind, place: string, where: string): void {
  if (kind.is(value)) return
  throw new Error(`"${place}" of ${where} must be ${kind.name}; found ${kindName(value)}.`)
}

function listed(value: unknown): Iterable<[number, unknown]> {
  return Array.isArray(value) ? value.entries() : []
}

export function isObject(input: unknown): input is Record<string, unknown> {
  return typeof input === 'object' && input !== null && !Array.isArray(input)
}

export function kindName(input: unknown): string {
  if (input === null) return 'null'
  return Array.isArray(input) ? 'a list' : typeof input
}
