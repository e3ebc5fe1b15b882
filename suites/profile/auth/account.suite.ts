/** The fields of an account, and who may touch them (standard profile, gaps `auth.payloads` and `rules.access`). */

import { check } from '../../../harness/check.ts'
import {
  expectEqual,
  expectRejection,
  expectStatus,
  expectSuccess,
  expectThat,
  objectBody,
} from '../../../harness/judging/expect.ts'
import type { ApiResponse, Body, WireRecord } from '../../../harness/vocabulary/api.ts'
import type { CheckContext } from '../../../harness/vocabulary/check.ts'
import {
  type Account,
  newAccount,
  newEmail,
  OTHER_PASSWORD,
  PASSWORD,
  passwordBody,
  passwordNames,
  signUpBody,
} from '../../shared/auth/accounts.ts'
import { expectAlive, expectSignedIn } from '../../shared/auth/expect-session.ts'
import { recordIn } from '../../shared/auth/session-in.ts'
import { byPassword, signedIn } from '../../shared/auth/sessions.ts'
import { hashIn } from '../../shared/hash-in.ts'
import { newId } from '../../shared/records/new-id.ts'

function signUp({ api, table }: CheckContext, body: Body): Promise<ApiResponse> {
  return api.create(table('members'), body)
}

/** The record as its owner sees it at a sign-in. */
async function seen(context: CheckContext, account: Account): Promise<WireRecord> {
  const response = await byPassword(context, account)
  return recordIn(response, 'a sign-in with the known address and password')
}

check('account.sign-up-password', async (context) => {
  const { password, confirm } = passwordNames(context)
  for (const key of [password, confirm]) {
    await context.rejects({
      control: () => signUp(context, { email: newEmail(context), ...passwordBody(context, PASSWORD) }),
      attempt: () =>
        signUp(context, { email: newEmail(context), ...passwordBody(context, PASSWORD), [key]: undefined }),
      status: 400,
      data: { [key]: 'validation_required' },
    })
  }
})

check('account.sign-up-mismatch', async (context) => {
  const { confirm } = passwordNames(context)
  await context.rejects({
    control: () => signUp(context, { email: newEmail(context), ...passwordBody(context, PASSWORD) }),
    attempt: () =>
      signUp(context, {
        email: newEmail(context),
        ...passwordBody(context, PASSWORD),
        [confirm]: OTHER_PASSWORD,
      }),
    status: 400,
    data: { [confirm]: 'validation_values_mismatch' },
  })
})

check('account.password-length', async (context) => {
  // Characters count; at the upper end plain letters, since bytes count there too.
  for (const [letter, fine, wrong, code] of [
    ['é', 8, 7, 'validation_min_text_constraint'],
    ['x', 71, 72, 'validation_max_text_constraint'],
  ] as const) {
    await context.rejects({
      control: () =>
        signUp(context, { email: newEmail(context), ...passwordBody(context, letter.repeat(fine)) }),
      attempt: () =>
        signUp(context, { email: newEmail(context), ...passwordBody(context, letter.repeat(wrong)) }),
      status: 400,
      data: { [passwordNames(context).password]: code },
    })
  }
})

check('account.password-bytes', async (context) => {
  const account = await newAccount(context)
  const superuser = context.api.as('superuser')
  // 36 letters of two bytes each are 72 bytes, and not too many characters.
  const [longest, longer] = [passwordBody(context, 'é'.repeat(36)), passwordBody(context, 'é'.repeat(37))]
  await context.rejects({
    control: () => signUp(context, { email: newEmail(context), ...longest }),
    attempt: () => signUp(context, { email: newEmail(context), ...longer }),
    status: 400,
  })
  await context.rejects({
    control: () => superuser.update(account.table, account.id, longest),
    attempt: () => superuser.update(account.table, account.id, longer),
    status: 400,
  })
})

check('account.email-unique', async (context) => {
  const account = await newAccount(context)
  await context.rejects({
    control: () => signUp(context, { email: newEmail(context), ...passwordBody(context, PASSWORD) }),
    attempt: () => signUp(context, { email: account.email, ...passwordBody(context, PASSWORD) }),
    status: 400,
    data: { email: 'validation_not_unique' },
  })
})

check('account.email-form', async (context) => {
  for (const email of ['x', 'x@', '@example.com', 'a b@example.com']) {
    await context.rejects({
      control: () => signUp(context, { email: newEmail(context), ...passwordBody(context, PASSWORD) }),
      attempt: () => signUp(context, { email, ...passwordBody(context, PASSWORD) }),
      status: 400,
      data: { email: 'validation_is_email' },
    })
  }
})

check('account.verified-claimed', async (context) => {
  const claim = { verified: true }
  const me = await signedIn(context)
  await context.rejects({
    control: () =>
      signUp(context, { email: newEmail(context), ...passwordBody(context, PASSWORD), verified: false }),
    attempt: () =>
      signUp(context, { email: newEmail(context), ...passwordBody(context, PASSWORD), ...claim }),
    status: 400,
    data: { verified: 'validation_values_mismatch' },
  })
  await context.rejects({
    control: () => me.api.update(me.table, me.id, { name: context.unique('name'), verified: false }),
    attempt: () => me.api.update(me.table, me.id, claim),
    status: 400,
    data: { verified: 'validation_values_mismatch' },
  })
  const path = context.api.path.records(me.table)
  const fields = { email: newEmail(context), ...passwordBody(context, PASSWORD), verified: 'true' }
  const form = await context.api.raw({
    method: 'POST',
    path,
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body: new URLSearchParams(fields).toString(),
  })
  expectStatus(form, 400, 'a sign-up by form that claims to be verified')
  if (context.has('batch')) {
    const entry = { method: 'PATCH', url: context.api.path.record(me.table, me.id), body: claim }
    expectStatus(await me.api.batch([entry]), 400, 'a batch that claims to be verified')
  }
  expectEqual((await seen(context, me)).verified, false, '`verified` after rejected claims to be verified')
})

check('account.email-direct', async (context) => {
  const me = await signedIn(context)
  await context.rejects({
    control: () => me.api.update(me.table, me.id, { email: me.email }),
    attempt: () => me.api.update(me.table, me.id, { email: newEmail(context) }),
    status: 400,
    data: { email: 'validation_values_mismatch' },
  })
  expectEqual((await seen(context, me)).email, me.email, '`email` after a rejected update of it')
})

check('account.old-password', async (context) => {
  const me = await signedIn(context)
  const attempts: [Body, string][] = [
    [passwordBody(context, OTHER_PASSWORD), 'validation_required'],
    [passwordBody(context, OTHER_PASSWORD, 'wrong password'), 'validation_invalid_old_password'],
  ]
  for (const [body, code] of attempts) {
    await context.rejects({
      control: () => me.api.update(me.table, me.id, { name: context.unique('name') }),
      attempt: () => me.api.update(me.table, me.id, body),
      status: 400,
      data: { [passwordNames(context).old]: code },
    })
  }
  if (context.has('batch')) {
    const entry = {
      method: 'PATCH',
      url: context.api.path.record(me.table, me.id),
      body: passwordBody(context, OTHER_PASSWORD),
    }
    expectStatus(await me.api.batch([entry]), 400, 'a change without the old password in a batch')
  }
  await seen(context, me)
})

check('account.password-change', async (context) => {
  const me = await signedIn(context)
  const unconfirmed = {
    ...passwordBody(context, OTHER_PASSWORD, PASSWORD),
    [passwordNames(context).confirm]: PASSWORD,
  }
  expectStatus(
    await me.api.update(me.table, me.id, unconfirmed),
    400,
    'a password change without a confirmation',
  )
  const response = await me.api.update(me.table, me.id, passwordBody(context, OTHER_PASSWORD, PASSWORD))
  expectStatus(response, 200, 'a password change by the owner')
  expectSignedIn(
    await byPassword(context, { ...me, password: OTHER_PASSWORD }),
    me,
    'a sign-in with the new password',
  )
  expectStatus(await byPassword(context, me), 400, 'a sign-in with the old password')
})

check('account.superuser-edits', async (context) => {
  const account = await newAccount(context)
  const root = context.api.as('superuser')
  const email = newEmail(context)
  expectStatus(
    await root.update(account.table, account.id, { email, verified: true }),
    200,
    'an edit by a superuser',
  )
  expectStatus(
    await root.update(account.table, account.id, passwordBody(context, OTHER_PASSWORD)),
    200,
    'a password set by a superuser',
  )
  const record = await seen(context, { ...account, email, password: OTHER_PASSWORD })
  expectEqual(
    [record.email, record.verified],
    [email, true],
    '`email` and `verified` after an edit by a superuser',
  )
})

check('account.manager-edits', async (context) => {
  const [manager, stranger] = [await signedIn(context), await signedIn(context, 'staff')]
  const managed = await newAccount(context, 'staff', { name: 'managed' })
  const email = newEmail(context)
  const edit = { email, verified: true, ...passwordBody(context, OTHER_PASSWORD) }
  expectStatus(
    await stranger.api.update(managed.table, managed.id, edit),
    404,
    'an edit by a caller who is not a manager',
  )
  expectStatus(await manager.api.update(managed.table, managed.id, edit), 200, 'an edit by a manager')
  const record = await seen(context, { ...managed, email, password: OTHER_PASSWORD })
  expectEqual(
    [record.email, record.verified],
    [email, true],
    '`email` and `verified` after an edit by a manager',
  )
})

check('account.mass-assignment', async (context) => {
  const me = await signedIn(context)
  const before = await seen(context, me)
  const attempts: Body[] = [
    { tokenKey: 'x'.repeat(40) },
    { 'tokenKey:autogenerate': '' },
    { collectionId: 'conf_staff_0001', collectionName: 'conf_staff' },
    { created: '2001-01-01 00:00:00.000Z' },
    { passwordHash: 'x', 'password:hash': 'x' },
    { id: 'abcdefghijklmno' },
  ]
  for (const body of attempts) {
    await me.api.update(me.table, me.id, body)
    await expectAlive(context, me, `after its owner sent ${Object.keys(body).join(', ')}`)
  }
  const after = await seen(context, me)
  const fixed = ['id', 'collectionId', 'collectionName', 'created', 'email', 'verified', 'emailVisibility']
  for (const field of fixed)
    expectEqual(after[field], before[field], `${field} after updates that must not change it`)
})

check('account.of-others', async (context) => {
  const [me, other] = [await signedIn(context), await signedIn(context)]
  const name = context.unique('name')
  for (const api of [context.api, other.api]) {
    await context.rejects({
      control: () => me.api.update(me.table, me.id, { name }),
      attempt: () => api.update(me.table, me.id, { name: 'stolen', emailVisibility: true }),
      status: 404,
    })
    expectStatus(await api.delete(me.table, me.id), 404, 'a delete of an account by another one')
  }
  const record = await seen(context, me)
  expectEqual(
    [record.name, record.emailVisibility],
    [name, false],
    '`name` and `emailVisibility` after rejected updates',
  )
})

check('account.id-unique', async (context) => {
  const colleague = await newAccount(context, 'staff')
  const fresh = newId(context.unique)
  await context.rejects({
    control: () =>
      signUp(context, { id: fresh, email: newEmail(context), ...passwordBody(context, PASSWORD) }),
    attempt: () =>
      signUp(context, { id: colleague.id, email: newEmail(context), ...passwordBody(context, PASSWORD) }),
    status: 400,
    data: { id: 'validation_invalid_auth_id' },
  })
})

check('account.visibility', async (context) => {
  // Its name marks it as the run's own, no matter who may see its address.
  const me = await signedIn(context, 'members', { name: context.unique('name') })
  for (const emailVisibility of [true, false]) {
    expectStatus(await me.api.update(me.table, me.id, { emailVisibility }), 200, 'a change of visibility')
    const { email } = objectBody(await context.api.view(me.table, me.id))
    expectEqual(
      email,
      emailVisibility ? me.email : undefined,
      `the address as a guest sees it with emailVisibility ${emailVisibility}`,
    )
  }
})

check('account.secrets', async (context) => {
  const password = context.unique('only-here-secret')
  const email = newEmail(context)
  const created = await signUp(context, signUpBody(context, { email }, password))
  expectSuccess(created, 'a sign-up')
  const account = { table: context.table('members'), id: String(objectBody(created).id), email, password }
  const session = await byPassword(context, account)
  const token = String(objectBody(session).token)
  const root = context.api.as('superuser')
  const responses = [
    created,
    session,
    await context.api.withToken(token, 'user').authRefresh(account.table),
    await root.impersonate(account.table, account.id),
    await root.view(account.table, account.id),
    await context.api.authMethods(context.table('oauth')),
    await byPassword(context, { ...account, password: `${password}?` }),
  ]
  for (const { text, exchange } of responses) {
    expectThat(
      !text.includes(password) &&
        !/"(password|tokenKey|passwordHash|clientSecret)":"/.test(text) &&
        !/\$(2[aby]|scrypt|argon2)/.test(text) &&
        hashIn(text) === undefined,
      'a response contains a secret',
      'none',
      `${exchange.request.method} ${exchange.request.url}`,
    )
  }
  expectRejection(
    await byPassword(context, { ...account, password: 'wrong password' }),
    'a sign-in with a wrong password',
  )
})
