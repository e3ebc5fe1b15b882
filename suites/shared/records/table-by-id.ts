import type { WireRecord } from '../../../harness/vocabulary/api.ts'
import type { TableRef } from '../../../harness/vocabulary/target.ts'

/** The table of a record, named in paths by the identifier that the record shows. */
export function tableById(table: TableRef, { collectionId }: WireRecord): TableRef {
  return { ...table, name: String(collectionId) }
}
