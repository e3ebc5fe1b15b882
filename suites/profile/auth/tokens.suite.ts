/** Form, lifetime and end of tokens (standard profile, gap `tokens.lifetime`). */

import { check } from '../../../harness/check.ts'
import {
  expectEqual,
  expectStatus,
  expectSuccess,
  expectThat,
  UntestableError,
} from '../../../harness/judging/expect.ts'
import type { Body } from '../../../harness/vocabulary/api.ts'
import type { CheckContext } from '../../../harness/vocabulary/check.ts'
import { newEmail, OTHER_PASSWORD, PASSWORD, passwordBody } from '../../shared/auth/accounts.ts'
import { confirmReset, confirmVerification } from '../../shared/auth/confirm-flows.ts'
import { byOtp, flowToken, newOtp } from '../../shared/auth/email-flows.ts'
import { expectAlive, expectDead } from '../../shared/auth/expect-session.ts'
import { refreshSuperuser } from '../../shared/auth/refresh-superuser.ts'
import { requestChange } from '../../shared/auth/request-flows.ts'
import { sessionIn } from '../../shared/auth/session-in.ts'
import { type SignedIn, signedIn } from '../../shared/auth/sessions.ts'
import { claimsOf, unsigned } from '../../shared/auth/tampering.ts'

function headOf(token: string): Record<string, unknown> | undefined {
  return claimsOf(`.${token.split('.')[0]}.`)
}

check('token.form', async (context) => {
  const me = await signedIn(context)
  const [head, claims] = [headOf(me.token), claimsOf(me.token)]
  expectEqual([head?.alg, head?.typ], ['HS256', 'JWT'], 'alg and typ of the token')
  expectEqual(
    [claims?.type, claims?.id, claims?.collectionId],
    ['auth', me.id, me.record.collectionId],
    'type, id and collectionId in the token',
  )
  expectThat(
    Number.isInteger(claims?.exp),
    '`exp` in the token is not an integer',
    'seconds since 1970',
    claims?.exp,
  )
})

/** Seconds between the ends of two tokens. */
function between(later: string, earlier: string): number {
  return Number(claimsOf(later)?.exp) - Number(claimsOf(earlier)?.exp)
}

/** A new token of the superuser from the target file: no other account is touched. */
async function superuserToken(context: CheckContext): Promise<string> {
  const { token } = sessionIn(await refreshSuperuser(context))
  if (token === undefined || claimsOf(token)?.refreshable === false)
    throw new UntestableError(
      'the token of "superuser" cannot be refreshed, so the lifetime of its sessions is not visible',
      "set the superuser's identity and password instead of a token",
    )
  return token
}

check('token.lifetime', async (context) => {
  // Ten seconds are known; how much longer the others last does not depend on a clock.
  const short = await signedIn(context, 'shortlived')
  const long = await signedIn(context)
  const difference = between(long.token, short.token)
  expectThat(
    Math.abs(difference - (432_000 - 10)) <= 3,
    'a session does not last five days',
    '431990 seconds more',
    difference,
  )
  const token = await superuserToken(context)
  const day = between(token, short.token)
  expectThat(
    Math.abs(day - (86_400 - 10)) <= 3,
    'a session of a superuser does not last one day',
    '86390 seconds more',
    day,
  )
})

check('token.bearer', async (context) => {
  const me = await signedIn(context)
  for (const scheme of ['Bearer', 'bearer', 'BEARER'])
    await expectAlive(context, { ...me, token: `${scheme} ${me.token}` }, `after the word ${scheme}`)
})

check('token.other-schemes', async (context) => {
  const me = await signedIn(context)
  await expectAlive(context, me, 'sent unchanged')
  for (const scheme of ['Token', 'Basic', 'JWT'])
    await expectDead(context, { ...me, token: `${scheme} ${me.token}` }, `after the word ${scheme}`)
  const path = context.api.path.auth(me.table, 'auth-refresh')
  const others: { path: string; headers: Record<string, string> }[] = [
    { path: `${path}?token=${me.token}`, headers: {} },
    { path, headers: { cookie: `token=${me.token}; pb_auth=${me.token}` } },
  ]
  for (const other of others)
    expectStatus(
      await context.api.raw({ method: 'POST', ...other }),
      401,
      'a refresh with the token in a query or cookie',
    )
})

check('token.unsigned', async (context) => {
  const me = await signedIn(context)
  await expectAlive(context, me, 'sent unchanged')
  const payload = me.token.split('.')[1] ?? ''
  for (const token of [
    unsigned(payload),
    `${unsigned(payload)}x`,
    `${unsigned(payload)}${me.token.split('.')[2]}`,
  ])
    await expectDead(context, { ...me, token }, 'that declares that it needs no signature')
})

check('token.other-table', async (context) => {
  const [me, colleague] = [await signedIn(context), await signedIn(context, 'staff')]
  await context.rejects({
    control: () => me.api.authRefresh(me.table),
    attempt: () => colleague.api.authRefresh(me.table),
    status: 403,
  })
  await context.rejects({
    control: () => me.api.authRefresh(me.table),
    attempt: () => requestChange({ table: me.table, api: colleague.api }, newEmail(context)),
    status: 403,
  })
})

/** Does something to a record, and returns whether its earlier session is still valid. */
async function afterwards(context: CheckContext, act: (me: SignedIn) => Promise<unknown>): Promise<SignedIn> {
  const me = await signedIn(context)
  await expectAlive(context, me, 'before any operation')
  await act(me)
  return me
}

/** An update by the record itself or by a superuser that must succeed. */
async function edit(context: CheckContext, me: SignedIn, body: Body, actor?: string): Promise<void> {
  const api = actor === undefined ? me.api : context.api.as(actor)
  expectSuccess(await api.update(me.table, me.id, body), `an update of ${Object.keys(body).join(', ')}`)
}

check('token.password-ends', async (context) => {
  const me = await afterwards(context, (one) =>
    edit(context, one, passwordBody(context, OTHER_PASSWORD, PASSWORD)),
  )
  await expectDead(context, me, 'after the password was changed')
})

check('token.email-ends', async (context) => {
  const me = await afterwards(context, (one) => edit(context, one, { email: newEmail(context) }, 'superuser'))
  await expectDead(context, me, 'after the address was changed')
})

check('token.key-ends', async (context) => {
  const me = await afterwards(context, (one) =>
    edit(context, one, { 'tokenKey:autogenerate': '' }, 'superuser'),
  )
  await expectDead(context, me, 'after its key was changed')
})

check('token.edits-spare', async (context) => {
  const me = await afterwards(context, async (one) => {
    await edit(context, one, { name: context.unique('name'), emailVisibility: true })
    await edit(context, one, { verified: true }, 'superuser')
    await edit(context, one, { email: one.email }, 'superuser')
  })
  await expectAlive(context, me, 'after other changes')
})

check('token.password-ends-mail', async (context) => {
  const me = await signedIn(context)
  const verification = await flowToken(context, 'verification', me)
  const reset = await flowToken(context, 'password-reset', me)
  const otp = await newOtp(context, me)
  await edit(context, me, passwordBody(context, OTHER_PASSWORD), 'superuser')
  expectStatus(
    await confirmVerification(context, me, verification),
    400,
    'a verification after a changed password',
  )
  expectStatus(await confirmReset(context, me, reset, PASSWORD), 400, 'a reset after a changed password')
  expectStatus(await byOtp(context, me, otp), 400, 'a sign-in by code after a changed password')
  const [other] = [await signedIn(context)]
  expectStatus(
    await confirmVerification(context, other, await flowToken(context, 'verification', other)),
    204,
    'a verification without a password change',
  )
})
