import { expectEqual, objectBody } from '../../../harness/judging/expect.ts'
import { NO_RECORD } from '../../../harness/support/no-record.ts'
import type { Api, SubRequest } from '../../../harness/vocabulary/api.ts'
import type { CheckContext } from '../../../harness/vocabulary/check.ts'
import { newAccount } from '../../shared/auth/accounts.ts'
import { subRequests } from '../../shared/batch/entries.ts'
import { uploads } from '../../shared/records/forms.ts'
import { makeReferring, mayRefer } from '../../shared/records/make-referring.ts'
import { recordOf } from '../../shared/records/record-of.ts'
import { unlessPrevented } from '../../shared/unless-prevented.ts'
import { filled } from '../records/awkward.ts'
import { expectNone } from '../records/commands.ts'
import { differsAtAll } from '../records/table-model.ts'
import { updateAsTaken } from '../records/update-as-taken.ts'
import { withoutFields } from '../records/values-of.ts'

/**
 * What a failed batch leaves as it was, in addition to the strings of records: values of every type, the relations of records
 * to one that it would delete, and whether an account is verified.
 */
export async function expectRestored(context: CheckContext): Promise<void> {
  await expectValuesRestored(context)
  await expectReferencesRestored(context)
  await expectVerifiedRestored(context)
}

/** The batch with an entry that fails behind the others. */
function failing({ api, table, unique }: CheckContext, entries: readonly SubRequest[], sender: Api = api) {
  const fails = subRequests(sender).update(table('plain'), NO_RECORD, { title: unique('missing') })
  return sender.batch([...entries, fails])
}

async function expectValuesRestored(context: CheckContext): Promise<void> {
  const { api, hasTable, make, makeMany, table, unique } = context
  if (!hasTable('everything')) return
  const everything = table('everything')
  const [one, other] = hasTable('related')
    ? await makeMany(table('related'), [{ name: unique('one') }, { name: unique('other') }])
    : []
  const { id } = await make(everything, { text: unique('restored') })
  const taken = await updateAsTaken(api, everything, id, filled(one?.id))
  await api.update(everything, id, uploads())
  const before = recordOf(await api.view(everything, id))
  const changed = {
    ...filled(other?.id),
    number: 11,
    bool: false,
    date: '2001-02-03 04:05:06.000Z',
    select: 'b',
    selects: ['b'],
    json: { changed: [true] },
    geo: { lon: 1, lat: 2 },
  }
  const all = withoutFields(
    changed,
    Object.keys(changed).filter((field) => !taken.includes(field)),
  )
  const { update } = subRequests(api)
  // One field at a time, too: one value that is rejected would keep the others from being written.
  for (const body of [all, ...Object.entries(all).map(([field, value]) => ({ [field]: value }))]) {
    await failing(context, [update(everything, id, body)])
    const after = recordOf(await api.view(everything, id))
    expectNone(differsAtAll(after, before), 'after a batch that failed')
  }
}

async function expectReferencesRestored(context: CheckContext): Promise<void> {
  const { api, mayExist, table } = context
  if (!mayExist('deleteRecord')) return
  for (const role of ['loose', 'cascading', 'child', 'related'] as const) {
    const made = mayRefer(context, role) ? await makeReferring(context, role) : undefined
    if (made === undefined) continue
    const { target, id, child } = made
    const what = 'a record that refers to one that a failed batch was to delete'
    const before = recordOf(await api.view(table(role), child.id))
    await failing(context, [subRequests(api).remove(table(target), id)])
    const after = recordOf(await api.view(table(role), child.id), `a view of ${what}`)
    expectNone(differsAtAll(after, before), `of ${what}`)
  }
}

async function expectVerifiedRestored(context: CheckContext): Promise<void> {
  const { api, hasTable, knows } = context
  if (!hasTable('members') || !knows('superuser')) return
  const root = api.as('superuser')
  const account = await unlessPrevented(() => newAccount(context))
  if (account === undefined) return
  const verifiedOf = async () => {
    const view = await root.view(account.table, account.id)
    return view.ok ? objectBody(view).verified : undefined
  }
  if ((await verifiedOf()) !== false) return
  await failing(context, [subRequests(root).update(account.table, account.id, { verified: true })], root)
  expectEqual(await verifiedOf(), false, '`verified` after a failed batch that was to set it')
}
