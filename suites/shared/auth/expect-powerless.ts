import { expectThat } from '../../../harness/judging/expect.ts'
import type { Api, Body, WireRecord } from '../../../harness/vocabulary/api.ts'
import type { CheckContext } from '../../../harness/vocabulary/check.ts'
import type { TableRef } from '../../../harness/vocabulary/target.ts'
import { namesOf } from '../records/table-by-id.ts'
import { unlessPrevented } from '../unless-prevented.ts'
import { does, offeredActions, operationOf } from './does.ts'

/** Where clients are tried: a table, a record of it that they must not reach, and what a new record has in addition. */
export interface Place {
  table: TableRef
  make(): Promise<WireRecord>
  fields?: Body
}

/** The table that is closed to guests. Undefined if there is none. */
export function lockedPlace(context: CheckContext): Place | undefined {
  if (!context.hasTable('locked')) return undefined
  const table = context.table('locked')
  return { table, make: () => context.make(table, { title: context.unique('locked') }) }
}

/** The table whose records only their owners reach, with records of this account. Undefined if there is none. */
export function ownedPlace(context: CheckContext, { id }: { id: string }): Place | undefined {
  if (!context.hasTable('owned')) return undefined
  const table = context.table('owned')
  const make = () => context.make(table, { title: context.unique('owned'), owner: id })
  return { table, make, fields: { owner: id } }
}

/**
 * None of these clients reads or writes what a client without a valid token does not, with any operation, under the name
 * of the table and under its identifier. Without a superuser, who sees the effects, nothing is tried.
 */
export async function expectPowerless(
  context: CheckContext,
  clients: readonly Api[],
  who: string,
  place: Place | undefined,
): Promise<void> {
  if (place === undefined || !context.knows('superuser')) return
  const record = await unlessPrevented(place.make)
  if (record === undefined) return
  for (const table of namesOf(place.table, record))
    for (const action of offeredActions(context)) {
      const isDone = (by: readonly Api[]): Promise<boolean | undefined> =>
        unlessPrevented(async () => {
          const mine = action === 'delete' ? await place.make() : record
          return does(context, by, action, mine, table, place.fields)
        })
      if ((await isDone(clients)) !== true) continue
      // Whatever everyone may do there shows nothing.
      const { api } = context
      const isGuarded = (await isDone([api, api.withToken('nonsense', 'bogus')])) === false
      const what = `${who} does ${operationOf[action]} in ${table.name}`
      expectThat(!isGuarded, what, 'no effect', 'done')
    }
}
