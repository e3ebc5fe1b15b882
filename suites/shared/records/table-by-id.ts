import { BlockedError } from '../../../harness/judging/expect.ts'
import type { TableRef } from '../../../harness/vocabulary/target.ts'

/**
 * The table of a record, named in paths by the identifier that the record shows.
 *
 * @throws BlockedError if it shows none: the client may not be allowed to view the record
 */
export function tableById(table: TableRef, { collectionId }: Readonly<Record<string, unknown>>): TableRef {
  if (typeof collectionId !== 'string' || collectionId === '')
    throw new BlockedError(`no response shows the identifier of ${table.name}`)
  return { ...table, name: collectionId }
}
