/** Sign-ins by password that do not get a session (document 4.2, 5). */

import { check } from '../../../harness/check.ts'
import { reportsEmailsOnly } from '../../../harness/explore/reported-methods.ts'
import { ExpectationError, expectSuccess, expectThat } from '../../../harness/judging/expect.ts'
import { isReusable } from '../../../harness/ownership/holds-proof.ts'
import { secondAuthTable } from '../../../harness/target/second-auth-table.ts'
import type { ApiResponse } from '../../../harness/vocabulary/api.ts'
import type { CheckContext } from '../../../harness/vocabulary/check.ts'
import type { TableRef } from '../../../harness/vocabulary/target.ts'
import {
  type Account,
  accountWith,
  isByUsername,
  newAccount,
  newEmail,
  newUsername,
  OTHER_PASSWORD,
  PASSWORD,
  passwordBody,
  signUpBody,
} from '../../shared/auth/accounts.ts'
import { byOtp, newOtpIfPossible } from '../../shared/auth/email-flows.ts'
import {
  expectNoSession,
  expectNoToken,
  expectSignedIn,
  expectSignsNoOneIn,
} from '../../shared/auth/expect-session.ts'
import { unlessTooMany } from '../../shared/auth/mailed.ts'
import { namesakes } from '../../shared/auth/namesakes.ts'
import { admittedPerson, byProvider } from '../../shared/auth/oauth.ts'
import { post } from '../../shared/auth/post.ts'
import { sessionIn, shownIn } from '../../shared/auth/session-in.ts'
import {
  accountToSignIn,
  byPassword,
  deleteAccount,
  firstSignIn,
  type SignedIn,
  sessionOf,
  signedIn,
  signedInIfPossible,
} from '../../shared/auth/sessions.ts'
import { offersProvider } from '../../shared/auth/sign-in-by-provider.ts'
import { subRequests } from '../../shared/batch/entries.ts'
import { namesOf, tableByIdIfShown } from '../../shared/records/table-by-id.ts'
import { unlessPrevented } from '../../shared/unless-prevented.ts'

check('auth.identity-not-configured', async (context) => {
  await expectIdNoIdentity(context)
  await expectEmailsOnly(context)
  await expectUsernamesOnly(context)
  if (!context.hasTable('named')) return
  const username = newUsername(context)
  const account = await newAccount(context, 'named', { username })
  const { existing, name } = account.table
  const cause =
    existing === true ? ` (if ${name} accepts both by design, do not map the role "named" to it)` : ''
  await expectSignsNoOneIn(
    context,
    { ...account, email: username },
    `a sign-in by email address where usernames are the identity${cause}`,
    (table) => byPassword({ api: context.api.literal() }, { ...account, table }),
    () => byPassword(context, { ...account, email: username }),
  )
})

/** No address signs in where the target file says that usernames are the only identity. */
async function expectUsernamesOnly(context: CheckContext): Promise<void> {
  for (const role of ['members', 'staff']) {
    if (!context.hasTable(role) || !isByUsername(context.table(role))) continue
    const account = await newAccount(context, role)
    await expectSignsNoOneIn(
      context,
      account,
      'a sign-in by email address where usernames are the identity',
      (table) => byPassword({ api: context.api.literal() }, { ...account, table }),
      () => byPassword(context, account),
    )
  }
}

/**
 * An identity is an email address or a username (4.2), not the id of the record. A server may use one of them as the id: then
 * nothing is expected.
 */
async function expectIdNoIdentity(context: CheckContext): Promise<void> {
  const account = await newAccount(context)
  const { id, email, record } = account
  if (Object.entries({ ...record, email }).some(([name, value]) => name !== 'id' && value === id)) return
  await expectSignsNoOneIn(
    context,
    account,
    'a sign-in with the id of the record as the identity',
    (table) => byPassword(context, { ...account, table, email: id }),
    () => byPassword(context, account),
  )
}

/**
 * No other field signs in where the email is the only identity. Which fields are identities is left open: auth-methods may
 * name them, and the definition of `staff` does.
 */
async function expectEmailsOnly(context: CheckContext): Promise<void> {
  for (const role of ['members', 'staff']) {
    if (!context.hasTable(role)) continue
    const table = context.table(role)
    if (isByUsername(table)) continue
    const isDefined = role === 'staff' && table.existing !== true
    if (!isDefined && !reportsEmailsOnly((await context.api.authMethods(table)).body)) continue
    const [username, name] = [newUsername(context), newUsername(context, 'name')]
    const me =
      (await signedInIfPossible(context, role, { username, name })) ??
      (await signedInIfPossible(context, role, { name }))
    if (me === undefined) continue
    const localPart = me.email.slice(0, me.email.lastIndexOf('@'))
    const others = { username, name, 'the local part of the address': localPart }
    for (const [what, identity] of Object.entries(others))
      for (const each of namesOf(table, me.record))
        expectNoToken(
          await byPassword(context, { ...me, table: each, email: identity }),
          `a sign-in by ${what} to ${table.name}, where the email address is the only identity,`,
        )
  }
}

for (const [id, key] of [
  ['auth.identity-required', 'identity'],
  ['auth.password-required', 'password'],
] as const) {
  check(id, async (context) => {
    const account = await newAccount(context)
    const whole = { identity: account.email, password: account.password }
    const { [key]: _left, ...rest } = whole
    for (const body of [rest, { ...whole, [key]: '' }, { ...whole, [key]: null }]) {
      await expectSignsNoOneIn(
        context,
        account,
        `a sign-in without ${key}`,
        (table) => post(context.api, table, 'auth-with-password', body),
        () => post(context.api, account.table, 'auth-with-password', whole),
      )
    }
    if (key === 'password') await expectNoneEmpty(context)
  })
}

/** An account that has no password does not sign in with an empty one. */
async function expectNoneEmpty(context: CheckContext): Promise<void> {
  const others = [
    context.hasTable('passwordless')
      ? await unlessPrevented(() => newAccount(context, 'passwordless'))
      : undefined,
    offersProvider(context) ? await unlessPrevented(() => accountByProvider(context)) : undefined,
  ]
  for (const { table, email: identity } of others.filter((each) => each !== undefined)) {
    const response = await post(context.api, table, 'auth-with-password', { identity, password: '' })
    await expectNoSession(context, table, response, 'a sign-in with an empty password where there is none')
  }
}

async function accountByProvider(context: CheckContext): Promise<Pick<Account, 'table' | 'email'>> {
  const person = await admittedPerson(context)
  expectSuccess(await byProvider(context, person), 'a sign-in through the provider')
  return { table: context.table('oauth'), email: person.email }
}

check('auth.password-wrong', async (context) => {
  const account = await newAccount(context)
  // A NUL alone is left out: hashes such as PBKDF2 and scrypt fill up a short password with zeros. So is a space at the
  // end, which NIST SP 800-63B lets a server remove. The profile has `sign-in.password-whole` for both.
  const wrong = {
    'another password': 'wrong password',
    'the email address as password': account.email,
    'the password in capital letters': PASSWORD.toUpperCase(),
    'the password without its last character': PASSWORD.slice(0, -1),
    'the password with a character after it': `${PASSWORD}x`,
    'the password with a NUL and a character after it': `${PASSWORD}\0x`,
  }
  for (const [what, password] of Object.entries(wrong)) {
    await expectSignsNoOneIn(
      context,
      account,
      what,
      (table) => byPassword(context, { ...account, table, password }),
      () => byPassword(context, account),
    )
  }
  await expectWrongElsewhere(context)
  await expectWrongByUsername(context)
  await expectWholeCompared(context)
  await expectWrongAfterBatch(context)
})

/** The password of a sign-up in a batch is wrong once another batch has set another one, and that one signs in. */
async function expectWrongAfterBatch(context: CheckContext): Promise<void> {
  const { api, has, knows, mayExist, table } = context
  if (!has('batch') || !mayExist('batch') || !knows('superuser')) return
  const [members, root, email] = [table('members'), api.as('superuser'), newEmail(context)]
  const { create, update } = subRequests(api)
  if (!(await root.batch([create(members, signUpBody(context, { email }))])).ok) return
  const signIn = { table: members, email, password: PASSWORD }
  const { id } = shownIn(await byPassword(context, signIn))
  if (typeof id !== 'string') return
  await root.batch([update(members, id, passwordBody(context, OTHER_PASSWORD))])
  if (!(await byPassword(context, { ...signIn, password: OTHER_PASSWORD })).ok) return
  expectNoToken(await byPassword(context, signIn), 'the password before the one that a batch set')
}

/** Another auth table does not accept a wrong password either. */
async function expectWrongElsewhere(context: CheckContext): Promise<void> {
  const me = await signedInIfPossible(context, 'staff')
  if (me !== undefined) await expectNoneWrong(context, me, 'a wrong password in another auth table')
}

/** A username does not sign in with a wrong password either. Which tables have usernames is left open. */
async function expectWrongByUsername(context: CheckContext): Promise<void> {
  for (const role of ['members', 'named']) {
    if (!context.hasTable(role)) continue
    const username = newUsername(context)
    const me = await unlessPrevented(async () =>
      sessionOf(context, { ...(await newAccount(context, role, { username })), email: username }),
    )
    if (me !== undefined) await expectNoneWrong(context, me, 'a username with a wrong password')
  }
}

/** Few: a server may limit the wrong attempts. */
async function expectNoneWrong(context: CheckContext, me: SignedIn, what: string): Promise<void> {
  for (const password of ['wrong password', PASSWORD.toUpperCase(), `${PASSWORD}x`])
    expectNoToken(await byPassword(context, { ...me, password }), what)
}

/**
 * A long password is compared as a whole. The document does not say how long one may be; an accepted one must sign in.
 * It has fewer than 72 bytes, because bcrypt ignores the rest: `sign-in.password-whole` of the profile is about that.
 */
async function expectWholeCompared(context: CheckContext): Promise<void> {
  const [email, password] = [newEmail(context), PASSWORD.padEnd(70, ' and more')]
  const account = await unlessPrevented(async () =>
    sessionOf(context, await accountWith(context, email, password)),
  )
  if (account === undefined) return
  const other = `${password.slice(0, -1)}#`
  expectNoToken(
    await byPassword(context, { ...account, password: other }),
    'a long password with another last character',
  )
}

check('auth.identity-unknown', async (context) => {
  const username = newUsername(context)
  const isNamed = isByUsername(context.table('members'))
  const account = await newAccount(context, 'members', isNamed ? { username } : {})
  const { email } = account
  const at = email.indexOf('@')
  const unknown = isNamed
    ? {
        'an identity that no record has': newUsername(context),
        'the first characters of a username': username.slice(0, -2),
        'a username with wildcards': `${username.slice(0, -2)}_%`,
        'a username with % instead of its end': `${username.slice(0, -2)}%`,
        'a username with _ instead of its last character': `${username.slice(0, -1)}_`,
      }
    : {
        'an identity that no record has': newEmail(context),
        'the first characters of an email address': email.slice(0, at + 4),
        'an email address with wildcards': `${email.slice(0, at - 1)}_${email.slice(at, at + 4)}%`,
        'an email address with % instead of its end': `${email.slice(0, at)}%`,
        'an email address with _ instead of a character': `${email.slice(0, at - 1)}_${email.slice(at)}`,
      }
  const expectUnknown = (what: string, identity: string) =>
    expectSignsNoOneIn(
      context,
      account,
      what,
      (table) => byPassword(context, { ...account, table, email: identity }),
      () => byPassword(context, account),
    )
  for (const [what, identity] of Object.entries(unknown)) await expectUnknown(what, identity)
  if (isNamed) return
  const tagged = `${email.slice(0, at)}+x${email.slice(at)}`
  try {
    await expectUnknown('an email address with a tag', tagged)
  } catch (error) {
    if (!(error instanceof ExpectationError) || (await denotesOther(context, account, tagged))) throw error
  }
})

/**
 * Whether an address is a different identity from the account's own. The document does not say which spellings are the
 * same address: a server may ignore tags everywhere. In that case, no second account can have the address.
 */
async function denotesOther(context: CheckContext, account: Account, address: string): Promise<boolean> {
  const other = await unlessPrevented(() => accountWith(context, address, OTHER_PASSWORD))
  return other !== undefined && other.id !== account.id
}

check('auth.own-password-only', async (context) => {
  const [one, other] = [await newAccount(context), newEmail(context)]
  const theirs = 'Other-Finch-No.3'
  await context.make(one.table, signUpBody(context, { email: other }, theirs))
  const attempts = (table: TableRef) => [
    { ...one, table, password: theirs },
    { ...one, table, email: other },
  ]
  const responses = []
  for (const attempt of attempts(one.table)) responses.push(await byPassword(context, attempt))
  const control = await firstSignIn(context, one)
  expectSignedIn(control, one, 'the control')
  const byId = tableByIdIfShown(one.table, shownIn(control))
  for (const attempt of byId === undefined ? [] : attempts(byId))
    responses.push(await byPassword(context, attempt))
  for (const response of responses) expectNoToken(response, 'the password of another record')
  const both = await namesakes(context)
  if (both === undefined) return
  const { member, staff } = both
  for (const [account, { password }] of [
    [member, staff],
    [staff, member],
  ] as const)
    expectNoToken(
      await byPassword(context, { ...account, password }),
      'the password of an account of another auth table with the same address',
    )
})

check('auth.own-table-only', async (context) => {
  const tableOf = (each: string) => (context.hasTable(each) ? context.table(each) : undefined)
  const role = secondAuthTable(tableOf) ?? 'staff'
  const [member, colleague] = [await newAccount(context), await newAccount(context, role)]
  const pairs: [Account, Account][] = [[member, colleague]]
  // In the other tables, an address or a password alone may sign no one in.
  if (role === 'staff') pairs.push([colleague, member])
  for (const [account, { table: elsewhere, record }] of pairs) {
    await expectSignsNoOneIn(
      context,
      account,
      `a sign-in under ${elsewhere.name}`,
      (table) => byPassword(context, { ...account, table }),
      () => byPassword(context, account),
      namesOf(elsewhere, record),
    )
  }
  for (const [account, other] of [...pairs, ...(await pairsWithCodes(context))])
    await expectNoneByCode(context, account, other)
})

/** An account of each of two tables that may both have codes. */
async function pairsWithCodes(context: CheckContext): Promise<[Account, Account][]> {
  if (!context.hasTable('passwordless')) return []
  const pairs = await unlessPrevented(async (): Promise<[Account, Account][]> => {
    const member = await accountToSignIn(context)
    const other = await accountToSignIn(context, 'passwordless')
    if (member.table.name === other.table.name) return []
    return [
      [member, other],
      [other, member],
    ]
  })
  return pairs ?? []
}

/** The code of an account does not sign it in under another table. */
async function expectNoneByCode(
  context: CheckContext,
  account: Account,
  { table: elsewhere, record }: Account,
): Promise<void> {
  const otp = await newOtpIfPossible(context, account)
  if (otp === undefined) return
  for (const table of namesOf(elsewhere, record)) {
    const response = await unlessTooMany(byOtp(context, { table }, otp))
    if (response === undefined) return
    if (!isOfNewRecord(response, account))
      await expectNoSession(context, elsewhere, response, `a sign-in by code under ${elsewhere.name}`)
  }
}

/** A server may sign up anyone who has an address: then the record is a new one of the other table. */
function isOfNewRecord(response: ApiResponse, { id, record }: Account): boolean {
  const shown = shownIn(response)
  if (typeof shown.id !== 'string') return false
  return shown.id !== id || (isReusable(id) && shown.collectionName !== record.collectionName)
}

check('auth.auth-tables-only', async (context) => {
  const account = await newAccount(context)
  await expectSignsNoOneIn(
    context,
    account,
    'a sign-in under a table that is not configured for it',
    (table) => byPassword(context, { ...account, table }),
    () => byPassword(context, account),
    [context.table('plain')],
  )
})

check('auth.deleted-signed-out', async (context) => {
  const me = await signedIn(context)
  const otp = await newOtpIfPossible(context, me)
  await deleteAccount(context, me)
  for (const table of namesOf(me.table, me.record))
    expectNoToken(await byPassword(context, { ...me, table }), 'the password of a deleted record')
  if (otp !== undefined) {
    // A server may sign up anyone who has an address: then the record is a new one.
    const { token, recordId } = sessionIn(await byOtp(context, me, otp))
    const isBack = token !== undefined && recordId === me.id && !isReusable(me.id)
    expectThat(!isBack, 'a code from before signs in a deleted record', 'a rejection', 'a token')
  }
  await expectStaffGone(context)
})

/** The same in another auth table. Whether an account of it can be deleted is left open. */
async function expectStaffGone(context: CheckContext): Promise<void> {
  const me = await signedInIfPossible(context, 'staff')
  if (me === undefined) return
  const isGone = await unlessPrevented(async () => {
    await deleteAccount(context, me)
    return true
  })
  if (isGone !== true) return
  expectNoToken(await byPassword(context, me), 'the password of a deleted record of another auth table')
}
