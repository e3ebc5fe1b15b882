/**
 * The foreign records: everyday values in every table that the suites know.
 *
 * @module
 */

import type { AnyReference } from '../../../reference/reference.ts'
import { loadTables } from '../../../spec/tables.ts'

/** In each table. */
export const FOREIGN_PER_TABLE = 50

/** Records of each table that others point to. The rest can be deleted without anything else that forbids it. */
const POINTED_TO = 5

/**
 * Makes records in every table, the tables of accounts included. Relations lead to the first records of their table: when
 * one of these goes, others change.
 *
 * @param count in each table
 */
export async function populate(reference: AnyReference, count = FOREIGN_PER_TABLE): Promise<void> {
  const made = new Map<string, string[]>()
  for (const { definition } of loadTables()) {
    const relations = (definition.fields ?? []).filter(({ type }) => type === 'relation') as RelationField[]
    const records = await reference.make(definition.name, count, (position: number) =>
      Object.fromEntries(
        relations
          // Some relations are unique, so that optional ones are not repeated.
          .filter(({ required }) => required === true || position < POINTED_TO)
          .map((field) => [field.name, relatedIds(field, position, made)])
          .filter(([, ids]) => ids !== undefined),
      ),
    )
    const ids = records.map(({ id }) => String(id))
    made.set(definition.id ?? definition.name, ids.slice(0, POINTED_TO))
  }
}

function relatedIds(
  { collectionId = '', minSelect = 1, maxSelect = 1 }: RelationField,
  position: number,
  made: ReadonlyMap<string, readonly string[]>,
): string | string[] | undefined {
  const there = made.get(collectionId) ?? []
  const ids = Array.from({ length: Math.max(1, minSelect) }, (_, at) => there[(position + at) % there.length])
  const known = ids.filter((id) => id !== undefined)
  return maxSelect > 1 && known.length > 0 ? known : known[0]
}

interface RelationField {
  name: string
  required?: boolean
  collectionId?: string
  minSelect?: number
  maxSelect?: number
}
