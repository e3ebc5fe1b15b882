/** The auth record (document 2.2). */

import { check } from '../../../harness/check.ts'
import {
  BlockedError,
  expectEqual,
  expectSuccess,
  expectThat,
  objectBody,
  UntestableError,
} from '../../../harness/judging/expect.ts'
import type { Api, ApiResponse, WireRecord } from '../../../harness/vocabulary/api.ts'
import type { CheckContext } from '../../../harness/vocabulary/check.ts'
import { commonFields } from '../../../spec/common-fields.ts'
import { isRecordTime } from '../../../spec/formats.ts'
import { addressOf, newAccount, newEmail, PASSWORD, signUp, signUpBody } from '../../shared/auth/accounts.ts'
import { recordIn, sessionToken } from '../../shared/auth/session-in.ts'
import {
  byPassword,
  firstSignIn,
  type SignedIn,
  sessionOf,
  signedIn,
  withSession,
} from '../../shared/auth/sessions.ts'
import { subRequests } from '../../shared/batch/entries.ts'
import { itemsOf } from '../../shared/lists/items-of.ts'
import { equals, recordsWith } from '../../shared/lists/shared-records.ts'
import { createdIn } from '../../shared/records/record-of.ts'

/** The caller's own record as sign-in and view return it. */
async function ownShapes(
  context: CheckContext,
): Promise<{ record: WireRecord; from: string; email: string; api: Api }[]> {
  const account = await newAccount(context)
  // One sign-in: a server may end the session before with the next.
  const response = await firstSignIn(context, account)
  const token = sessionToken(response)
  if (token === undefined) throw new BlockedError(`an account could not sign in: ${response.status}`)
  const me = { ...account, api: context.api.withToken(token, 'user') }
  const view = await me.api.view(me.table, me.id)
  expectSuccess(view, 'a view of its own record')
  return [
    { record: recordIn(response, 'a sign-in'), from: 'a sign-in', email: me.email, api: me.api },
    { record: objectBody(view) as WireRecord, from: 'a view', email: me.email, api: me.api },
  ]
}

check('auth-record.common-fields', async (context) => {
  for (const { record, from } of await ownShapes(context)) {
    for (const field of commonFields) {
      const value = record[field]
      expectThat(typeof value === 'string' && value !== '', `${from} lacks \`${field}\``, 'a string', value)
    }
    // The description knows sign-in by one status alone: with another one nothing else judges the record.
    for (const field of ['created', 'updated'] as const)
      expectThat(
        isRecordTime(String(record[field])),
        `\`${field}\` in ${from} is not a timestamp in the documented form`,
        'YYYY-MM-DD HH:MM:SS.mmmZ',
        record[field],
      )
  }
})

check('auth-record.email', async (context) => {
  for (const { record, from, email } of await ownShapes(context))
    expectEqual(addressOf(record.email), addressOf(email), `the address in ${from}`)
})

check('auth-record.verified', async (context) => {
  const shapes = await ownShapes(context)
  const [{ record: own, api = context.api } = { record: { id: '' } }] = shapes
  const list = await api.list(context.table('members'), {
    filter: equals(context, context.table('members'), 'id', own.id),
  })
  // The document does not say who may list the accounts of a table.
  const items = list.ok ? itemsOf(list) : []
  for (const { record, from } of [...shapes, ...items.map((record) => ({ record, from: 'a list' }))])
    expectThat(
      typeof record.verified === 'boolean',
      `\`verified\` in ${from} is not a boolean`,
      'a boolean',
      record.verified,
    )
})

check('auth-record.verified-not-claimed', async (context) => {
  const table = context.table('members')
  const me = await signedIn(context)
  const before = await me.api.view(table, me.id)
  if (before.ok && objectBody(before).verified === true)
    throw new UntestableError(
      'new accounts are already verified (allowed), so a claim to be verified makes no difference',
      'tables: map the role "members" to a table whose new accounts are not verified',
    )
  const { response, email } = await signUp(context, { verified: true })
  if (response.ok) {
    const session = await byPassword(context, { table, email, password: PASSWORD })
    expectEqual(
      recordIn(session, 'a sign-in').verified,
      false,
      '`verified` after claiming it when signing up',
    )
  }
  await me.api.update(table, me.id, { verified: true })
  const again = await byPassword(context, me)
  expectEqual(recordIn(again, 'a sign-in').verified, false, '`verified` after claiming it in an update')
  // A server may end the session before with the next.
  await expectUnverifiedByBatch(context, withSession(context, me, sessionToken(again) ?? me.token))
})

/** The same of claims in a batch. Who may send one is left open: one that is rejected has no effect. */
async function expectUnverifiedByBatch(context: CheckContext, me: SignedIn): Promise<void> {
  if (!context.has('batch') || !context.mayExist('batch')) return
  const { api, table } = context
  const email = newEmail(context)
  const { create, update } = subRequests(api)
  const signUp = create(table('members'), signUpBody(context, { email, verified: true }))
  if ((await api.batch([signUp])).ok) {
    const session = await byPassword(context, { table: table('members'), email, password: PASSWORD })
    if (session.ok)
      expectEqual(
        recordIn(session, 'a sign-in').verified,
        false,
        '`verified` after claiming it when signing up in a batch',
      )
  }
  await me.api.batch([update(me.table, me.id, { verified: true })])
  const { verified } = recordIn(await byPassword(context, me), 'a sign-in')
  expectEqual(verified, false, '`verified` after claiming it in an update in a batch')
}

/** The client with the most rights. The document does not say who may do something in a table, but someone must be able to. */
function ablest(context: CheckContext, other: Api): Api {
  return context.knows('superuser') ? context.api.as('superuser') : other
}

check('auth-record.record-endpoints', async (context) => {
  const table = context.table('members')
  const signed = await signUp(context)
  const email = signed.response.ok ? signed.email : newEmail(context)
  const created = signed.response.ok
    ? signed.response
    : await ablest(context, context.api).create(table, signUpBody(context, { email }))
  if (!created.ok && !context.knows('superuser'))
    throw new BlockedError(
      `guests may not create accounts: ${created.status}; set the credentials of a superuser`,
    )
  const id = await createdIn(context, table, created, 'a create in an auth table')
  const me = await sessionOf(context, { table, id, email, password: PASSWORD, record: { id } })
  const either = async (request: (api: Api) => Promise<ApiResponse>) => {
    const own = await request(me.api)
    return own.ok ? own : request(ablest(context, me.api))
  }
  const name = context.unique('name')
  expectSuccess(await either((api) => api.update(table, id, { name })), 'an update in an auth table')
  const view = await either((api) => api.view(table, id))
  expectSuccess(view, 'a view in an auth table')
  expectEqual(objectBody(view).name, name, 'the name after the update')
  // The field may have another name, and a guest may see other accounts: the list must contain this one.
  const lister = (await me.api.list(table)).ok ? me.api : ablest(context, me.api)
  const listed = await recordsWith(context, table, 'name', name, lister)
  expectThat(
    listed.some((item) => item.id === id),
    'a list of an auth table does not contain its record',
    `a record with the id ${id}`,
    listed.map((item) => item.id),
  )
  expectSuccess(await either((api) => api.delete(table, id)), 'a delete in an auth table')
  const after = await ablest(context, context.api).view(table, id)
  expectThat(!after.ok, 'a deleted auth record is shown', 'a rejection', after.status)
})
