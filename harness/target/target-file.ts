/**
 * Reads a target file (JSON or YAML) and turns it into a target. `spec/target.schema.json` describes it.
 *
 * @module
 */

import { readFileSync } from 'node:fs'
import { Ajv2020, type ErrorObject } from 'ajv/dist/2020.js'
import { isObject } from '../../exchange/json-object.ts'
import { commonFields } from '../../spec/common-fields.ts'
import { standardBinding } from '../../spec/gaps.ts'
import { nearest } from '../../spec/nearest.ts'
import { readData } from '../../spec/read-data.ts'
import { authRoles, loadRoles } from '../../spec/tables.ts'
import type { OperationId } from '../../spec/vocabulary.ts'
import { ConfigurationError } from '../errors.ts'
import { defined } from '../support/defined.ts'
import { parseYaml } from '../support/parse-yaml.ts'
import type { ProcessEnvironment } from '../vocabulary/options.ts'
import type { Credential, MailHabits, ServicePorts, TableRef, Target } from '../vocabulary/target.ts'
import { extraKeysProblem } from '../wire/extra-keys.ts'
import { checkedToken } from './checked-token.ts'
import { checkedUrl } from './checked-url.ts'
import { signingInBy } from './mapped-table.ts'

/** Fields that tables have without defining them: of every record, and of accounts. */
const builtInFields = [...commonFields, 'email', 'emailVisibility', 'verified', 'password', 'username']

/** A target file as it is written. */
export interface TargetFile {
  baseUrl: string
  name?: string
  profile?: string
  prefix?: string
  binding?: Record<string, string>
  capabilities?: Record<string, boolean>
  operations?: Partial<Record<OperationId, boolean>>
  notApplicable?: Record<string, string>
  tables?: Record<
    string,
    | {
        name: string
        id?: string
        fields?: Record<string, string>
        values?: Record<string, unknown>
        identity?: string
        as?: string
      }
    | false
  >
  credentials?: Record<
    string,
    {
      token?: string
      tokenEnv?: string
      signIn?: { table: string; identity: string; password?: string; passwordEnv?: string }
      scope?: NonNullable<Credential['scope']>
    }
  >
  hooks?: Record<string, string>
  /** Module that makes tables and accounts, relative to the file. */
  setup?: string
  mail?: MailHabits
  services?: ServicePorts
}

/** The contents of a target file, parsed but not checked. @throws ConfigurationError */
export function parseTargetFile(path: string): unknown {
  let text: string
  try {
    text = readFileSync(path, 'utf8')
  } catch (error) {
    const { code = 'unknown error' } = error as NodeJS.ErrnoException
    throw new ConfigurationError(
      `the target file cannot be read (${code})`,
      path,
      'correct the path; to write a target file, use `conformance init` or `conformance serve --ready-file FILE`',
    )
  }
  return parseYaml('the target file', path, text)
}

/** The names that a hook can have. */
export function hookNames(): readonly string[] {
  const { properties } = readData('target.schema') as {
    properties: { hooks: { propertyNames: { enum: string[] } } }
  }
  return properties.hooks.propertyNames.enum
}

/** The same for content that is already parsed; `place` names it in errors. */
export function targetOf(content: unknown, place: string, environment: ProcessEnvironment): Target {
  const validate = new Ajv2020({ allErrors: true, strict: false, verbose: true }).compile(
    readData('target.schema') as object,
  )
  if (!validate(content)) throw firstMistake(validate.errors ?? [], place)
  const file = content as unknown as TargetFile
  checkTables(file, place)
  return {
    baseUrl: checkedUrl(file.baseUrl, `${place}, baseUrl`),
    name: file.name,
    profile: file.profile,
    binding: bindingOf(file, place),
    ...(file.binding !== undefined && { named: Object.keys(file.binding) }),
    capabilities: file.capabilities ?? {},
    operations: file.operations,
    notApplicable: file.notApplicable,
    tables: tablesOf(file),
    absentTables: Object.keys(file.tables ?? {}).filter((role) => file.tables?.[role] === false),
    credentials: Object.fromEntries(
      Object.entries(file.credentials ?? {}).map(([actor, given]) => [
        actor,
        credentialOf(actor, given, place, environment),
      ]),
    ),
    hooks: file.hooks,
    mail: file.mail,
    services: file.services,
  }
}

function tablesOf({ tables = {} }: TargetFile): Record<string, TableRef> {
  const ours = new Map(loadRoles().map(({ role, definition }) => [role, definition.name]))
  const refs = Object.entries(tables).flatMap(([role, table]): [string, TableRef][] => {
    if (table === false) return []
    const { identity, ...rest } = table
    const ref: TableRef = { role, ...rest, ...(table.name !== ours.get(role) && { existing: true }) }
    // Checks send addresses anyway.
    const isAddress = identity === undefined || identity === (table.fields?.email ?? 'email')
    return [[role, isAddress ? ref : signingInBy(ref, identity)]]
  })
  return Object.fromEntries(refs)
}

/** A role or a field that no check uses would be ignored, and the server blamed for it. @throws ConfigurationError */
function checkTables({ tables = {}, credentials = {} }: TargetFile, place: string): void {
  const roles = new Map(loadRoles().map(({ role, definition }) => [role, definition.fields ?? []]))
  for (const [role, table] of Object.entries(tables)) {
    const { fields = {}, as: actor, identity } = table === false ? {} : table
    const known = roles.get(role)
    if (known === undefined) throw unknownKey(`tables.${role}`, role, [...roles.keys()], place)
    const names = [...new Set([...known.map(({ name }) => name), ...builtInFields])]
    for (const field of Object.keys(fields))
      if (!names.includes(field)) throw unknownKey(`tables.${role}.fields.${field}`, field, names, place)
    if (identity !== undefined && !authRoles().has(role)) throw noSignIns(role, place)
    // The superuser may come from the environment.
    const actors = ['account', 'superuser', ...Object.keys(credentials)]
    if (actor !== undefined && !actors.includes(actor)) throw unknownActor(role, actor, actors, place)
    const other = { parent: 'child', child: 'parent' }[role]
    if (table !== false && other !== undefined && !tables[other]) throw halfRelation(role, other, place)
    if (actor === 'account' && tables.members === undefined) throw noAccounts(role, place)
    const closed = actor === undefined ? undefined : closedRoleOf(tables, table)
    if (closed !== undefined) throw judgedForGuests(role, closed, place)
  }
}

/** The role of the same table in which the requests of guests are judged. A request names only the table. */
function closedRoleOf(
  tables: NonNullable<TargetFile['tables']>,
  table: NonNullable<TargetFile['tables']>[string],
): string | undefined {
  return ['locked', 'owned'].find((role) => {
    const other = tables[role]
    return table && other && other.name === table.name && other.as === undefined
  })
}

/**
 * A credential that no request can use is a mistake. Only what a setup or another program adds may use any name.
 *
 * @throws ConfigurationError
 */
export function expectUsedCredentials(
  { tables = {}, credentials = {} }: Pick<TargetFile, 'tables' | 'credentials'>,
  place: string,
): void {
  const actors = Object.values(tables).flatMap((table) => (table === false ? [] : (table.as ?? [])))
  const used = new Set(['superuser', ...actors])
  for (const [name, { scope }] of Object.entries(credentials)) {
    if (used.has(name) || scope !== undefined) continue
    const near = nearest(name, [...used])
    throw new ConfigurationError(
      `credentials.${name}: nothing uses this credential`,
      place,
      `${near === undefined ? '' : `did you mean "${near}"? `}use the name superuser, name it in "as" of a table, or give it the "scope" of an API key`,
    )
  }
}

function halfRelation(role: string, other: string, place: string): ConfigurationError {
  return new ConfigurationError(
    `tables.${role}: no table has the role "${other}"`,
    place,
    'the records of `child` refer to those of `parent`: map both roles, or neither',
  )
}

function unknownActor(
  role: string,
  actor: string,
  actors: readonly string[],
  place: string,
): ConfigurationError {
  const near = nearest(actor, actors)
  return new ConfigurationError(
    `tables.${role}.as: there is no credential "${actor}"`,
    place,
    near === undefined ? `use account, or a name of "credentials"` : `did you mean "${near}"?`,
  )
}

function judgedForGuests(role: string, closed: string, place: string): ConfigurationError {
  return new ConfigurationError(
    `tables.${role}.as: someone stands in for guests at a table that also has the role "${closed}", which judges what guests may do`,
    place,
    `use another table for "${role}" or for "${closed}"`,
  )
}

function noSignIns(role: string, place: string): ConfigurationError {
  return new ConfigurationError(
    `tables.${role}.identity: no account signs in to a table with the role "${role}"`,
    place,
    `"identity" belongs to auth tables: ${[...authRoles()].join(', ')}`,
  )
}

function noAccounts(role: string, place: string): ConfigurationError {
  return new ConfigurationError(
    `tables.${role}.as: there is no table with the role "members" to sign up an account in`,
    place,
    'add "members" to "tables", or use a name of "credentials"',
  )
}

function bindingOf({ binding = {}, prefix }: TargetFile, place: string): Record<string, string> {
  checkBinding(binding, place)
  return { ...standardBinding(), ...binding, ...defined({ prefix }) }
}

/** @throws ConfigurationError for a key that no gap has, and for a value that is not a string */
export function checkBinding(binding: unknown, place: string): asserts binding is Record<string, string> {
  const known = Object.keys(standardBinding())
  if (!isObject(binding))
    throw new ConfigurationError('"binding" is not an object', place, 'use keys of spec/gaps.yaml')
  for (const [key, value] of Object.entries(binding)) {
    if (!known.includes(key)) throw unknownKey(`binding.${key}`, key, known, place)
    if (typeof value !== 'string')
      throw new ConfigurationError(`binding.${key}: must be string`, place, 'put the value in quotes')
    const problem = extraKeysProblem(key, value)
    if (problem !== undefined)
      throw new ConfigurationError(`binding.${key}: ${problem}`, place, `write it as '{"key": "value"}'`)
  }
}

function credentialOf(
  actor: string,
  { token, tokenEnv, signIn, scope }: NonNullable<TargetFile['credentials']>[string],
  place: string,
  environment: ProcessEnvironment,
): Credential {
  const variable = (name: string, key: string) => {
    const value = environment[name]
    if (value !== undefined && value !== '') return value
    throw new ConfigurationError(
      `the environment variable ${name} is not set`,
      `${place}, credentials.${actor}.${key}`,
      `export ${name}=...`,
    )
  }
  if (signIn !== undefined) {
    const { table, identity, password, passwordEnv } = signIn
    return {
      signIn: { table, identity, password: password ?? variable(passwordEnv ?? '', 'signIn.passwordEnv') },
    }
  }
  return {
    token:
      token === undefined
        ? checkedToken(variable(tokenEnv ?? '', 'tokenEnv'), `${tokenEnv}, for ${place}`)
        : checkedToken(token, `${place}, credentials.${actor}.token`),
    scope,
  }
}

function firstMistake(errors: readonly ErrorObject[], place: string): ConfigurationError {
  const unknown = errors.find(({ keyword }) => keyword === 'additionalProperties')
  if (unknown !== undefined) {
    const key = String((unknown.params as { additionalProperty: string }).additionalProperty)
    const known = Object.keys((unknown.parentSchema as { properties?: object } | undefined)?.properties ?? {})
    return unknownKey(
      `${unknown.instancePath.slice(1).replaceAll('/', '.')}${unknown.instancePath === '' ? '' : '.'}${key}`,
      key,
      known,
      place,
    )
  }
  const misnamed = errors.find(({ propertyName }) => propertyName !== undefined)
  if (misnamed !== undefined) {
    const key = String(misnamed.propertyName)
    const { allowedValues = [] } = misnamed.params as { allowedValues?: string[] }
    const parent = misnamed.instancePath.slice(1).replaceAll('/', '.')
    return unknownKey(`${parent}.${key}`, key, allowedValues, place)
  }
  const [error] = errors
  const at = error?.instancePath.slice(1).replaceAll('/', '.') || 'the whole file'
  const given: unknown = error?.data
  if (at === 'baseUrl' && typeof given === 'string') {
    // Anything else may contain a password, which no message shows.
    const isHost = /^[\w.-]+(:\d+)?$/.test(given)
    return new ConfigurationError(
      `baseUrl: ${isHost ? JSON.stringify(given) : 'it'} is not an http or https URL`,
      place,
      `use a complete URL, such as http://${isHost ? given : '127.0.0.1:8090'}`,
    )
  }
  if (/^tables\.[^.]+$/.test(at) && typeof given === 'string')
    return new ConfigurationError(
      `${at}: must be an object`,
      place,
      `use ${at.slice('tables.'.length)}: { name: ${given} }`,
    )
  return new ConfigurationError(
    `${at}: ${error?.message ?? 'is invalid'}`,
    place,
    'see spec/target.schema.json for the format of target files',
  )
}

export function unknownKey(
  path: string,
  key: string,
  known: readonly string[],
  place: string,
): ConfigurationError {
  const near = nearest(key, known)
  return new ConfigurationError(
    `unknown key "${path}"`,
    place,
    near === undefined ? `known keys: ${known.join(', ')}` : `did you mean "${near}"?`,
  )
}
