import { isRejected } from '../../../harness/judging/expect.ts'
import type { SubRequest } from '../../../harness/vocabulary/api.ts'
import type { CheckContext } from '../../../harness/vocabulary/check.ts'
import { signedInIfPossible } from '../../shared/auth/sessions.ts'
import { rawBatch, rawWholeCreate, subRequests } from '../../shared/batch/entries.ts'
import { recordsWith } from '../../shared/lists/shared-records.ts'
import { incompleteBodies } from '../../shared/records/incomplete-bodies.ts'
import { makeReferring, mayRefer } from '../../shared/records/make-referring.ts'
import { expectNeither } from './expect-neither.ts'
import { expectNoneTitled } from './expect-none-titled.ts'

/**
 * A batch writes nothing if one of its sub-requests is rejected because a right or the value of a field is missing, or
 * because another record refers to the one that it deletes. Its response is left open. Only a request that is also
 * rejected alone is expected to fail in a batch.
 */
export async function expectForbiddenTogether(context: CheckContext): Promise<void> {
  const { api, unique } = context
  for (const [what, bad] of [...(await rejectedCreates(context)), ...(await rejectedDeletes(context))])
    await expectNeither(context, api, unique('together'), [`with ${what}`, bad])
  await expectDeniedTogether(context)
  await expectIncompleteTogether(context)
  await expectUnknownPathTogether(context)
}

/**
 * The same for writes that a guest, or another account, may not do: to an account, for which no table has to be closed, and
 * to a closed table. The account also sends where the other table is closed to guests.
 */
async function expectDeniedTogether(context: CheckContext): Promise<void> {
  const { api, table, hasTable, unique } = context
  const [me, other] = [await signedInIfPossible(context), await signedInIfPossible(context)]
  if (me === undefined || other === undefined) return
  for (const [who, sender] of [
    ['a guest', api],
    ['an account', other.api],
  ] as const) {
    const { create, update } = subRequests(sender)
    const [fields, record] = [{ name: unique('denied') }, { title: unique('denied') }]
    const denied: Rejected[] = []
    if (!(await sender.update(me.table, me.id, fields)).ok)
      denied.push(['an update of another account', update(me.table, me.id, fields)])
    if (hasTable('locked') && !(await sender.create(table('locked'), record)).ok)
      denied.push([`a create in ${table('locked').name}`, create(table('locked'), record)])
    for (const [what, bad] of denied)
      await expectNeither(context, sender, unique('together'), [`of ${who} with ${what}`, bad])
  }
}

/** The same for creates that lack what the table requires of each record. */
async function expectIncompleteTogether(context: CheckContext): Promise<void> {
  const { api, table, unique } = context
  const plain = table('plain')
  for (const role of ['plain', 'everything'])
    for (const { body } of incompleteBodies(context, role)) {
      const bad = { ...subRequests(api).create(table(role)), body }
      const headers = { 'content-type': 'application/json' }
      const alone = { method: bad.method, path: bad.url, headers, body: JSON.stringify(body) }
      if (!isRejected(await api.raw(alone))) continue
      const title = unique('together')
      const good = rawWholeCreate(context, plain, { title })
      await rawBatch(api, JSON.stringify({ requests: [good, bad] }))
      await rawBatch(api, JSON.stringify({ requests: [bad, good] }))
      const what = `of two batches with a create that ${table(role).name} rejects, since it lacks a value`
      await expectNoneTitled(context, title, what)
    }
}

/**
 * The same for a create at a path that the server does not have. In a batch it may have another meaning: nothing is expected
 * where its record is created.
 */
async function expectUnknownPathTogether(context: CheckContext): Promise<void> {
  const { api, table, unique } = context
  const plain = table('plain')
  const path = api.path.auth(plain, 'no-such-endpoint')
  const alone = await api.raw({ method: 'POST', path, json: {} })
  if (!isRejected(alone)) return
  const [title, lost] = [unique('together'), unique('lost')]
  const good = rawWholeCreate(context, plain, { title })
  const bad = { ...rawWholeCreate(context, plain, { title: lost }), url: path }
  for (const requests of [
    [good, bad],
    [bad, good],
  ]) {
    await rawBatch(api, JSON.stringify({ requests }))
    if ((await recordsWith(context, plain, 'title', lost)).length > 0) return
    await expectNoneTitled(context, title, `of a batch with a create at ${path}`)
  }
}

type Rejected = [what: string, request: SubRequest]

async function rejectedCreates(context: CheckContext): Promise<Rejected[]> {
  const { api, table, hasTable, unique } = context
  const rejected: Rejected[] = []
  for (const [role, body] of [
    ['locked', { title: unique('closed') }],
    ['required', {}],
    ['everything', { text: unique('wrong'), email: 'no address', select: 'no such choice' }],
  ] as const) {
    if (!hasTable(role) || (await api.create(table(role), body)).ok) continue
    const what = `a create that ${table(role).name} rejects`
    rejected.push([what, subRequests(api).create(table(role), body)])
  }
  return rejected
}

/** The first of these that the target has is tried. */
const roles = ['requiring', 'child', 'related'] as const

/** Whether a record that another one refers to can be deleted is left open. */
async function rejectedDeletes(context: CheckContext): Promise<Rejected[]> {
  const { api, table, mayExist } = context
  const role = roles.find((each) => mayRefer(context, each))
  if (role === undefined || !mayExist('deleteRecord')) return []
  const held = await makeReferring(context, role)
  if (held === undefined || (await api.delete(table(held.target), held.id)).ok) return []
  const what = `a delete that ${table(held.target).name} rejects because of a record of ${table(role).name}`
  return [[what, subRequests(api).remove(table(held.target), held.id)]]
}
