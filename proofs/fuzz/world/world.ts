/**
 * What every server of the fuzzer begins with: tables, three records in each, accounts, tokens of every kind.
 *
 * @module
 */

import { createReference, type Reference, type StateJson } from '../../../reference/reference.ts'
import { escapePattern } from '../../../spec/escape-pattern.ts'
import type { TableDefinition } from '../../../spec/table-definition.ts'
import type { Blanks } from '../blanks.ts'
import { fuzzEmail, fuzzIds, usernameOf } from './ids.ts'
import { manyRecords, manyTable } from './many.ts'
import { roleOf, webSize, worldTables } from './tables.ts'

export interface Secrets {
  /** Matches what no response may contain, no matter who requested it. */
  ofAll: RegExp
  /** The value of a hidden field: for superusers and keys only. */
  hidden: string
  /** Whether hidden values may be shown to who sends this header. */
  isTrusted(authorization: string | undefined): boolean
}

export interface FuzzWorld {
  reference: Reference
  tables: readonly TableDefinition[]
  /** Tokens and keys by name. */
  tokens: Blanks
  secrets: Secrets
  state: StateJson
}

/** The same for all servers, so that tokens hold on all of them. */
export const worldTime = '2030-01-01T12:00:00Z'
export const worldSeed = 1
const superuser = { email: 'root@mail.example', password: 'Root-Secret-5391' }

/** The value of the hidden field of `conf_hiding`. */
const hiddenText = 'Hidden-Value-7264'

/**
 * @param log called with exceptions that made the reference return a 500
 * @param many with a table of ten thousand records
 */
export async function createWorld(log: (error: unknown) => void, many = false): Promise<FuzzWorld> {
  const usual = worldTables()
  const tables = many ? [...usual, manyTable] : usual
  const reference = createReference({
    tables,
    records: many ? { [manyTable.name]: manyRecords() } : {},
    superusers: [superuser],
    apiKeys: [
      { name: 'all', tables: ['*'], actions: ['list', 'view', 'create', 'update', 'delete'] },
      { name: 'narrow', tables: ['conf_plain', 'conf_members'], actions: ['list', 'create'] },
    ],
    oauth2: { pretend: ['pretend'] },
    passwordCost: 4,
    seed: worldSeed,
    clock: worldTime,
    // Codes are requested again and again.
    throttle: { resendSeconds: 0 },
    log,
  })
  // Records of `conf_owned` belong to accounts, which are further down.
  const owned = (table: TableDefinition) => Number(roleOf(table) === 'owned')
  for (const table of usual.toSorted((a, b) => owned(a) - owned(b))) await populate(reference, table)
  const state = await reference.exportState()
  const tokens = await tokensOf(reference, tables)
  const secrets: Secrets = {
    ofAll: secretsOf(state),
    hidden: hiddenText,
    isTrusted: (authorization = '') =>
      authorization.includes(tokens.superuser ?? '') || authorization.includes('rak_'),
  }
  return { reference, tables, tokens, secrets, state }
}

const hasField = ({ fields = [] }: TableDefinition, name: string) =>
  fields.some((field) => field.name === name)

async function populate(reference: Reference, table: TableDefinition): Promise<void> {
  const role = roleOf(table)
  const ids = fuzzIds(table.name)
  const has = (name: string) => hasField(table, name)
  if (role === 'web') return populateWeb(reference)
  await reference.make(table.name, ids.length, (at) => ({
    id: ids[at],
    ...(table.type === 'auth' && {
      email: fuzzEmail(role, at),
      verified: at === 0,
      emailVisibility: at !== 1,
    }),
    ...(has('username') && { username: usernameOf(role, at) }),
    ...(has('secret') && { secret: hiddenText }),
    ...(has('owner') && { owner: fuzzIds('conf_members')[0] }),
  }))
}

async function populateWeb({ records }: Reference): Promise<void> {
  const ids = Array.from({ length: webSize }, (_, at) => `web${String(at).padStart(12, '0')}`)
  for (const id of ids) await records.create('conf_web', { id, title: id, body: '' })
  for (const id of ids) await records.update('conf_web', id, { kids: ids })
  // Nothing points to the long one: expansions would hold it hundreds of times.
  await records.create('conf_web', { id: 'webwithlongbody', title: 'long', body: 'a'.repeat(1_000_000) })
}

async function tokensOf(reference: Reference, tables: readonly TableDefinition[]): Promise<Blanks> {
  const [all, narrow] = reference.apiKeys.initial
  const tokens: Blanks = {
    superuser: (await reference.as('superuser')).token,
    key: all?.key ?? '',
    narrowKey: narrow?.key ?? '',
  }
  const other = createReference({
    tables: worldTables(),
    seed: worldSeed + 1,
    passwordCost: 4,
    clock: worldTime,
  })
  for (const table of tables.filter(({ type }) => type === 'auth')) {
    const { name } = table
    const role = roleOf(table)
    const [id = '', unverified = ''] = fuzzIds(name)
    tokens[`auth:${role}`] = await reference.tokenFor(name, id)
    tokens[`static:${role}`] = await reference.tokenFor(name, id, { kind: 'static' })
    tokens[`expired:${role}`] = await reference.tokenFor(name, id, { duration: -60 })
    tokens[`verification:${role}`] = await reference.tokenFor(name, unverified, { kind: 'verification' })
    tokens[`passwordReset:${role}`] = await reference.tokenFor(name, id, { kind: 'passwordReset' })
    const newEmail = `changed-${role}@mail.example`
    tokens[`emailChange:${role}`] = await reference.tokenFor(name, id, { kind: 'emailChange', newEmail })
    // Of an account with the same id on another server, signed with that server's secret.
    await other.make(name, 1, {
      id,
      email: fuzzEmail(role),
      ...(hasField(table, 'username') && { username: 'same' }),
    })
    tokens[`foreign:${role}`] = await other.tokenFor(name, id)
  }
  return tokens
}

/** Token keys, hashes of passwords and keys, secrets of tables, the superuser's password. */
function secretsOf(state: StateJson): RegExp {
  const found = new Set([superuser.password])
  const visit = (value: unknown, key = ''): void => {
    if (typeof value === 'object' && value !== null)
      for (const [name, inner] of Object.entries(value)) visit(inner, name)
    const secret = key === 'secret' || key === 'tokenKey' || key === 'hash' || key === 'password'
    if (secret && typeof value === 'string' && value.length >= 20) found.add(value)
  }
  visit(state)
  return new RegExp([...found].map(escapePattern).join('|'))
}
