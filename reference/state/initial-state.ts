/**
 * The state that a reference starts with: the tables, records, superusers and API keys of its options.
 *
 * @module
 */

import type { TableDefinition } from '../../spec/table-definition.ts'
import { apiKeysTable, type NewApiKey, plantApiKey } from '../auth/api-keys.ts'
import { unfinishedProviders } from '../auth/oauth2/known-providers.ts'
import { withSecrets } from '../auth/secrets.ts'
import type { ReferenceEnvironment } from '../environment/environment.ts'
import type { Pieces } from '../limits/in-turns.ts'
import type { MemoryState } from '../limits/memory.ts'
import type { ReferenceOptions } from '../options.ts'
import { compileRule } from '../query/rule.ts'
import { Store } from '../store/store.ts'
import { TransactionWriter } from '../store/writer.ts'
import { addTables } from '../tables/add-tables.ts'
import { readDefinitions, withoutViews } from '../tables/read-definitions.ts'
import { ruleNotices } from '../tables/rule-notices.ts'
import { systemTables } from '../tables/system.ts'
import { unusedOptions } from '../tables/unused-options.ts'
import { withPretended } from '../testing/pretend-provider.ts'
import { type Seed, seed, seedNotices } from './seed.ts'

/** What a reference starts with: from its options, or from the reference that it is a fork of. */
export interface InitialState {
  store: Store
  keys: readonly NewApiKey[]
  notices: readonly string[]
  /** Names of the views that were left out. */
  views: readonly string[]
  memory?: MemoryState
  /** What it shares with its forks. Absent: it is not a fork. */
  family?: object
}

/**
 * @param isFromFile whether the tables may be an export of another server: an option that has no effect is reported then
 * @throws Error that names the invalid table or record; without `isFromFile` also for an option that has no effect
 */
export function* initialState(
  options: ReferenceOptions,
  environment: ReferenceEnvironment,
  isFromFile: boolean,
): Pieces<InitialState> {
  const { tables, views, notices } = withoutViews(readDefinitions(options.tables ?? []))
  const unused = tables.map(unusedOptions)
  const misplaced = unused.flatMap((one) => one.misplaced)
  if (misplaced.length > 0 && !isFromFile) throw new Error(misplaced.join('\n'))
  try {
    const records = givenRecords(options)
    const { definitions, ...filled } = yield* fill(options, tables, records, environment)
    return {
      ...filled,
      views,
      notices: [
        ...notices,
        ...misplaced,
        ...unused.flatMap(({ foreign }) => foreign),
        ...unfinishedProviders(definitions),
        ...filled.notices,
        ...seedNotices(filled.store.current, records),
      ],
    }
  } catch (error) {
    // A relation to a view is rejected as if the view did not exist.
    if (error instanceof Error) error.message = [error.message, ...notices].join('\n')
    throw error
  }
}

/** The records by table, without tables for which there are none. */
function givenRecords({ records = {} }: ReferenceOptions): Seed['records'] {
  return Object.fromEntries(
    Object.entries(records).flatMap(([name, rows]) => (rows === undefined ? [] : [[name, rows]])),
  )
}

function* fill(
  options: ReferenceOptions,
  tables: readonly TableDefinition[],
  records: Seed['records'],
  environment: ReferenceEnvironment,
): Pieces<Pick<InitialState, 'store' | 'keys' | 'notices'> & { definitions: TableDefinition[] }> {
  const store = new Store()
  const complete = (definition: TableDefinition) =>
    withSecrets(withPretended(options.oauth2 ?? {}, definition), environment)
  addTables(
    store,
    [...systemTables, apiKeysTable].map((definition) => withSecrets(definition, environment)),
  )
  const definitions = tables.map(complete)
  const added = addTables(store, definitions, compileRule)
  const notices = ruleNotices(added, store.current)
  // The store is not shared yet, so the first records need not wait for a transaction.
  const writer = new TransactionWriter(store.snapshot().root)
  yield* seed(writer, { records, superusers: options.superusers ?? [] }, environment)
  const keys = (options.apiKeys ?? []).map((scope) => plantApiKey(writer, scope, environment))
  store.restore({ root: writer.root() })
  writer.close()
  return { store, keys, definitions, notices }
}
