/**
 * Gives expanded records the types of their tables, where the general description allows any object.
 *
 * @module
 */

import { soleColumn } from '../reference/tables/sole-column.ts'
import type { Field } from '../reference/vocabulary.ts'
import type { ComponentNames } from './component-names.ts'
import { componentReference } from './component-reference.ts'
import type { DescribedTable, DescriptionPart } from './vocabulary.ts'

/** Records of tables that are not described: system tables. */
export const otherRecord = 'OtherRecord'

/**
 * What `expand` can add to a record: relations by their names, then back-relations as `table_via_field`
 * (contract-records 1.6). Undefined for a table without relations.
 */
export function expandSchema(
  table: DescribedTable,
  tables: readonly DescribedTable[],
  names: ComponentNames,
): DescriptionPart | undefined {
  const properties: Record<string, DescriptionPart> = {}
  for (const { name, definition, multiple } of relationsOf(table)) {
    const target = tables.find(({ id }) => id === definition.collectionId)
    const record = componentReference(target === undefined ? otherRecord : names.of(target, 'Record'))
    properties[name] = multiple ? { type: 'array', items: record } : record
  }
  for (const source of tables)
    for (const { name, definition, multiple } of relationsOf(source)) {
      if (definition.collectionId !== table.id) continue
      const record = componentReference(names.of(source, 'Record'))
      const unique = source.uniqueIndexes.some((index) => soleColumn(index)?.field === name)
      properties[`${source.name}_via_${name}`] =
        unique && !multiple ? record : { type: 'array', items: record }
    }
  if (Object.keys(properties).length === 0) return undefined
  return {
    type: 'object',
    description: `What \`expand\` can add to a record of \`${table.name}\`.`,
    properties,
  }
}

/** The relations that readers may expand: hidden ones are for superusers. */
function relationsOf({ fields }: DescribedTable): Field<'relation'>[] {
  return fields.filter((field): field is Field<'relation'> => field.type === 'relation' && !field.hidden)
}
