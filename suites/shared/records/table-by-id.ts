import { BlockedError } from '../../../harness/judging/expect.ts'
import type { WireRecord } from '../../../harness/vocabulary/api.ts'
import type { CheckContext } from '../../../harness/vocabulary/check.ts'
import type { TableRef } from '../../../harness/vocabulary/target.ts'

type Shown = Readonly<Record<string, unknown>>

/** The table of a record, named in paths by the identifier that the record shows; undefined if it shows none. */
export function tableByIdIfShown(table: TableRef, { collectionId }: Shown): TableRef | undefined {
  return typeof collectionId === 'string' && collectionId !== ''
    ? { ...table, name: collectionId }
    : undefined
}

/** The same. @throws BlockedError if it shows none: the client may not be allowed to view the record */
export function tableById(table: TableRef, record: Shown): TableRef {
  const byId = tableByIdIfShown(table, record)
  if (byId === undefined) throw new BlockedError(`no response shows the identifier of ${table.name}`)
  return byId
}

/** The same, if a view by that identifier finds the record: whether it does is the finding of `table.by-id`. */
export async function tableByIdIfKnown(
  { api }: Pick<CheckContext, 'api'>,
  table: TableRef,
  record: WireRecord | undefined,
): Promise<TableRef | undefined> {
  const byId = record && tableByIdIfShown(table, record)
  return byId !== undefined && (await api.view(byId, record?.id ?? '')).ok ? byId : undefined
}

/** What a table is called in paths: its name and, if a record shows one, its identifier. Both must be guarded alike. */
export function namesOf(table: TableRef, record: Shown = {}): TableRef[] {
  const byId = tableByIdIfShown(table, record)
  return byId === undefined ? [table] : [table, byId]
}
