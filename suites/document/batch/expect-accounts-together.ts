import { expectThat } from '../../../harness/judging/expect.ts'
import { NO_RECORD } from '../../../harness/support/no-record.ts'
import type { CheckContext } from '../../../harness/vocabulary/check.ts'
import { newEmail, OTHER_PASSWORD, PASSWORD, passwordBody, signUpBody } from '../../shared/auth/accounts.ts'
import { expectNoToken } from '../../shared/auth/expect-session.ts'
import { sessionToken } from '../../shared/auth/session-in.ts'
import { byPassword, isAlive, signedInIfPossible } from '../../shared/auth/sessions.ts'
import { subRequests } from '../../shared/batch/entries.ts'
import { expectNeither } from './expect-neither.ts'
import { expectNoneTitled } from './expect-none-titled.ts'

/** What a batch that fails leaves of accounts: none is created, and of those that exist, nothing changes or ends. */
export async function expectAccountsTogether(context: CheckContext): Promise<void> {
  if (!context.hasTable('members')) return
  await expectTakenTogether(context)
  await expectPasswordKept(context)
  await expectSessionKept(context)
  await expectSignUpTogether(context)
}

/**
 * A batch that fails creates no account and nothing else: an application signs up and creates the first records of the
 * account together. Only where batches create accounts at all, and a new account can sign in.
 */
async function expectSignUpTogether(context: CheckContext): Promise<void> {
  const { api, table, unique } = context
  const [plain, members] = [table('plain'), table('members')]
  const { create, update } = subRequests(api)
  const signUp = (email: string) => create(members, signUpBody(context, { email }))
  const signsIn = async (email: string) => {
    const response = await byPassword(context, { table: members, email, password: PASSWORD })
    return response.ok && sessionToken(response) !== undefined
  }
  const [made, lost] = [newEmail(context), newEmail(context)]
  if (!(await api.batch([signUp(made)])).ok || !(await signsIn(made))) return
  const title = unique('together')
  const fails = update(plain, NO_RECORD, { title: unique('missing') })
  await api.batch([create(plain, { title }), signUp(lost), fails])
  await expectNoneTitled(context, title, 'that a failed batch with a sign-up created')
  expectThat(
    !(await signsIn(lost)),
    'an account signs in that a failed batch was to create',
    'a rejection',
    'a token',
  )
}

/**
 * A sign-up with an address that an account has fails the batch that it is in, if it also fails alone. An account sends it as
 * well: the other table may be closed to guests.
 */
async function expectTakenTogether(context: CheckContext): Promise<void> {
  const { unique } = context
  const account = await signedInIfPossible(context)
  if (account === undefined) return
  const { email, table: members } = account
  for (const sender of [context.api, account.api]) {
    const { create } = subRequests(sender)
    const body = signUpBody(context, { email })
    if ((await sender.create(members, body)).ok) continue
    const taken = create(members, body)
    await expectNeither(context, sender, unique('taken'), ['with a sign-up whose address is taken', taken])
  }
}

/**
 * A batch that fails leaves the password of its sender as it was. Who may send one, and whether it may change a password,
 * is left open: otherwise nothing changes either.
 */
async function expectPasswordKept(context: CheckContext): Promise<void> {
  const { table, unique } = context
  const me = await signedInIfPossible(context)
  if (me === undefined) return
  const { update } = subRequests(me.api)
  const fails = update(table('plain'), NO_RECORD, { title: unique('missing') })
  await me.api.batch([update(me.table, me.id, passwordBody(context, OTHER_PASSWORD, PASSWORD)), fails])
  const response = await byPassword(context, { ...me, password: OTHER_PASSWORD })
  expectNoToken(response, 'the password that a failed batch was to set')
}

/**
 * A failing batch keeps the account that it would delete, and its session. An older session of an account outside the
 * batch shows that sessions last that long.
 */
async function expectSessionKept(context: CheckContext): Promise<void> {
  const { api, table, unique } = context
  const [older, me] = [await signedInIfPossible(context), await signedInIfPossible(context)]
  if (older === undefined || me === undefined) return
  const root = context.knows('superuser') ? [api.as('superuser')] : []
  for (const sender of [me.api, ...root]) {
    const { remove, update } = subRequests(sender)
    const fails = update(table('plain'), NO_RECORD, { title: unique('missing') })
    await sender.batch([remove(me.table, me.id), fails])
  }
  const kept = await isAlive(context, me)
  expectThat(
    kept || !(await isAlive(context, older)),
    'a failed batch with the delete of an account ends its session',
    'a session that goes on',
    'a rejection',
  )
}
