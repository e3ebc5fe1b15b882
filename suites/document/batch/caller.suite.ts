/** In whose name a batch is carried out (document 5, 4.1). */

import { check } from '../../../harness/check.ts'
import { BlockedError, expectSuccess, expectThat } from '../../../harness/judging/expect.ts'
import type { Api } from '../../../harness/vocabulary/api.ts'
import type { CheckContext } from '../../../harness/vocabulary/check.ts'
import { ownedBy, signedIn } from '../../shared/auth/sessions.ts'
import { subRequests } from '../../shared/batch/entries.ts'
import { recordsWith } from '../../shared/lists/shared-records.ts'
import { recordOf } from '../../shared/records/record-of.ts'

/** The caller may send batches at all. */
async function expectBatches({ table, unique }: CheckContext, api: Api, who: string): Promise<void> {
  const response = await api.batch([subRequests(api).create(table('plain'), { title: unique('title') })])
  if (!response.ok)
    throw new BlockedError(`a batch of ${who} into an open table is rejected: ${response.status}`)
}

check('batch.caller', async (context) => {
  const { api, table, make, unique } = context
  const [locked, root] = [table('locked'), api.as('superuser')]
  const batch = (title: string) => [subRequests(api).create(locked, { title })]
  const isThere = async (title: string) =>
    (await recordsWith(context, locked, 'title', title, root)).length > 0
  const alone = unique('alone')
  await make(locked, { title: alone })
  if (!(await isThere(alone)))
    throw new BlockedError(`a list of ${locked.name} does not find a record by title`)
  const closed = await api.create(locked, { title: unique('guest') })
  if (closed.ok) throw new BlockedError(`a guest creates records in ${locked.name}: ${closed.status}`)
  await expectBatches(context, root, 'a superuser')
  const [mine, theirs] = [unique('superuser'), unique('guest')]
  expectSuccess(await root.batch(batch(mine)), 'in a batch, a create that the superuser may do alone')
  expectThat(await isThere(mine), 'a batch of a superuser creates no record', 'a record')
  await api.batch(batch(theirs))
  expectThat(!(await isThere(theirs)), 'a batch of a guest does what guests may not do', 'no record')
})

check('batch.caller-user', async (context) => {
  const { table, unique } = context
  const owned = table('owned')
  const [me, other] = [await signedIn(context), await signedIn(context)]
  const { id } = await ownedBy(context, me)
  const titled = async (title: string) => recordOf(await me.api.view(owned, id)).title === title
  const alone = unique('alone')
  const control = await me.api.update(owned, id, { title: alone })
  if (!control.ok || !(await titled(alone)))
    throw new BlockedError(`an owner may not update its own record: ${control.status}`)
  const strangers = await other.api.update(owned, id, { title: unique('stranger') })
  if (strangers.ok)
    throw new BlockedError(`an account updates a record of another owner: ${strangers.status}`)
  await expectBatches(context, me.api, 'a signed-in user')
  const { update } = subRequests(me.api)
  const [mine, theirs] = [unique('owner'), unique('stranger')]
  expectSuccess(
    await me.api.batch([update(owned, id, { title: mine })]),
    'in a batch, an update that the owner may do alone',
  )
  expectThat(await titled(mine), 'a batch of the owner changes nothing', mine)
  await other.api.batch([update(owned, id, { title: theirs })])
  expectThat(!(await titled(theirs)), 'a batch does what its caller may not do', mine)
})
