/**
 * The rules that validate the exchanges with a target: its names, its tables, and whether it claims the profile.
 *
 * @module
 */

import { matchOperation } from '../../exchange/operation.ts'
import { standardBinding } from '../../spec/gaps.ts'
import { operationPaths } from '../../spec/generated/operations.ts'
import { loadTables } from '../../spec/tables.ts'
import type { Binding, OperationId } from '../../spec/vocabulary.ts'
import type { Rules } from '../../validate/beyond/judging.ts'
import { indexTables } from '../../validate/beyond/table-index.ts'
import type { FoundOperation } from '../../validate/find-operation.ts'
import type { ParameterNames } from '../../validate/request-meaning.ts'
import type { Target } from '../vocabulary/target.ts'
import { makePaths } from './paths.ts'

const LIST = 'list.'
/** The query languages of the profile, each with the bindings that write it and its parameter. */
const languages: readonly (readonly [keys: readonly string[], parameter: string])[] = [
  [['filter.equals'], 'filter'],
  [['sort.ascending', 'sort.descending'], 'sort'],
]

/** A partial claim does not define how the rest is interpreted. */
export function targetRules({ binding, profile, follows, tables }: Target): Rules {
  return {
    prefix: makePaths(binding).prefix,
    names: parameterNames(binding),
    tables: indexTables(knownTables(tables), false),
    claimed: profile !== undefined && follows === undefined,
    strict: false,
    checks: 'all',
  }
}

/** The intended operation of a request, for any path. */
export function foundOperation(
  { operation: id, url }: { operation: OperationId | undefined; url: string },
  prefix: string,
): FoundOperation | undefined {
  const operation = operationPaths.find((each) => each.id === id)
  if (operation === undefined) return undefined
  const match = matchOperation(operation.method, url, prefix)
  const { table = '', id: record = '' } = match?.operation === operation ? match.params : {}
  return { operation, table, id: record }
}

/** A parameter value can be parsed if the target has the syntax of the profile. */
function parameterNames(binding: Binding): ParameterNames {
  const standard = standardBinding()
  const isOther = (key: string) => binding[key] !== undefined && binding[key] !== standard[key]
  const names = Object.keys(standard).flatMap((key) =>
    key.startsWith(LIST) && isOther(key) ? [[key.slice(LIST.length), binding[key] ?? ''] as const] : [],
  )
  const unclear = languages.flatMap(([keys, parameter]) =>
    keys.some(isOther) ? [[parameter, ''] as const] : [],
  )
  return Object.fromEntries([...names, ...unclear])
}

/** The definitions of tables with our names: such a table was created from ours. */
function knownTables(tables: Target['tables']) {
  return loadTables().flatMap(({ role, definition }) => {
    const { name, fields } = tables[role] ?? {}
    return name === definition.name && fields === undefined ? [definition] : []
  })
}
