/** The auth record (document 2.2). */

import { check } from '../../../harness/check.ts'
import {
  BlockedError,
  expectEqual,
  expectSuccess,
  expectThat,
  isRejected,
  objectBody,
  UntestableError,
} from '../../../harness/judging/expect.ts'
import { responseSummary } from '../../../harness/judging/response-summary.ts'
import type { Api, ApiResponse, WireRecord } from '../../../harness/vocabulary/api.ts'
import type { CheckContext } from '../../../harness/vocabulary/check.ts'
import { commonFields } from '../../../spec/common-fields.ts'
import { isRecordTime } from '../../../spec/formats.ts'
import { ablest } from '../../shared/auth/ablest.ts'
import {
  type Account,
  addressOf,
  newAccount,
  newEmail,
  PASSWORD,
  signUp,
  signUpBody,
} from '../../shared/auth/accounts.ts'
import { expectNameField } from '../../shared/auth/expect-name-field.ts'
import { recordIn, sessionToken } from '../../shared/auth/session-in.ts'
import {
  byPassword,
  firstSignIn,
  type SignedIn,
  sessionOf,
  viewOfAccount,
  withSession,
} from '../../shared/auth/sessions.ts'
import { hasRejectedEntry, subRequests } from '../../shared/batch/entries.ts'
import { itemsOf } from '../../shared/lists/items-of.ts'
import { listById, recordsWith } from '../../shared/lists/shared-records.ts'
import { expectGone } from '../../shared/records/expect-gone.ts'
import { createdIn } from '../../shared/records/record-of.ts'
import { namesOf } from '../../shared/records/table-by-id.ts'
import { unlessPrevented } from '../../shared/unless-prevented.ts'
import { recordBySignIn } from './record-by-sign-in.ts'

/** The caller's own record as sign-in and view return it. Each is judged before the next request. */
async function* ownShapes(
  context: CheckContext,
): AsyncGenerator<{ record: WireRecord; from: string; email: string; api: Api }> {
  const account = await newAccount(context)
  // One sign-in: a server may end the session before with the next.
  const response = await firstSignIn(context, account)
  const token = sessionToken(response)
  if (token === undefined) throw new BlockedError(`an account could not sign in: ${response.status}`)
  const { table, id, email } = account
  const api = context.api.withToken(token, 'user')
  yield { record: recordIn(response, 'a sign-in'), from: 'a sign-in', email, api }
  // Whether an account may view itself is left open.
  const view = await viewOfAccount(context, { table, id, api })
  if (isRejected(view) && !context.knows('superuser')) return
  expectSuccess(view, 'a view of an account')
  yield { record: objectBody(view) as WireRecord, from: 'a view', email, api }
}

check('auth-record.common-fields', async (context) => {
  for await (const { record, from } of ownShapes(context)) {
    for (const field of commonFields) {
      const value = record[field]
      expectThat(typeof value === 'string' && value !== '', `${from} lacks \`${field}\``, 'a string', value)
    }
    // The description covers sign-in with one status only: with another status, nothing else validates the record.
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
  for await (const { record, from, email } of ownShapes(context))
    expectEqual(addressOf(record.email), addressOf(email), `the address in ${from}`)
})

check('auth-record.verified', async (context) => {
  const expectBoolean = ({ verified }: WireRecord, from: string) =>
    expectThat(
      typeof verified === 'boolean',
      `\`verified\` in ${from} is not a boolean`,
      'a boolean',
      verified,
    )
  let [own, reader]: [WireRecord, Api] = [{ id: '' }, context.api]
  for await (const { record, from, api } of ownShapes(context)) {
    expectBoolean(record, from)
    ;[own, reader] = [record, api]
  }
  const list = await listById(context, reader, context.table('members'), own.id)
  // The document does not say who may list the accounts of a table.
  for (const record of list.ok ? itemsOf(list) : []) expectBoolean(record, 'a list')
})

check('auth-record.verified-not-claimed', async (context) => {
  const table = context.table('members')
  const account = await newAccount(context)
  if ((await recordBySignIn(context, account)).verified === true)
    throw new UntestableError(
      'new accounts are already verified (allowed), so a claim to be verified makes no difference',
      'tables: map the role "members" to a table whose new accounts are not verified',
    )
  const { response, email } = await signUp(context, { verified: true })
  if (response.ok) {
    const record = await context.created(table, response)
    const claimed = { table, record, id: record.id, email, password: PASSWORD }
    const { verified } = await recordBySignIn(context, claimed)
    expectEqual(verified, false, '`verified` after claiming it when signing up')
  }
  const first = await byPassword(context, account)
  const token = sessionToken(first)
  // An owner who has to be verified to sign in cannot claim it before.
  if (token === undefined) return
  const me = withSession(context, account, token)
  for (const verified of [true, 'true', 1, '1']) await me.api.update(table, me.id, { verified })
  const again = await byPassword(context, me)
  expectEqual(recordIn(again, 'a sign-in').verified, false, '`verified` after claiming it in an update')
  // A server may end the session before with the next.
  await expectUnverifiedByBatch(context, withSession(context, me, sessionToken(again) ?? me.token))
})

/** The same for claims in a batch. Who may send one is left open: one that is rejected has no effect. */
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

function noAccount({ knows }: CheckContext, created: ApiResponse): BlockedError {
  const hints = [
    ...(knows('superuser') ? [] : ['set the credentials of a superuser']),
    'if it requires other keys, add them in a target file: "binding": { "body.signUp": "{\\"key\\": \\"value\\"}" }',
  ]
  return new BlockedError(`no account can be created: ${responseSummary(created)}; ${hints.join('; ')}`)
}

/**
 * A batch that updates an account takes effect: sent by a superuser, also in another auth table; sent by the account,
 * in its own table; and by the identifier of the table. In each case, the batch may be rejected instead.
 */
async function expectUpdatedByBatch(context: CheckContext, me: SignedIn): Promise<void> {
  if (!context.has('batch') || !context.mayExist('batch')) return
  const sender = ablest(context, me.api)
  /** Whether an update sets the name; undefined if it is rejected. */
  const isNamed = async ({ table, id }: Account, update: (name: string) => Promise<ApiResponse>) => {
    const name = context.unique('name')
    const response = await update(name)
    if (!response.ok || hasRejectedEntry(response)) return undefined
    return objectBody(await sender.view(table, id)).name === name
  }
  const isUpdatable = (account: Account) =>
    isNamed(account, (name) => sender.update(account.table, account.id, { name }))
  const staff = context.knows('superuser') && (await unlessPrevented(() => newAccount(context, 'staff')))
  for (const account of staff ? [me, staff] : [me]) {
    if ((await isUpdatable(account)) !== true) continue
    for (const table of namesOf(account.table, account.record))
      expectThat(
        (await isNamed(account, (name) =>
          sender.batch([subRequests(context.api).update(table, account.id, { name })]),
        )) !== false,
        `a batch that is accepted updates nothing in ${table.name}`,
        'the new name',
      )
  }
}

check('auth-record.record-endpoints', async (context) => {
  const table = context.table('members')
  const signed = await signUp(context)
  const email = signed.response.ok ? signed.email : newEmail(context)
  const created = signed.response.ok
    ? signed.response
    : await ablest(context, context.api).create(table, signUpBody(context, { email }))
  // The document does not say what a sign-up must contain. If a superuser gets any other error, there is no endpoint.
  const isAboutBody = isRejected(created) && created.status !== 404 && created.status !== 405
  if (isAboutBody || (!created.ok && !context.knows('superuser'))) throw noAccount(context, created)
  const id = await createdIn(context, table, created, 'a create in an auth table')
  const me = await sessionOf(context, { table, id, email, password: PASSWORD, record: { id } })
  const either = async (request: (api: Api) => Promise<ApiResponse>) => {
    const own = await request(me.api)
    return own.ok ? own : request(ablest(context, me.api))
  }
  const name = context.unique('name')
  const permitted = (response: ApiResponse, what: string) => {
    // What an account may do in its table is left open. A server without the endpoint often returns 405 or 501.
    if (isRejected(response) && response.status !== 405 && !context.knows('superuser'))
      throw new UntestableError(
        `${what} was rejected with ${response.status}, which may be a matter of permission`,
        'set the credentials of a superuser',
      )
    expectSuccess(response, what)
  }
  const before = await either((api) => api.view(table, id))
  permitted(await either((api) => api.update(table, id, { name })), 'an update in an auth table')
  const view = await either((api) => api.view(table, id))
  permitted(view, 'a view in an auth table')
  expectNameField(table, before.ok ? objectBody(before) : {}, objectBody(view))
  expectEqual(objectBody(view).name, name, 'the name after the update')
  // The field may have another name, and a guest may see other accounts: the list must contain this one.
  const ownList = await me.api.list(table)
  // A list that the account has no permission for may also be empty.
  const showsOwn = ownList.ok && itemsOf(ownList).length > 0
  const lister = showsOwn ? me.api : ablest(context, me.api)
  if (lister === me.api) permitted(ownList, 'a list of an auth table')
  if (!showsOwn && lister === me.api)
    throw new UntestableError(
      'a list of an auth table is empty, which may be a matter of permission',
      'set the credentials of a superuser',
    )
  const listed = await recordsWith(context, table, 'name', name, lister)
  expectThat(
    listed.some((item) => item.id === id),
    'a list of an auth table does not contain its record',
    `a record with the id ${id}`,
    listed.map((item) => item.id),
  )
  await expectUpdatedByBatch(context, me)
  permitted(await either((api) => api.delete(table, id)), 'a delete in an auth table')
  const after = await ablest(context, context.api).view(table, id)
  expectGone(after, objectBody(view) as WireRecord, 'a view of a deleted auth record')
})
