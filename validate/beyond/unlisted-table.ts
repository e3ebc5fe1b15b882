import { isObject } from '../../exchange/json-object.ts'
import { didYouMean, quoted } from '../../spec/nearest.ts'
import { isSuccess } from '../../spec/status-range.ts'
import type { FoundOperation } from '../find-operation.ts'
import type { ExchangeReading } from '../reading/reading.ts'
import type { TableIndex } from './table-index.ts'

/**
 * That a table of the traffic is not among the given tables: the fields of its records are then not checked, and a typo
 * would hide that. Undefined if there is nothing to say.
 */
export function unlistedTable(
  tables: TableIndex | undefined,
  { table }: FoundOperation,
  { status, body }: Pick<ExchangeReading, 'status' | 'body'>,
): string | undefined {
  // Tables of the server itself are in no definition.
  if (tables === undefined || table === '' || table.startsWith('_') || !isSuccess(status)) return undefined
  if (tables.find(table) !== undefined) return undefined
  // The path may contain an identifier that the definitions do not have.
  const name = nameIn(body)
  if (name !== undefined && tables.find(name) !== undefined) return undefined
  const meant = didYouMean(table, tables.names)
  return `${quoted(table)} is not among the tables, so its fields are not checked.${meant}`
}

/** The table that the first record of a body names. */
function nameIn(body: unknown): string | undefined {
  if (!isObject(body)) return undefined
  const { items, record } = body
  // A record names its table itself, and may have fields called `items` and `record`.
  const named = [body, Array.isArray(items) ? items[0] : record].filter(isObject)
  return named.map(({ collectionName }) => collectionName).find((name) => typeof name === 'string')
}
