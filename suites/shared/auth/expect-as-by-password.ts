/**
 * What checks expect of sessions that did not begin with a password alone: requests of all kinds are authenticated, and a
 * refresh carries on the session.
 *
 * @module
 */

import { expectThat } from '../../../harness/judging/expect.ts'
import type { Api, WireRecord } from '../../../harness/vocabulary/api.ts'
import type { CheckContext } from '../../../harness/vocabulary/check.ts'
import type { OperationId } from '../../../spec/vocabulary.ts'
import { tableByIdIfShown } from '../records/table-by-id.ts'
import { unlessPrevented } from '../unless-prevented.ts'
import { offeredActions, operationOf, perform, showsRecord, type TableAction } from './does.ts'
import { ownedPlace, type Place } from './expect-powerless.ts'
import {
  impersonationOf,
  refreshed,
  type SignedIn,
  sessionOf,
  updatesItself,
  withSession,
} from './sessions.ts'

/**
 * A session does with its own records what one by password of the same account does. Who may do what is left open, so the
 * latter is the precondition. It comes second: a sign-in may end the session before.
 */
export async function expectAsByPassword(context: CheckContext, me: SignedIn, by: string): Promise<void> {
  const place = ownedPlace(context, me)
  if (place === undefined || !context.knows('superuser')) return
  const accepted = async ({ api }: SignedIn): Promise<TableAction[] | undefined> => {
    const record = await unlessPrevented(place.make)
    if (record === undefined) return undefined
    const done: TableAction[] = []
    for (const action of offeredActions(context))
      if (await isAcceptedFrom(context, api, action, record, place)) done.push(action)
    return done
  }
  const own = await accepted(me)
  if (own === undefined || own.length === offeredActions(context).length) return
  const session = await unlessPrevented(() => sessionOf(context, me))
  const byPassword = session && (await accepted(session))
  for (const action of byPassword ?? [])
    expectThat(
      own.includes(action),
      `a session by ${by} does not do what a session by password does: ${operationOf[action]}`,
      'accepted',
      'rejected',
    )
}

/** Whether a client that may do something gets a response that says that it did. */
async function isAcceptedFrom(
  context: CheckContext,
  api: Api,
  action: TableAction,
  record: WireRecord,
  { table, fields }: Place,
): Promise<boolean> {
  const title = context.unique('title')
  const response = await perform(context, api, action, record, table, { title, fields })
  return action === 'list' ? showsRecord(response, record) : response.ok
}

/** The same under the identifier of the table: an update of the own record, and a refresh. */
export async function expectSameById(context: CheckContext, me: SignedIn, by: string): Promise<void> {
  const table = tableByIdIfShown(me.table, me.record)
  if (table === undefined) return
  const uses = {
    'an update': (each: SignedIn) => updatesItself(context, each),
    'a refresh': async (each: SignedIn) => (await each.api.authRefresh(each.table)).ok,
  }
  for (const [what, isAccepted] of Object.entries(uses)) {
    if (await isAccepted({ ...me, table })) continue
    // By its name, and of another session.
    if (!(await isAccepted(me))) continue
    const session = await unlessPrevented(() => sessionOf(context, me))
    const isPossible: boolean = session !== undefined && (await isAccepted({ ...session, table }))
    expectThat(
      !isPossible,
      `${what} under the table’s id with a session by ${by} is rejected`,
      'accepted',
      'rejected',
    )
  }
}

/** In an open table, a session lists and creates what a guest does, and an impersonation of the same account. */
export async function expectAsGuests(context: CheckContext, me: SignedIn, by: string): Promise<void> {
  if (!context.hasTable('plain')) return
  const table = context.table('plain')
  const uses: [what: string, operation: OperationId, isAccepted: (api: Api) => Promise<boolean>][] = [
    ['a list', 'listRecords', async (api) => (await api.list(table)).ok],
    [
      'a create',
      'createRecord',
      async (api) => (await api.create(table, { title: context.unique('open') })).ok,
    ],
  ]
  for (const [what, operation, isAccepted] of uses) {
    if (!context.mayExist(operation)) continue
    if ((await isAccepted(me.api)) || !(await isAccepted(context.api))) continue
    const token = await impersonationOf(context, me)
    const isPossible = token !== undefined && (await isAccepted(context.api.withToken(token, 'impersonated')))
    expectThat(!isPossible, `${what} with a session by ${by} is rejected`, 'accepted', 'rejected')
  }
}

/** Refreshed twice, a session still updates its own record if it did before. Whether a table has refreshes is left open. */
export async function expectCarriedOn(context: CheckContext, me: SignedIn, by: string): Promise<void> {
  const mayUpdate = await updatesItself(context, me)
  let session = me
  for (const turn of ['first', 'second']) {
    const token = await refreshed(context, session)
    if (token === undefined && turn === 'first') return
    expectThat(token !== undefined, `a second refresh of a session by ${by} is rejected`, 'accepted')
    session = withSession(context, me, token)
    expectThat(
      !mayUpdate || (await updatesItself(context, session)),
      `after a refresh, a session by ${by} no longer updates its own record`,
      'accepted',
      'rejected',
    )
  }
}
