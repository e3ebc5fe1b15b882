/**
 * Project API keys: shown once, stored as a hash, revoked one by one (`keys.scopes` in docs/profile.md). They are rows of
 * a table that no path reaches, so snapshots, resets and forks include them.
 *
 * @module
 */

import { createHash, timingSafeEqual } from 'node:crypto'
import { didYouMean } from '../../spec/nearest.ts'
import { rejectUnknown } from '../../spec/reject-unknown.ts'
import type { TableDefinition } from '../../spec/table-definition.ts'
import type { KeyAction } from '../../spec/vocabulary.ts'
import { alphanumeric } from '../environment/alphanumeric.ts'
import { dateText } from '../fields/read-date.ts'
import type { Memory } from '../limits/memory.ts'
import { checkString } from '../state/check-values.ts'
import type { Store } from '../store/store.ts'
import { nonSystemTableNames } from '../tables/non-system-table-names.ts'
import type { ApiKeyFacts, Environment, Reader, Row, Table, Writer } from '../vocabulary.ts'

/** Name of the table that holds the keys. The HTTP interface responds as if it did not exist. */
export const apiKeysTableName = '_apiKeys'

export const apiKeysTable: TableDefinition = {
  id: 'pbc_api_keys',
  name: apiKeysTableName,
  type: 'base',
  system: true,
  fields: [
    { name: 'name', type: 'text' },
    { name: 'tables', type: 'json' },
    { name: 'actions', type: 'json' },
    { name: 'hash', type: 'text', hidden: true },
  ],
}

const SECRET_LENGTH = 40
const FORM = /^rak_([a-z0-9]{15})_([A-Za-z0-9]{40})$/

const knownActions: readonly KeyAction[] = ['list', 'view', 'create', 'update', 'delete']

/** What a new key may do: tables by name or id (`*` for all), and actions on their records. */
export interface ApiKeyScope {
  /** Description for people. @default '' */
  name?: string | undefined
  /** Names or ids of tables, at least one; `*` for all. */
  tables: readonly string[]
  /** Actions on records of these tables, at least one. */
  actions: readonly KeyAction[]
}

/** A key as listed: everything but its secret. */
export interface ListedApiKey extends ApiKeyFacts {
  /** Milliseconds since the epoch. */
  created: number
  /** Milliseconds since the epoch. Undefined for a key that was never used. */
  lastUsed: number | undefined
}

/** A key with its text, which is only shown when the key is created. */
export type NewApiKey = ListedApiKey & {
  /** What clients send as their token. */
  readonly key: string
}

/** The project API keys of a reference. */
export interface ApiKeys {
  /** The keys that the reference was created with, in the order of the options. A reset restores them. */
  readonly initial: readonly NewApiKey[]
  /** Creates a key. Its text cannot be read later. @throws RangeError for an empty scope, an unknown action or an unknown table */
  create(scope: ApiKeyScope): Promise<NewApiKey>
  /** All keys that are not revoked, without the keys themselves. */
  list(): ListedApiKey[]
  /** Revokes a key immediately. False if no key has this id. */
  revoke(id: string): Promise<boolean>
  /** The key with this text; undefined if the text is malformed, or the key is unknown or revoked. */
  find(text: string): ApiKeyFacts | undefined
}

const sha256 = (text: string) => createHash('sha256').update(text).digest()

function facts(row: Row): ApiKeyFacts {
  const { name, tables, actions } = row.values
  return { id: row.id, name: String(name), tables: tables as string[], actions: actions as KeyAction[] }
}

const scopeKeys: Record<keyof ApiKeyScope, true> = { name: true, tables: true, actions: true }

/** @throws TypeError for a scope without lists of tables and actions; RangeError for empty ones and for unknown actions */
function checkScope(scope: ApiKeyScope): void {
  rejectUnknown(scope, Object.keys(scopeKeys), 'part of the scope of an API key')
  const given: Partial<ApiKeyScope> | undefined = scope
  const { tables, actions, name = '' } = given ?? {}
  if (!Array.isArray(tables) || !Array.isArray(actions))
    throw new TypeError(
      `An API key needs lists of tables and actions: { tables: ['posts'], actions: ['list'] }.`,
    )
  if (typeof name !== 'string') throw new TypeError('The name of an API key must be a string.')
  const unknown = actions.filter((action: KeyAction) => !knownActions.includes(action))
  if (unknown.length > 0) {
    throw new RangeError(
      `An API key cannot have the action ${unknown.join(', ')}. Valid values: ${knownActions.join(', ')}.`,
    )
  }
  if (tables.length === 0 || actions.length === 0) {
    throw new RangeError(
      'An API key without tables or without actions could do nothing. Name at least one of each.',
    )
  }
}

/** @throws RangeError with the nearest name */
function rejectUnknownTables(reader: Reader, { tables }: ApiKeyScope): void {
  const unknown = tables.find((name) => name !== '*' && reader.table(name) === undefined)
  if (unknown === undefined) return
  const known = nonSystemTableNames(reader)
  throw new RangeError(
    `The API key cannot be created: there is no table "${unknown}".${didYouMean(unknown, known)} Available: ${known.join(', ')}.`,
  )
}

function keysTable(reader: Reader): Table {
  const found = reader.table(apiKeysTableName)
  if (!found)
    throw new Error(`The store has no table ${apiKeysTableName}: add apiKeysTable when the store is made.`)
  return found
}

function listed(row: Row, lastUsed?: number): ListedApiKey {
  return { ...facts(row), created: Date.parse(String(row.values.created)), lastUsed }
}

/**
 * Adds a new key to a store.
 *
 * @throws RangeError for an empty scope, an unknown action or an unknown table; TypeError for one of another form
 */
export function plantApiKey(writer: Writer, scope: ApiKeyScope, environment: Environment): NewApiKey {
  checkScope(scope)
  rejectUnknownTables(writer, scope)
  const id = environment.newId()
  const key = `rak_${id}_${environment.random(alphanumeric, SECRET_LENGTH)}`
  const now = dateText(environment.now())
  const row = writer.insert(keysTable(writer), {
    id,
    name: scope.name ?? '',
    tables: [...scope.tables],
    actions: [...scope.actions],
    hash: sha256(key).toString('hex'),
    created: now,
    updated: now,
  })
  return { ...listed(row), key }
}

const usedKey = (id: string) => `key used\0${id}`

/** The keys of one reference. The store must hold `apiKeysTable`. */
export function createApiKeys(
  store: Store,
  environment: Environment,
  memory: Memory,
  initial: readonly NewApiKey[] = [],
): ApiKeys {
  const table = () => keysTable(store.current)

  return {
    initial,
    create: (scope) => store.transaction((writer) => plantApiKey(writer, scope, environment)),
    list() {
      return [...store.current.scan(table())].map((row) => listed(row, memory.since(usedKey(row.id))))
    },
    async revoke(id) {
      checkString('The id of the API key', id)
      memory.forget(usedKey(id))
      return store.transaction((tx) => {
        const row = tx.get(table(), id)
        if (row) tx.remove(table(), row)
        return row !== undefined
      })
    },
    find(text) {
      checkString('The text of the API key', text)
      const id = FORM.exec(text)?.[1]
      const row = id === undefined ? undefined : store.current.get(table(), id)
      if (!row || !timingSafeEqual(sha256(text), Buffer.from(String(row.values.hash), 'hex')))
        return undefined
      memory.note(usedKey(row.id))
      return facts(row)
    },
  }
}
