/** In whose name a batch is carried out (document 5, 4.1). */

import { check } from '../../../harness/check.ts'
import {
  BlockedError,
  expectEqual,
  expectSuccess,
  expectThat,
  isRejected,
  UntestableError,
} from '../../../harness/judging/expect.ts'
import { tableHint } from '../../../harness/judging/gate.ts'
import type { Api, ApiResponse, WireRecord } from '../../../harness/vocabulary/api.ts'
import type { CheckContext } from '../../../harness/vocabulary/check.ts'
import { ownedBy, type SignedIn, signedIn, viewedAccount } from '../../shared/auth/sessions.ts'
import { subRequests } from '../../shared/batch/entries.ts'
import { recordsWith } from '../../shared/lists/shared-records.ts'
import { recordOf } from '../../shared/records/record-of.ts'
import { tableByIdIfShown } from '../../shared/records/table-by-id.ts'
import { unlessPrevented } from '../../shared/unless-prevented.ts'

/** A batch into an open table: whether the caller may send batches at all is left open. */
function openBatch({ table, unique }: CheckContext, api: Api): Promise<ApiResponse> {
  return api.batch([subRequests(api).create(table('plain'), { title: unique('title') })])
}

check('batch.caller', async (context) => {
  const { api, table, make, unique } = context
  const [locked, root] = [table('locked'), api.as('superuser')]
  const batch = (title: string) => [subRequests(api).create(locked, { title })]
  const isThere = async (title: string) =>
    (await recordsWith(context, locked, 'title', title, root)).length > 0
  const alone = unique('alone')
  await make(locked, { title: alone })
  const [shown] = await recordsWith(context, locked, 'title', alone, root)
  if (shown === undefined) throw new BlockedError(`a list of ${locked.name} does not find a record by title`)
  const closed = await api.create(locked, { title: unique('guest') })
  if (closed.ok) throw new BlockedError(`a guest creates records in ${locked.name}: ${closed.status}`)
  const open = await openBatch(context, root)
  if (!open.ok)
    throw new BlockedError(`a batch of a superuser into an open table is rejected: ${open.status}`)
  const [mine, theirs] = [unique('superuser'), unique('guest')]
  expectSuccess(await root.batch(batch(mine)), 'in a batch, a create that the superuser may do alone')
  expectThat(await isThere(mine), 'a batch of a superuser creates no record', 'a record')
  await api.batch(batch(theirs))
  expectThat(!(await isThere(theirs)), 'a batch of a guest does what guests may not do', 'no record')
  const byId = tableByIdIfShown(locked, shown)
  if (byId === undefined || (await api.create(byId, { title: unique('guest') })).ok) return
  const lost = unique('guest')
  await api.batch([subRequests(api).create(byId, { title: lost })])
  expectThat(
    !(await isThere(lost)),
    'by the identifier of the table, a batch of a guest does what guests may not do',
    'no record',
  )
})

check('batch.caller-user', async (context) => {
  const [me, other] = [await signedIn(context), await signedIn(context)]
  if (context.hasTable('owned')) await expectOwnerOnly(context, me, other)
  const isGuarded = await expectNoOtherAccount(context, me, other.api)
  if (isGuarded || context.hasTable('owned')) return
  throw new UntestableError(
    `no update shows who sent it: either an account of ${me.table.name} may update others, or its name is not shown`,
    tableHint('owned'),
  )
})

/**
 * A batch does not write to another account what its caller may not write alone.
 *
 * @returns whether there was anything that it may not write
 */
async function expectNoOtherAccount(context: CheckContext, me: SignedIn, stranger: Api): Promise<boolean> {
  const { unique } = context
  const shown = async () => (await unlessPrevented(() => viewedAccount(context, me)))?.name
  const [own, foreign] = [unique('own'), unique('foreign')]
  if (!(await me.api.update(me.table, me.id, { name: own })).ok || (await shown()) !== own) return false
  if ((await stranger.update(me.table, me.id, { name: unique('alone') })).ok) return false
  await stranger.batch([subRequests(stranger).update(me.table, me.id, { name: foreign })])
  const name = await shown()
  expectThat(name !== foreign, 'a batch updates an account, which its caller may not do', own, name)
  return true
}

async function expectOwnerOnly(context: CheckContext, me: SignedIn, other: SignedIn): Promise<void> {
  const { table, unique } = context
  const owned = table('owned')
  const { id } = await ownedBy(context, me)
  const titled = async (title: string) => recordOf(await me.api.view(owned, id)).title === title
  const alone = unique('alone')
  const control = await me.api.update(owned, id, { title: alone })
  if (!control.ok || !(await titled(alone)))
    throw new BlockedError(`an owner may not update its own record: ${control.status}`)
  const strangers = await other.api.update(owned, id, { title: unique('stranger') })
  if (strangers.ok)
    throw new BlockedError(`an account updates a record of another owner: ${strangers.status}`)
  const open = await openBatch(context, me.api)
  if (!open.ok && !isRejected(open))
    throw new BlockedError(`a batch of a signed-in user into an open table fails: ${open.status}`)
  const { update } = subRequests(me.api)
  const [mine, theirs] = [unique('owner'), unique('stranger')]
  if (open.ok) {
    expectSuccess(
      await me.api.batch([update(owned, id, { title: mine })]),
      'in a batch, an update that the owner may do alone',
    )
    expectThat(await titled(mine), 'a batch of the owner changes nothing', mine)
  }
  await other.api.batch([update(owned, id, { title: theirs })])
  expectThat(!(await titled(theirs)), 'a batch does what its caller may not do', mine)
  await expectNoUpdateById(context, me, other.api, recordOf(await me.api.view(owned, id)))
  await expectNoCreateFor(context, me, other.api)
  await expectNoDelete(context, me, other.api)
  await expectBothDeleted(context, me)
}

/** An update that its caller may not do, by the identifier of the table. */
async function expectNoUpdateById(
  { table, unique }: CheckContext,
  me: SignedIn,
  stranger: Api,
  shown: WireRecord,
): Promise<void> {
  const byId = tableByIdIfShown(table('owned'), shown)
  if (byId === undefined || (await stranger.update(byId, shown.id, { title: unique('alone') })).ok) return
  const title = unique('stranger')
  await stranger.batch([subRequests(stranger).update(byId, shown.id, { title })])
  expectThat(
    recordOf(await me.api.view(table('owned'), shown.id)).title !== title,
    'by the identifier of the table, a batch does what its caller may not do',
    String(shown.title),
    title,
  )
}

/** A create in the name of another account. Judged only if the list of this account shows its own records. */
async function expectNoCreateFor(context: CheckContext, me: SignedIn, stranger: Api): Promise<void> {
  const { table, unique } = context
  const owned = table('owned')
  if ((await stranger.create(owned, { title: unique('alone'), owner: me.id })).ok) return
  const title = unique('foreign')
  await stranger.batch([subRequests(stranger).create(owned, { title, owner: me.id })])
  const found = await unlessPrevented(() => recordsWith(context, owned, 'title', title, me.api))
  const foreign = found?.find(({ owner }) => owner === me.id)
  expectThat(
    foreign === undefined,
    'a batch creates a record for another account, which its caller may not do',
    'no record',
    foreign,
  )
}

async function expectNoDelete(context: CheckContext, me: SignedIn, stranger: Api): Promise<void> {
  const owned = context.table('owned')
  const kept = await unlessPrevented(() => ownedBy(context, me))
  if (kept === undefined || (await stranger.delete(owned, kept.id)).ok) return
  if (!(await me.api.view(owned, kept.id)).ok) return
  await stranger.batch([subRequests(stranger).remove(owned, kept.id)])
  const view = await me.api.view(owned, kept.id)
  expectThat(view.ok, 'a batch deletes what its caller may not delete', 'the record stays', view.status)
}

/** Two deletes that the owner may do alone are both done in a batch, or neither is. */
async function expectBothDeleted(context: CheckContext, me: SignedIn): Promise<void> {
  const owned = context.table('owned')
  const made = await unlessPrevented(async () => {
    const [alone, one, other] = [
      await ownedBy(context, me),
      await ownedBy(context, me),
      await ownedBy(context, me),
    ]
    return { alone, pair: [one.id, other.id] }
  })
  if (made === undefined) return
  const { alone, pair } = made
  const isThere = async (id: string) => (await me.api.view(owned, id)).ok
  const before = [await isThere(alone.id), ...(await Promise.all(pair.map(isThere)))]
  if (before.includes(false) || !(await me.api.delete(owned, alone.id)).ok || (await isThere(alone.id)))
    return
  const { remove } = subRequests(me.api)
  if (!(await me.api.batch(pair.map((id) => remove(owned, id)))).ok) return
  const [one, other] = [await isThere(pair[0] ?? ''), await isThere(pair[1] ?? '')]
  expectEqual(one, other, 'whether both records of a batch of two deletes by their owner are still there')
}
