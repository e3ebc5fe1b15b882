/** Sign-in by password in particular (standard profile, gaps `auth.payloads` and `auth.statuses`). */

import { check } from '../../../harness/check.ts'
import {
  BlockedError,
  expectEqual,
  expectStatus,
  expectThat,
  objectBody,
} from '../../../harness/judging/expect.ts'
import type { ApiResponse, Body } from '../../../harness/vocabulary/api.ts'
import type { CheckContext } from '../../../harness/vocabulary/check.ts'
import {
  type Account,
  newAccount,
  newEmail,
  newUsername,
  PASSWORD,
  passwordBody,
} from '../../shared/auth/accounts.ts'
import { expectSignedIn } from '../../shared/auth/expect-session.ts'
import { post } from '../../shared/auth/post.ts'
import { recordIn } from '../../shared/auth/session-in.ts'
import { byPassword, signedIn } from '../../shared/auth/sessions.ts'
import { fieldErrorCodes } from '../../shared/records/field-errors.ts'
import { expectAlike } from './expect-alike.ts'

const ACTION = 'auth-with-password'

function send({ api }: CheckContext, account: Account, body: unknown): Promise<ApiResponse> {
  return post(api, account.table, ACTION, body)
}

const whole = ({ email, password }: Account): Body => ({ identity: email, password })

check('sign-in.status', async (context) => {
  const response = await byPassword(context, await newAccount(context))
  expectStatus(response, 200, 'a sign-in')
  expectEqual(
    Object.keys(objectBody(response)).sort(),
    ['record', 'token'],
    'the keys of the response to a sign-in',
  )
})

check('sign-in.fields', async (context) => {
  const account = await newAccount(context)
  const response = await byPassword(context, account, { fields: 'record.id' })
  expectStatus(response, 200, 'a sign-in')
  expectEqual(response.body, { record: { id: account.id } }, 'the response with fields')
})

check('sign-in.forms', async (context) => {
  const account = await newAccount(context)
  const { api } = context
  const path = api.path.auth(account.table, ACTION)
  const form = new FormData()
  form.set('identity', account.email)
  form.set('password', account.password)
  const urlencoded = new URLSearchParams({ identity: account.email, password: account.password }).toString()
  const headers = { 'content-type': 'application/x-www-form-urlencoded' }
  const responses = [
    await api.raw({ method: 'POST', path, headers, body: urlencoded }),
    await api.raw({ method: 'POST', path, body: form }),
  ]
  for (const response of responses) expectSignedIn(response, account, 'a sign-in by form')
})

check('sign-in.unknown-keys', async (context) => {
  const account = await newAccount(context)
  const response = await send(context, account, { ...whole(account), extra: 1, verified: true, id: 'other' })
  expectSignedIn(response, account, 'a sign-in with unknown keys')
  expectEqual(recordIn(response, 'a sign-in').verified, false, '`verified` after a sign-in that sends it')
})

check('sign-in.missing', async (context) => {
  const account = await newAccount(context)
  for (const key of ['identity', 'password']) {
    for (const value of [undefined, '', null]) {
      await context.rejects({
        control: () => send(context, account, whole(account)),
        attempt: () => send(context, account, { ...whole(account), [key]: value }),
        status: 400,
        data: { [key]: 'validation_required' },
      })
    }
  }
  const empty = await post(context.api, account.table, ACTION)
  expectStatus(empty, 400, 'a sign-in without a body')
  expectEqual(
    fieldErrorCodes(empty),
    { identity: 'validation_required', password: 'validation_required' },
    'the error codes of a sign-in without a body',
  )
})

check('sign-in.too-long', async (context) => {
  const account = await newAccount(context)
  for (const key of ['identity', 'password']) {
    await context.rejects({
      control: () => send(context, account, whole(account)),
      attempt: () => send(context, account, { ...whole(account), [key]: 'x'.repeat(256) }),
      status: 400,
      data: { [key]: 'validation_length_out_of_range' },
    })
    const longest = await send(context, account, { ...whole(account), [key]: 'x'.repeat(255) })
    expectStatus(longest, 400, 'a sign-in with 255 characters')
    expectEqual(fieldErrorCodes(longest), {}, 'the error codes of a sign-in with 255 characters')
  }
})

check('sign-in.wrong-types', async (context) => {
  const account = await newAccount(context)
  for (const key of ['identity', 'password']) {
    for (const value of [1, ['x'], { x: 1 }]) {
      await context.rejects({
        control: () => send(context, account, whole(account)),
        attempt: () => send(context, account, { ...whole(account), [key]: value }),
        status: 400,
      })
    }
  }
})

check('sign-in.malformed', async (context) => {
  const account = await newAccount(context)
  const { api } = context
  const request = { method: 'POST', path: api.path.auth(account.table, ACTION) }
  for (const body of ['{', '[]', '"text"', `{"identity":"${account.email}"`]) {
    await context.rejects({
      control: () => send(context, account, whole(account)),
      attempt: () => api.raw({ ...request, headers: { 'content-type': 'application/json' }, body }),
      status: 400,
    })
  }
})

check('sign-in.failed', async (context) => {
  const account = await newAccount(context)
  for (const wrong of [{ password: 'wrong password' }, { email: newEmail(context) }]) {
    const response = await context.rejects({
      control: () => byPassword(context, account),
      attempt: () => byPassword(context, { ...account, ...wrong }),
      status: 400,
    })
    expectEqual(objectBody(response).data, {}, 'data of the response to wrong credentials')
  }
})

check('sign-in.any-token', async (context) => {
  const [me, other] = [await signedIn(context), await signedIn(context)]
  for (const token of ['nonsense', other.token, me.token]) {
    const response = await byPassword({ api: context.api.withToken(token, 'any') }, me)
    expectSignedIn(response, me, 'a sign-in with a token')
  }
})

check('sign-in.identity-field', async (context) => {
  const username = newUsername(context)
  const account = await newAccount(context, 'members', { username })
  const by = (identityField: string, identity: string) =>
    send(context, account, { identity, password: PASSWORD, identityField })
  const { identity: only } = context.table('members')
  const field = only ?? 'username'
  expectSignedIn(await by(field, username), account, `a sign-in by the field ${field}`)
  if (only === undefined) {
    expectSignedIn(await by('email', account.email), account, 'a sign-in by the field email')
    expectStatus(await by('username', account.email), 400, 'a sign-in with the address as username')
  }
  await context.rejects({
    control: () => by(field, username),
    attempt: () => by('name', username),
    status: 400,
    data: { identityField: 'validation_in_invalid' },
  })
})

check('sign-in.username-case', async (context) => {
  const username = newUsername(context)
  const account = await newAccount(context, 'named', { username })
  const response = await byPassword(context, { ...account, email: username.toUpperCase() })
  expectSignedIn(response, account, 'a sign-in in capitals')
})

check('sign-in.id-no-identity', async (context) => {
  const account = await newAccount(context)
  await context.rejects({
    control: () => byPassword(context, account),
    attempt: () => byPassword(context, { ...account, email: account.id }),
    status: 400,
  })
})

check('sign-in.password-whole', async (context) => {
  // The first two are as long as the profile lets a password be, in bytes and in characters.
  for (const [password, more] of [
    ['é'.repeat(36), 'y'],
    ['x'.repeat(71), 'y'],
    [PASSWORD, '\0'],
    [PASSWORD, ' '],
  ] as const) {
    const account = {
      ...(await newAccount(context, 'members', passwordBody(context, password))),
      password,
    }
    await context.rejects({
      control: () => byPassword(context, account),
      attempt: () => byPassword(context, { ...account, password: password + more }),
      status: 400,
    })
  }
})

check('sign-in.email-shown', async (context) => {
  const me = await signedIn(context, 'members', { emailVisibility: false })
  for (const response of [await byPassword(context, me), await me.api.authRefresh(me.table)])
    expectEqual(recordIn(response, 'a sign-in').email, me.email, '`email` of the record in its own sign-in')
})

check('sign-in.password-off', async (context) => {
  const account = await newAccount(context, 'passwordless')
  expectStatus(await byPassword(context, account), 403, 'a password sign-in where passwords are disabled')
  expectStatus(
    await post(context.api, account.table, ACTION, {}),
    403,
    'a sign-in with an empty body where passwords are disabled',
  )
})

check('sign-in.auth-rule', async (context) => {
  const account = await newAccount(context, 'gated')
  expectStatus(await byPassword(context, account), 403, 'a sign-in of an unverified record')
  const verified = await context.api.as('superuser').update(account.table, account.id, { verified: true })
  if (!verified.ok) throw new BlockedError('a superuser could not verify the record')
  expectSignedIn(await byPassword(context, account), account, 'a sign-in of a verified record')
})

check('sign-in.auth-rule-later', async (context) => {
  const account = await newAccount(context, 'gated')
  expectStatus(await byPassword(context, account), 403, 'a sign-in with the correct password')
  expectStatus(
    await byPassword(context, { ...account, password: 'wrong password' }),
    400,
    'a sign-in with a wrong password',
  )
})

check('sign-in.auth-rule-null', async (context) => {
  const account = await newAccount(context, 'sealed')
  expectStatus(await byPassword(context, account), 403, 'a sign-in where no record may sign in')
})

check('sign-in.auth-rule-superuser', async (context) => {
  const account = await newAccount(context, 'sealed')
  const response = await byPassword({ api: context.api.as('superuser') }, account)
  expectSignedIn(response, account, 'a sign-in with the token of a superuser')
})

check('sign-in.no-auth-table', async ({ api, table }) => {
  for (const name of [table('plain').name, 'conf_missing']) {
    for (const action of [ACTION, 'auth-with-otp', 'auth-with-oauth2', 'request-otp'])
      for (const body of [{}, { identity: 'x', password: 'y' }])
        expectStatus(await post(api, name, action, body), 404, `${action} of ${name}`)
  }
})

check('sign-in.method', async ({ api, table }) => {
  for (const method of ['GET', 'PUT', 'PATCH', 'DELETE']) {
    const response = await api.raw({ method, path: api.path.auth(table('members'), ACTION) })
    expectStatus(response, 404, `${method} on a sign-in path`)
  }
})

check('enumeration.password', async (context) => {
  const account = await newAccount(context)
  const known = await byPassword(context, { ...account, password: 'wrong password' })
  const stranger = { ...account, email: newEmail(context), password: 'wrong password' }
  const unknown = await byPassword(context, stranger)
  const again = await byPassword(context, stranger)
  expectThat(!known.ok, 'a wrong password signs in', 'a rejection', known.status)
  expectAlike(unknown, again, known, 'the response for an unknown identity')
})
