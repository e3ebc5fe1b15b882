import type { Api, Query, WireRecord } from '../../../harness/vocabulary/api.ts'
import type { CheckContext } from '../../../harness/vocabulary/check.ts'
import { signedInIfPossible, unlessPrevented } from '../../shared/auth/sessions.ts'
import { idsOf, type SharedRecords } from '../../shared/lists/shared-records.ts'
import { walk } from '../../shared/lists/walk.ts'
import { type ListBody, listOf } from '../../shared/records/record-of.ts'

/** The clients that a run has in addition to a guest: a server may build their lists another way. */
export async function otherCallers(context: CheckContext): Promise<{ who: string; api: Api }[]> {
  const me = await signedInIfPossible(context)
  return [
    ...(me === undefined ? [] : [{ who: 'a signed-in user', api: me.api }]),
    ...(context.knows('superuser') ? [{ who: 'a superuser', api: context.api.as('superuser') }] : []),
  ]
}

/**
 * All pages of these records, as another client lists them. Undefined if they are not exactly these records: who may list
 * a table, and what of it, is left open.
 */
export async function pagesFor(
  api: Api,
  { table, filter, records }: SharedRecords,
  query: Query,
): Promise<{ pages: ListBody[]; items: WireRecord[] } | undefined> {
  const list = async (page: Query) => listOf(await api.list(table, { filter, ...page }))
  const pages = await unlessPrevented(() => walk(list, query, records.length))
  if (pages === undefined) return undefined
  const items = pages.flatMap((page) => page.items)
  return idsOf(items).sort().join() === idsOf(records).sort().join() ? { pages, items } : undefined
}
