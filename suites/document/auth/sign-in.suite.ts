/** Sign-in by password (document 2.5, 4.2). */

import { isObject } from '../../../exchange/json-object.ts'
import { check } from '../../../harness/check.ts'
import { methodsIn } from '../../../harness/explore/reported-methods.ts'
import {
  BlockedError,
  expectEqual,
  expectSuccess,
  expectThat,
  isRejected,
  objectBody,
} from '../../../harness/judging/expect.ts'
import type { WireRecord } from '../../../harness/vocabulary/api.ts'
import type { CheckContext } from '../../../harness/vocabulary/check.ts'
import { ablest } from '../../shared/auth/ablest.ts'
import {
  type Account,
  accountWith,
  addressOf,
  newAccount,
  newEmail,
  newUsername,
  OTHER_PASSWORD,
  PASSWORD,
  passwordBody,
  roleByAddress,
} from '../../shared/auth/accounts.ts'
import { expectAccepted, expectNoToken, expectSignedIn } from '../../shared/auth/expect-session.ts'
import { post } from '../../shared/auth/post.ts'
import { recordIn, sessionToken } from '../../shared/auth/session-in.ts'
import {
  accountTableById,
  byPassword,
  firstSignIn,
  isAlive,
  type SignedIn,
  signedIn,
  signedInIfPossible,
  withSession,
} from '../../shared/auth/sessions.ts'
import { subRequests } from '../../shared/batch/entries.ts'
import { recordOf } from '../../shared/records/record-of.ts'
import { tableByIdIfShown } from '../../shared/records/table-by-id.ts'
import { unlessPrevented } from '../../shared/unless-prevented.ts'

check('auth.password-sign-in', async (context) => {
  const account = await newAccount(context)
  const token = expectSignedIn(await firstSignIn(context, account), account, 'a password sign-in')
  for (const [signs, password] of Object.entries(unusualPasswords)) {
    const other = await unlessPrevented(() => accountWith(context, newEmail(context), password))
    if (other === undefined) continue
    const what = `a sign-in with a password of ${signs} as it was sent at the sign-up`
    expectSignedIn(await firstSignIn(context, other), other, what)
  }
  await expectSetBySuperuser(context, withSession(context, account, token))
})

/** The document does not say which characters a password may contain: an accepted password must sign in. */
const unusualPasswords = {
  'signs beyond ASCII': 'Pässwörd of 😀 and others, No. 5',
  'quotes and brackets': `A "quoted" <long> & 'slashed\\' one, No. 6`,
  'letters with spaces around them': ' Spaced-Robin-No.8 ',
}

/**
 * A password that a superuser set. The document does not say whether an update can set a password: an update by the
 * account itself shows it.
 */
async function expectSetBySuperuser(context: CheckContext, me: SignedIn): Promise<void> {
  if (!context.knows('superuser') || !context.mayExist('updateRecord')) return
  const { table, id } = me
  if (!(await me.api.update(table, id, passwordBody(context, OTHER_PASSWORD, me.password))).ok) return
  const changed = await byPassword(context, { ...me, password: OTHER_PASSWORD })
  if (!changed.ok || sessionToken(changed) === undefined) return
  const password = 'What a superuser chose, No. 7'
  const sets = (old?: string) =>
    context.api.as('superuser').update(table, id, passwordBody(context, password, old))
  if (!(await sets()).ok && !(await sets(OTHER_PASSWORD)).ok) return
  const response = await byPassword(context, { ...me, password })
  expectSignedIn(response, me, 'a sign-in with a password that a superuser set')
  await expectSetByBatch(context)
}

/** A password that was set by a superuser's batch signs in. */
async function expectSetByBatch(context: CheckContext): Promise<void> {
  if (!context.has('batch') || !context.mayExist('batch')) return
  const me = await signedInIfPossible(context)
  if (me === undefined) return
  const { table, id } = me
  const { update } = subRequests(context.api)
  const body = passwordBody(context, OTHER_PASSWORD)
  if (!(await context.api.as('superuser').batch([update(table, id, body)])).ok) return
  const now = { ...me, password: OTHER_PASSWORD }
  expectSignedIn(await byPassword(context, now), me, 'a sign-in with a password that a batch set')
}

check('auth.password-json', async (context) => {
  const account = await newAccount(context)
  await firstSignIn(context, account)
  const body = { identity: account.email, password: account.password }
  const sent = (type: string) =>
    post(context.api, account.table, 'auth-with-password', body, { 'content-type': type })
  const shown = 'application/json'
  expectSignedIn(await sent(shown), account, `a sign-in with the media type ${shown}`)
  // The document shows no parameter of the media type: one may be rejected.
  const other = `${shown}; charset=utf-8`
  const response = await sent(other)
  if (!isRejected(response)) expectSignedIn(response, account, `a sign-in with the media type ${other}`)
})

check('auth.response-token', async (context) => {
  const response = await firstSignIn(context, await newAccount(context))
  expectSuccess(response, 'a sign-in')
  const { token } = objectBody(response)
  expectThat(typeof token === 'string' && token !== '', '`token` is not a string', 'a string', token)
})

check('auth.response-record', async (context) => {
  const account = await newAccount(context)
  const response = await firstSignIn(context, account)
  expectSuccess(response, 'a sign-in')
  const record = objectBody(response).record as WireRecord | undefined
  expectEqual(
    [record?.id, addressOf(record?.email)],
    [account.id, addressOf(account.email)],
    'id and address of `record`',
  )
  const token = sessionToken(response)
  if (token !== undefined) await expectCurrentRecord(context, withSession(context, account, token))
  // Where no table has an identifier in paths, that is the finding of another check.
  const byId = tableByIdIfShown(account.table, record ?? {})
  const again = byId && (await byPassword(context, { ...account, table: byId }))
  if (!again?.ok || sessionToken(again) === undefined) return
  const { id, collectionName } = recordIn(again, 'a sign-in under the table’s id')
  expectEqual(
    [id, collectionName],
    [account.id, record?.collectionName],
    'id and table of `record` under the table’s id',
  )
})

/** A sign-in after an update returns the record as it is then. Who may update and view it is left open. */
async function expectCurrentRecord(context: CheckContext, me: SignedIn): Promise<void> {
  const name = context.unique('name')
  const api = ablest(context, me.api)
  if (!(await api.update(me.table, me.id, { name })).ok) return
  const view = await api.view(me.table, me.id)
  if (!view.ok || recordOf(view).name !== name) return
  const again = await byPassword(context, me)
  if (sessionToken(again) === undefined) return
  const { name: shown = name } = recordIn(again, 'a sign-in after an update')
  expectEqual(shown, name, 'name in `record` of a sign-in after an update')
}

check('auth.identity-email', async (context) => {
  const role = roleByAddress(context)
  const account = await newAccount(context, role)
  expectSignedIn(await firstSignIn(context, account), account, 'a sign-in by email address')
  const addresses = [`o'${newEmail(context)}`, newEmail(context).replace(/.*@/, (name) => name.toUpperCase())]
  for (const email of addresses) {
    const other = await unlessPrevented(() => accountWith(context, email, PASSWORD, role))
    // A server may store another address than was sent, in small letters for example.
    if (other?.record.email !== email) continue
    expectSignedIn(await firstSignIn(context, other), other, `a sign-in with the address ${email}`)
  }
  await expectChangedIdentity(context, account, 'email', newEmail(context))
})

/**
 * A superuser changes the identity of an account. An update may not do that: the identity is what the record shows
 * afterwards.
 *
 * @returns whether it shows that
 */
async function expectChangedIdentity(
  context: CheckContext,
  account: Account,
  field: 'email' | 'username',
  now: string,
): Promise<boolean> {
  const api = ablest(context)
  if (!(await api.update(account.table, account.id, { [field]: now })).ok) return false
  const view = await api.view(account.table, account.id)
  if (!view.ok || !isObject(view.body) || view.body[field] !== now) return false
  const changed = { ...account, email: now, record: { ...view.body, id: account.id } }
  const what = `a sign-in with the ${field} that the record has after an update`
  expectSignedIn(await firstSignIn(context, changed), account, what)
  return true
}

check('auth.identity-username', async (context) => {
  const username = newUsername(context)
  const account = await newAccount(context, 'named', { username })
  expectSignedIn(
    await firstSignIn(context, { ...account, email: username }),
    account,
    'a sign-in by username',
  )
  const now = newUsername(context, 'renamed')
  const isChanged = await expectChangedIdentity(context, account, 'username', now)
  if (!isChanged && !(await byPassword(context, { ...account, email: now })).ok) return
  const response = await byPassword(context, { ...account, email: username })
  expectNoToken(response, 'the username before the last change')
})

check('auth.table-by-id', async (context) => {
  const account = await newAccount(context)
  const byId = await accountTableById(context, account)
  // What keeps an account from signing in is said of the table by its name.
  await firstSignIn(context, account)
  expectSignedIn(
    await firstSignIn(context, { ...account, table: byId }),
    account,
    'a sign-in under the table’s id',
  )
  const [one, other] = [await context.api.authMethods(byId), await context.api.authMethods(account.table)]
  expectSuccess(one, 'auth-methods under the table’s id')
  const [under, by] = [one, other].map(({ body }) => methodsIn(body, context.binding))
  expectEqual(under, by, 'the methods reported under the id and the name')
})

check('auth.sessions-side-by-side', async (context) => {
  const me = await signedIn(context)
  const token = sessionToken(await byPassword(context, me))
  expectThat(token !== undefined, 'a second sign-in returns no token', 'a token', token)
  // If the server refreshes no session at all, a rejected refresh of the first one shows nothing.
  if (!(await isAlive(context, { ...me, token })))
    throw new BlockedError('the session of the latest sign-in cannot be refreshed')
  expectAccepted(
    await me.api.authRefresh(me.table),
    me,
    'after a second sign-in, a refresh of the first session',
  )
})
