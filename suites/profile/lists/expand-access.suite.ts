/** What may be seen by expanding (standard profile, gap `expand.syntax`). */

import { check } from '../../../harness/check.ts'
import { expectEqual, expectThat } from '../../../harness/judging/expect.ts'
import { newEmail, passwordBody } from '../../shared/auth/accounts.ts'
import { listOf, recordOf } from '../../shared/records/record-of.ts'
import { sample, sampleId } from './sample.ts'

check('expand.closed-table', async (context) => {
  const { api } = context
  const locked = await context.make(context.table('locked'), { title: context.unique('closed') })
  const found = await sample(context, { a: { closed: locked.id } }, 'hiding')
  const sendRequest = async (caller = api) =>
    listOf(await caller.list(found.table, { filter: found.whole, expand: 'closed' }))
  const seen = (await sendRequest(api.as('superuser'))).items[0]?.expand as
    | { closed?: { title?: unknown } }
    | undefined
  expectEqual(seen?.closed?.title, locked.title, 'the title of the closed record as a superuser sees it')
  const { items } = await sendRequest()
  expectEqual(
    [items.length, items[0]?.closed],
    [1, locked.id],
    'the number of records and the stored id as a guest sees them',
  )
  expectThat(
    !JSON.stringify(items).includes(String(locked.title)),
    'a guest sees a record of a closed table',
    'its id only',
    items,
  )
})

check('expand.view-rule', async (context) => {
  const { api } = context
  const found = await sample(
    context,
    {
      member: {
        email: newEmail(context),
        ...passwordBody(context, 'long enough 1'),
      },
    },
    'members',
  )
  const owned = context.table('owned')
  const title = context.unique('title')
  const { id } = await context.make(owned, { title, owner: sampleId(found, 'member') })
  const key = `${owned.name}_via_owner`
  const view = async (caller = api) =>
    recordOf(await caller.view(found.table, sampleId(found, 'member'), { expand: key }))
  const seen = ((await view(api.as('superuser'))).expand as Record<string, unknown> | undefined)?.[key]
  expectEqual(
    Array.isArray(seen) ? seen.map((record: { id?: unknown } | null) => record?.id) : seen,
    [id],
    'the records of the member as a superuser sees them',
  )
  const guest = await view()
  expectThat(
    !JSON.stringify(guest).includes(title),
    'a guest sees a record that the view rule keeps from them',
    'no record',
    guest,
  )
})

check('expand.hidden-relation', async (context) => {
  const { api } = context
  const related = await context.make(context.table('related'), { name: context.unique('hidden') })
  const found = await sample(context, { a: { hiddenRel: related.id } }, 'hiding')
  const view = async (caller = api) =>
    recordOf(await caller.view(found.table, sampleId(found, 'a'), { expand: 'hiddenRel' }))
  const seen = (await view(api.as('superuser'))).expand as { hiddenRel?: { id?: unknown } } | undefined
  expectEqual(seen?.hiddenRel?.id, related.id, 'the hidden relation as a superuser sees it')
  const guest = await view()
  expectThat(
    !JSON.stringify(guest).includes(related.id),
    'a guest sees the record that a hidden relation points to',
    'no record',
    guest,
  )
})
