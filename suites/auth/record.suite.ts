/** The auth record (document 2.2). */

import { check } from '../../harness/check.ts'
import {
  BlockedError,
  expectEqual,
  expectRefusal,
  expectSuccess,
  expectThat,
  objectBody,
} from '../../harness/judging/expect.ts'
import type { WireRecord } from '../../harness/vocabulary/api.ts'
import type { CheckContext } from '../../harness/vocabulary/check.ts'
import { commonFields } from '../../spec/common-fields.ts'
import { equals } from '../lists/pile.ts'
import { createdIdOf } from '../records/record-of.ts'
import {
  byPassword,
  itemsOf,
  newEmail,
  PASSWORD,
  recordIn,
  sessionOf,
  signedIn,
  signUpBody,
} from './world.ts'

/** One's own record as sign-in and view give it. */
async function ownShapes(
  context: CheckContext,
): Promise<{ record: WireRecord; from: string; email: string }[]> {
  const me = await signedIn(context)
  const reply = await byPassword(context, me)
  const view = await me.api.view(me.table, me.id)
  expectSuccess(view, 'a view of the own record')
  return [
    { record: recordIn(reply, 'a sign-in'), from: 'a sign-in', email: me.email },
    { record: objectBody(view) as WireRecord, from: 'a view', email: me.email },
  ]
}

check('auth-record.common-fields', async (context) => {
  for (const { record, from } of await ownShapes(context)) {
    for (const field of commonFields) {
      const value = record[field]
      expectThat(typeof value === 'string' && value !== '', `${from} lacks \`${field}\``, 'a text', value)
    }
  }
})

check('auth-record.email', async (context) => {
  for (const { record, from, email } of await ownShapes(context))
    expectEqual(record.email, email, `the address in ${from}`)
})

check('auth-record.verified', async (context) => {
  const shapes = await ownShapes(context)
  const id = shapes[0]?.record.id
  const list = await context.api.list(context.table('members'), {
    filter: equals(context, context.table('members'), 'id', String(id)),
  })
  const items = itemsOf(list)
  for (const { record, from } of [...shapes, ...items.map((record) => ({ record, from: 'a list' }))])
    expectThat(
      typeof record.verified === 'boolean',
      `\`verified\` in ${from} is no boolean`,
      'a boolean',
      record.verified,
    )
})

/** Signs up as anybody would: not as the superuser. */
async function signUp(context: CheckContext, fields: Record<string, unknown> = {}) {
  const email = newEmail(context)
  const reply = await context.api.create(context.table('members'), signUpBody(context, { email, ...fields }))
  return { reply, email }
}

check('auth-record.starts-unverified', async (context) => {
  const { reply, email } = await signUp(context)
  expectSuccess(reply, 'a sign-up')
  const session = await byPassword(context, { table: context.table('members'), email, password: PASSWORD })
  expectEqual(recordIn(session, 'a sign-in').verified, false, '`verified` at the first sign-in')
})

check('auth-record.verified-not-claimed', async (context) => {
  const table = context.table('members')
  const { reply, email } = await signUp(context, { verified: true })
  if (reply.ok) {
    const session = await byPassword(context, { table, email, password: PASSWORD })
    expectEqual(
      recordIn(session, 'a sign-in').verified,
      false,
      '`verified` after claiming it when signing up',
    )
  } else expectRefusal(reply, 'a sign-up that claims to be verified')
  const me = await signedIn(context)
  await me.api.update(table, me.id, { verified: true })
  const record = recordIn(await byPassword(context, me), 'a sign-in')
  expectEqual(record.verified, false, '`verified` after claiming it in an update')
})

check('auth-record.record-endpoints', async (context) => {
  const table = context.table('members')
  const { reply, email } = await signUp(context)
  const id = createdIdOf(reply, 'a create in an auth table')
  const me = await sessionOf(context, { table, id, email, password: PASSWORD, record: { id } })
  const name = context.unique('name')
  expectSuccess(await me.api.update(table, id, { name }), 'an update in an auth table')
  const view = await me.api.view(table, id)
  expectSuccess(view, 'a view in an auth table')
  expectEqual(objectBody(view).name, name, 'the name after the update')
  const list = await me.api.list(table, { filter: equals(context, table, 'id', id) })
  const { items } = objectBody(list) as { items?: WireRecord[] }
  if (!Array.isArray(items)) throw new BlockedError('the list has no items')
  expectEqual(
    items.map((item) => item.id),
    [id],
    'the ids in a list of an auth table',
  )
  expectSuccess(await me.api.delete(table, id), 'a delete in an auth table')
  expectRefusal(await context.api.view(table, id), 'a view of the deleted record')
})
