/**
 * Reads exports of the living family, whose views and other keys have no meaning here.
 *
 * @module
 */

import { isObject } from '../../exchange/json-object.ts'
import { checkTable } from '../../spec/check-table.ts'
import { kindName } from '../../spec/kind-name.ts'
import type { TableDefinition } from '../../spec/table-definition.ts'

/**
 * The table definitions in a JSON value: a list of them, or an object that has the list under `collections`, as the
 * living family exports and imports them. Unknown keys are kept and ignored.
 *
 * @throws Error that names what was found instead
 */
export function readDefinitions(input: unknown): TableDefinition[] {
  const list = isObject(input) && 'collections' in input ? input.collections : input
  if (!Array.isArray(list)) {
    throw new Error(
      `Table definitions must be an array, or an object with the array under "collections"; found ${kindName(list)}.`,
    )
  }
  return list.map((given, at) => {
    checkTable(given, at)
    const entry = { ...(given as Record<string, unknown>) }
    for (const key of ['fields', 'indexes']) if (entry[key] === null) delete entry[key]
    return entry as unknown as TableDefinition
  })
}

/**
 * Removes the views, which an export of the living family may contain: they return the result of SQL, which is not
 * supported here.
 *
 * @returns the other definitions, the names of the views, and a message about them if there are any
 */
export function withoutViews(definitions: readonly TableDefinition[]): {
  tables: TableDefinition[]
  views: string[]
  notices: string[]
} {
  const isView = ({ type }: { type?: string }) => type === 'view'
  const views = definitions.filter(isView).map(({ name }) => name)
  const names = views.map((name) => `"${name}"`).join(', ')
  return {
    tables: definitions.filter((definition) => !isView(definition)),
    views,
    notices: views.length === 0 ? [] : [`View tables cannot be served here and were left out: ${names}.`],
  }
}
