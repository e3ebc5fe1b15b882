/**
 * The paths of a description, with tables instead of `{table}`.
 *
 * @module
 */

import type { OperationId } from '../spec/vocabulary.ts'
import type { ComponentNames, Ending } from './component-names.ts'
import { concreteOperation, type Operation, type Site } from './concrete-operation.ts'
import { createSpecializer } from './specializer.ts'
import { groupOf, isInGroup, type TableGroup } from './table-group.ts'
import type { DescribedTable, Description, DescriptionPart, PathItem } from './vocabulary.ts'

const methods = ['get', 'post', 'patch', 'put', 'delete'] as const
const tableReference = '#/components/parameters/table'

export interface PathsOptions {
  /** The general description, with `{table}` in its paths. */
  general: Description
  tables: readonly DescribedTable[]
  names: ComponentNames
  /** The schemas of the new description. Copies of general schemas are added to it. */
  schemas: Record<string, DescriptionPart>
  /** The parameters of the new description. Parameters that name tables are added to it. */
  parameters: Record<string, DescriptionPart>
  perTable: boolean
  documentOnly: boolean
}

/** @returns the paths with the document's prefix */
export function concretePaths(options: PathsOptions): Description['paths'] {
  const { general, tables, perTable } = options
  const all = Object.entries(general.paths)
  const ofTables = perTable ? all.filter(([path]) => path.includes('{table}')) : []
  const others = all.filter((entry) => !ofTables.includes(entry))
  const entries = [
    ...others.map(([path, item]) => [path, pathItem(item, options)] as const),
    ...tables.flatMap((table) =>
      ofTables.map(
        ([path, item]) => [path.replace('{table}', table.name), pathItem(item, options, table)] as const,
      ),
    ),
  ]
  return Object.fromEntries(entries.filter(([, item]) => Object.keys(item).length > 0))
}

/** @param only the table in the path. Absent: all tables */
function pathItem(item: PathItem, options: PathsOptions, only?: DescribedTable): PathItem {
  const shared = (item.parameters ?? []) as DescriptionPart[]
  const ofTables = shared.some(({ $ref }) => $ref === tableReference)
  const others = shared.filter(({ $ref }) => $ref !== tableReference)
  const found: PathItem = {}
  for (const method of methods) {
    const operation = item[method] as Operation | undefined
    if (operation === undefined) continue
    const group = ofTables ? groupOf(operation.operationId, options.documentOnly) : 'writableTable'
    const tables = (only ? [only] : options.tables).filter((table) => isInGroup(table, group))
    if (tables.length === 0) continue
    const named = ofTables && only === undefined ? [tableParameter(group, tables, options)] : []
    found[method] = concreteOperation(operation, [...named, ...others], siteOf(tables, options, only))
  }
  return found
}

/** In a written description, each name is on a line of its own. */
function tableParameter(
  group: TableGroup,
  tables: readonly DescribedTable[],
  { general, parameters }: PathsOptions,
): DescriptionPart {
  parameters[group] = {
    ...general.components.parameters?.table,
    description: 'Name of the table.',
    schema: { type: 'string', enum: tables.map(({ name }) => name) },
  }
  return { $ref: `#/components/parameters/${group}` }
}

function siteOf(tables: readonly DescribedTable[], options: PathsOptions, only?: DescribedTable): Site {
  const { general, names, schemas, documentOnly } = options
  const schemaFor = (ending: Ending) => {
    const name = only === undefined ? `Any${ending}` : names.of(only, ending)
    return schemas[name] === undefined ? undefined : name
  }
  const copyName = (name: string) => (only === undefined ? name : names.copy(only, name))
  const { perTable, tables: all } = options
  const operationIdFor = (id: OperationId): string | undefined => {
    const group = groupOf(id, documentOnly)
    if (only === undefined)
      return id === 'batch' || (!perTable && all.some((table) => isInGroup(table, group))) ? id : undefined
    if (!isInGroup(only, group)) return undefined
    // `listRecords` becomes `listPostsRecords`, and `authRefresh` becomes `authRefreshUsers`.
    return /Records?$/.test(id) ? id.replace(/Records?$/, copyName) : id + copyName('')
  }
  // Operations on all tables keep the names of the general operations.
  const record = only === undefined ? undefined : names.of(only, 'Record')
  const records = ['Record', 'AuthRecord', 'AnyRecord'].map((name) => [name, record ?? name])
  return {
    tables,
    only,
    operationIdFor,
    components: general.components,
    schemaFor,
    needsBody: tables.every((table) => {
      const create = schemas[names.of(table, 'Create')]
      return create === undefined || create.required !== undefined
    }),
    specializer: createSpecializer(
      general.components.schemas ?? {},
      Object.fromEntries(records) as Record<string, string>,
      copyName,
      schemas,
    ),
    documentOnly,
  }
}
