/**
 * Requirements about every exchange: judged last, over all exchanges of the session. Each check sends the ordinary ones
 * itself first, so that it means something when it runs alone.
 *
 * @module
 */

import { createHash } from 'node:crypto'
import { check } from '../../harness/check.ts'
import {
  BlockedError,
  expectSuccess,
  expectThat,
  isRejected,
  objectBody,
} from '../../harness/judging/expect.ts'
import { responseSummary } from '../../harness/judging/response-summary.ts'
import type { Api, ApiResponse, Body, WireRecord } from '../../harness/vocabulary/api.ts'
import type { CheckContext } from '../../harness/vocabulary/check.ts'
import { ablest } from '../shared/auth/ablest.ts'
import {
  type Account,
  newEmail,
  OTHER_PASSWORD,
  passwordBody,
  passwordNames,
  signUpBody,
} from '../shared/auth/accounts.ts'
import { confirmReset, NO_PROOF } from '../shared/auth/confirm-flows.ts'
import { unlessTooMany } from '../shared/auth/mailed.ts'
import { sessionToken } from '../shared/auth/session-in.ts'
import { byPassword } from '../shared/auth/sessions.ts'
import { subRequests } from '../shared/batch/entries.ts'
import { everyExchange, nothingSeen } from '../shared/every-exchange.ts'
import { hashShown } from '../shared/hash-in.ts'
import { listById } from '../shared/lists/shared-records.ts'
import { fieldsOf } from '../shared/records/samples.ts'
import { unlessPrevented } from '../shared/unless-prevented.ts'
import { expectNoHashExpanded, expectNoHashShown } from './expect-no-hash-shown.ts'
import { expectText } from './records/expect-text.ts'

check('prefix.v1', async (context) => {
  const { api, table } = context
  const sendRequest = () =>
    api.raw({ method: 'GET', path: `/api/v1/collections/${table('plain').name}/records` })
  const first = await sendRequest()
  // A busy server may be asked again.
  const response = first.status === 503 ? await sendRequest() : first
  expectSuccess(response, 'the list under /api/v1')
  expectThat(
    Array.isArray(objectBody(response).items),
    'the response under /api/v1 is not a list response',
    'items',
    response.text,
  )
})

check('wire.json-utf8', async (context) => {
  const { api, table, created, unique } = context
  // Which characters a text field takes, and how many, is left open.
  for (const characters of ['ÿ‽语\u{1F600}\u{10FFFD}', 'ÿ‽语', 'ÿ', '']) {
    const title = `${unique('')} ${characters}`.trim()
    const response = await api.create(table('plain'), { title })
    if (isRejected(response)) continue
    const record = await created(table('plain'), response)
    // A create may return no fields, and its client may not see the record.
    const isShown = record.title !== undefined
    if (isShown) expectText(record.title, title, 'the text as created')
    if (context.mayExist('viewRecord') || !isShown) {
      const viewed = await api.view(table('plain'), record.id)
      if (!viewed.ok)
        throw new BlockedError(`a view of the record was rejected: ${responseSummary(viewed, 300)}`)
      expectText(objectBody(viewed).title, title, 'the text as viewed')
    }
    return nothingSeen(context)
  }
  throw new BlockedError('no string was accepted that would show how characters are encoded')
})

const DIGESTS = ['md5', 'sha1', 'sha256', 'sha512'] as const
const ENCODINGS = ['hex', 'base64', 'base64url'] as const

/** A password, encoded or not, and its digests without a salt, which anyone can compute for a list of passwords. */
function formsOf(password: string): string[] {
  const bytes = [Buffer.from(password), ...DIGESTS.map((name) => createHash(name).update(password).digest())]
  const texts = bytes.flatMap((each) => ENCODINGS.map((encoding) => each.toString(encoding)))
  return [password, ...texts.map((text) => text.replace(/=+$/, ''))]
}

/**
 * A response contains none of these passwords. A rejection may repeat what was sent: the form of errors is open (section
 * 7), and some frameworks do so by default.
 */
function expectWithout(passwords: readonly string[], response: ApiResponse, fact: string): void {
  if (isRejected(response)) return
  const { status, text } = response
  const shown = text.replaceAll('\\/', '/')
  expectThat(
    !passwords.flatMap(formsOf).some((each) => shown.includes(each)),
    fact,
    'no password',
    `${status} ${text}`,
  )
}

/** Of two records with different passwords, a field shows the same placeholder or nothing. A hash would differ. */
function expectSameShown(field: string, records: readonly WireRecord[]): void {
  const [one, other] = records.map((record) => record[field])
  expectThat(
    typeof one !== 'string' || typeof other !== 'string' || one === other,
    `\`${field}\` differs in two records with different passwords, as a hash does`,
    'no value, or the same placeholder in both',
    [one, other],
  )
}

/** The same for a batch that signs up two accounts. */
async function expectNoneInBatch(context: CheckContext, most: Api): Promise<void> {
  if (!context.has('batch') || !context.mayExist('batch')) return
  for (const api of new Set([context.api, most])) {
    const passwords = [context.unique('Secret'), context.unique('Secret')]
    const signUps = passwords.map((password) =>
      signUpBody(context, { email: newEmail(context, 'wire') }, password),
    )
    const { create } = subRequests(api)
    const response = await api.batch(signUps.map((body) => create(context.table('members'), body)))
    expectWithout(passwords, response, 'the response to a batch contains a password')
    expectNoHashShown([response.body], 'the response to a batch')
    if (response.ok) return
  }
}

/** The same for updates, which are sent last: one that succeeds changes the password. */
async function expectNoneInUpdates(
  context: CheckContext,
  apis: readonly Api[],
  account: { id: string; password: string },
): Promise<void> {
  for (const api of apis) {
    const password = context.unique('Secret')
    // Many servers reject a wrong old password. One that ignores it changes the password, and nothing else.
    const body = passwordBody(context, password, context.unique('NotThePassword'))
    const response = await api.update(context.table('members'), account.id, body)
    const fact = 'the response to an update of an account contains a password'
    expectWithout([password, account.password], response, fact)
  }
}

/**
 * A table may have a field of the type password without being an auth table. That it is one shows in the response to the
 * create, which contains the other fields and not this one.
 */
async function expectFieldHidden(context: CheckContext, most: Api): Promise<void> {
  const { hasTable, make, table, unique } = context
  const field = fieldsOf('everything').find(({ type }) => type === 'password')?.name
  if (!hasTable('everything') || field === undefined) return
  const everything = table('everything')
  const [password, text] = [unique('Secret'), unique('text')]
  const record = await unlessPrevented(() => make(everything, { text, [field]: password }))
  if (record === undefined || record.text !== text || JSON.stringify(record).includes(password)) return
  const other = await unlessPrevented(() => make(everything, { text, [field]: unique('Secret') }))
  if (other !== undefined) expectSameShown(field, [record, other])
  for (const response of [
    await most.view(everything, record.id),
    await listById(context, most, everything, record.id),
  ])
    expectWithout([password], response, 'a response contains the value of a password field')
}

/** Verified where a superuser can have it so: then it can sign in wherever that is asked for. */
async function newMember(context: CheckContext, email: string, password: string): Promise<WireRecord> {
  const signUp = (fields: Body) =>
    context.make(context.table('members'), signUpBody(context, { email, ...fields }, password))
  const verified = context.knows('superuser')
    ? await unlessPrevented(() => signUp({ verified: true }))
    : undefined
  return verified ?? signUp({})
}

/** Sign-ins and proofs that are wrong: a message that says why must not quote what is stored. They are sent last, and few. */
async function expectNoHash(context: CheckContext, account: Account): Promise<void> {
  const { api, has, mayExist } = context
  const { table, email } = account
  const attempts: Record<string, () => Promise<ApiResponse | undefined>> = {
    'a sign-in with a wrong password': () => byPassword(context, { ...account, password: OTHER_PASSWORD }),
    'a reset with a wrong proof': async () =>
      mayExist('confirmPasswordReset') ? confirmReset(context, account, NO_PROOF, OTHER_PASSWORD) : undefined,
    'a sign-in with a wrong code': async () =>
      has('otp') && mayExist('authWithOtp')
        ? api.authWithOtp(table, { otpId: NO_PROOF, password: '000000' })
        : undefined,
    'a request for a password reset': async () =>
      has('mail') && mayExist('requestPasswordReset')
        ? api.requestPasswordReset(table, { email })
        : undefined,
  }
  for (const [what, attempt] of Object.entries(attempts)) {
    const response = await unlessTooMany(attempt())
    const hash = response && hashShown(response)
    expectThat(hash === undefined, `the response to ${what} contains the hash of a password`, 'none', hash)
  }
}

check('wire.no-secrets', async (context) => {
  const { api, table, unique } = context
  const members = table('members')
  const [password, email] = [unique('Secret'), newEmail(context, 'wire')]
  const member = await newMember(context, email, password)
  const signedIn = await api.authWithPassword(members, { identity: email, password })
  const most = ablest(context)
  for (const response of [
    signedIn,
    await api.view(members, member.id),
    await most.view(members, member.id),
    await most.list(members),
  ])
    expectWithout([password], response, 'a response contains a password')
  expectThat(
    !JSON.stringify(member).includes(password),
    'the created record contains its password',
    'no password',
  )
  const other = await newMember(context, newEmail(context, 'wire'), unique('Secret'))
  const { password: field } = passwordNames(context)
  expectSameShown(field, [member, other])
  const views = [await most.view(members, member.id), await most.view(members, other.id)]
  if (views.every(({ ok }) => ok)) expectSameShown(field, views.map(objectBody) as WireRecord[])
  await expectNoneInBatch(context, most)
  await expectNoHashExpanded(context, most)
  await expectFieldHidden(context, most)
  const token = sessionToken(signedIn)
  const own = token === undefined ? [] : [api.withToken(token, 'user')]
  await expectNoneInUpdates(context, [...own, most], { id: member.id, password })
  const account = { table: members, record: member, id: member.id, email, password }
  await expectNoHash(context, account)
  nothingSeen(context)
})

check('wire.json-bodies', everyExchange)
check('wire.json-errors', everyExchange)
check('wire.no-empty-success', everyExchange)
check('wire.json-media-type', everyExchange)
check('wire.no-5xx', everyExchange)
