import type { Api, Query } from '../../../harness/vocabulary/api.ts'
import type { CheckContext } from '../../../harness/vocabulary/check.ts'
import type { TableRef } from '../../../harness/vocabulary/target.ts'
import { rawList } from './raw-list.ts'

/** Each query must be rejected with 400, right after `control`, which differs in nothing else, was accepted. */
export async function rejectsQueries(
  context: CheckContext,
  table: TableRef,
  control: Query,
  attempts: readonly Query[],
  status = 400,
): Promise<void> {
  for (const attempt of attempts) {
    await context.rejects({
      control: () => context.api.list(table, control),
      attempt: () => rawList(context, table, attempt),
      status,
    })
  }
}

/** Each filter on `everything` must be rejected with 400, right after the filter `control` was accepted. */
export function rejectsFilters(
  context: CheckContext,
  control: string,
  attempts: readonly string[],
): Promise<void> {
  return rejectsQueries(
    context,
    context.table('everything'),
    { filter: control },
    attempts.map((filter) => ({ filter })),
  )
}

/** Each query must be accepted from a superuser and rejected from a guest. */
export async function rejectsGuests(
  { api, rejects }: CheckContext,
  table: TableRef,
  queries: readonly Query[],
  status = 400,
): Promise<void> {
  const root: Api = api.as('superuser')
  for (const query of queries) {
    await rejects({ control: () => root.list(table, query), attempt: () => api.list(table, query), status })
  }
}
