/**
 * What happens to accounts, tokens and keys, as commands that the model judges. A request whose success the document
 * does not promise, or that a server may reject, changes the model only if it succeeds.
 *
 * @module
 */

import fc, { type Arbitrary, type AsyncCommand } from 'fast-check'
import { isObject } from '../../../exchange/json-object.ts'
import { expectThat } from '../../../harness/judging/expect.ts'
import { isReusable } from '../../../harness/ownership/holds-proof.ts'
import type { ApiResponse } from '../../../harness/vocabulary/api.ts'
import type { CheckContext } from '../../../harness/vocabulary/check.ts'
import { ablest } from '../../shared/auth/ablest.ts'
import { newAccount, PASSWORD, passwordBody, signUpBody } from '../../shared/auth/accounts.ts'
import { showsRecord } from '../../shared/auth/does.ts'
import { byOtp } from '../../shared/auth/email-flows.ts'
import { expectRefreshOffered } from '../../shared/auth/expect-refresh-offered.ts'
import {
  expectAccepted,
  expectDead,
  expectNoSession,
  expectNoToken,
  expectSignedIn,
  refreshedIfPossible,
} from '../../shared/auth/expect-session.ts'
import { offersKeys } from '../../shared/auth/key-commands.ts'
import { sessionIn } from '../../shared/auth/session-in.ts'
import { byPassword, firstSignIn, ownedBy, signedIn } from '../../shared/auth/sessions.ts'
import { tamperings } from '../../shared/auth/tampering.ts'
import { pick } from '../../shared/pick.ts'
import { unlessPrevented } from '../../shared/unless-prevented.ts'
import { offeredEmails } from './offered-emails.ts'
import { offeredSignIns } from './offered-sign-ins.ts'
import { offeredWrites, updateName } from './offered-writes.ts'
import { type Act, as, expectCredentials, mostWrong, type NamedAct } from './sequence-act.ts'
import { isByPassword, newSequencePerson, type SequenceModel, type SequencePerson } from './sequence-model.ts'

type Model = SequenceModel

const signUp =
  (role: string): Act =>
  async (model, context) => {
    model.people.push(newSequencePerson(await newAccount(context, role)))
  }

/** A new person with the address of a deleted account: not the same person as before. */
const signUpAgain: Act = async (model, context, choice) => {
  const gone = pick(
    model.people.filter((person) => person.deleted && isByPassword(person)),
    choice,
  )
  if (gone === undefined || model.living().some(({ email }) => email === gone.email)) return
  const api = ablest(context)
  const response = await api.create(gone.table, signUpBody(context, { email: gone.email }))
  if (!response.ok) return
  const record = await context.created(gone.table, response)
  const { table, email, wrong } = gone
  model.people.push({
    ...newSequencePerson({ table, email, record, id: record.id, password: PASSWORD }),
    wrong,
  })
}

/** A sign-in with the current password. Where only verified accounts sign in, this verifies the account. */
async function signInOf(context: CheckContext, person: SequencePerson): Promise<ApiResponse> {
  const response = await firstSignIn(context, person)
  const record = isObject(response.body) ? response.body.record : undefined
  if (isObject(record) && record.verified === true) person.verified = true
  return response
}

const signInAgain: Act = async (model, context, choice) => {
  const person = pick(model.people, choice)
  if (person === undefined) return
  const namesake = model.living().some((other) => other !== person && other.email === person.email)
  if (person.deleted && namesake) return
  if (person.deleted ? person.wrong >= mostWrong : !person.known) return
  if (person.deleted) person.wrong += 1
  const response = await (person.deleted ? byPassword : signInOf)(context, person)
  if (person.deleted) return expectNoToken(response, 'the password of a deleted record')
  model.renew(person, expectSignedIn(response, person, 'the password of a record'))
}

const signInWrongly: Act = async (model, context, choice) => {
  const person = pick(model.living(), choice)
  if (person === undefined || person.wrong >= mostWrong) return
  person.wrong += 1
  const theirs = pick(
    model.people.map(({ password }) => password).filter((password) => password !== person.password),
    choice,
  )
  const response = await byPassword(context, { ...person, password: theirs ?? `${person.password}x` })
  expectNoToken(response, 'a wrong password')
}

const refresh: Act = async (model, context, choice) => {
  const person = pick(model.present(), choice)
  if (person === undefined) return
  const response = await as(context, person.token).authRefresh(person.table)
  await expectRefreshOffered(context, person.table, response)
  expectAccepted(response, person, 'a refresh with the newest token')
  model.renew(person, sessionIn(response).token)
}

const alter: Act = async (model, context, choice) => {
  const person = pick(model.present(), choice)
  if (person === undefined) return
  const [how, token] = pick(tamperings(person.token), choice) ?? ['', '']
  await expectDead(context, { table: person.table, token }, `with ${how}`)
}

const changePassword: Act = async (model, context, choice) => {
  const person = pick(
    model.present().filter(({ known }) => known),
    choice,
  )
  if (person === undefined) return
  const password = model.newPassword()
  const body = passwordBody(context, password, person.password)
  const { ok } = await as(context, person.token).update(person.table, person.id, body)
  if (ok) await expectCredentials(model, context, person, { password })
}

const impersonate: Act = async (model, context, choice) => {
  const person = pick(model.people, choice)
  // Another account may have a short id by then.
  if (person === undefined || (person.deleted && isReusable(person.id))) return
  const response = await context.api.as('superuser').impersonate(person.table, person.id)
  if (person.deleted)
    return expectNoSession(context, person.table, response, 'an impersonation of a deleted record')
  if (!response.ok) return
  expectAccepted(response, person, 'an impersonation')
  // How long the token lasts is not said, nor what it does to the sessions of the record.
  model.renew(person, sessionIn(response).token)
  model.renew(person)
}

const remove: Act = async (model, context, choice) => {
  const person = pick(model.living(), choice)
  if (person === undefined) return
  const own = person.token === undefined ? undefined : as(context, person.token)
  const root = context.knows('superuser') ? context.api.as('superuser') : undefined
  for (const api of [choice % 2 === 0 ? own : undefined, root])
    if (api !== undefined && (await api.delete(person.table, person.id)).ok) {
      model.renew(person)
      person.deleted = true
      return
    }
}

/** A record that one of them owns is seen with the owner's token, and not with another's. */
const lookAround: Act = async (model, context, choice) => {
  const members = model.present().filter(({ table }) => table.role === 'members')
  const mine = pick(members, choice)
  const other = pick(
    model.present().filter(({ id }) => id !== mine?.id),
    choice,
  )
  if (mine === undefined || other === undefined) return
  const owned = context.table('owned')
  const api = as(context, mine.token)
  const { id } = await ownedBy(context, { ...mine, api })
  const own = await api.view(owned, id)
  expectThat(
    own.ok,
    'the newest token of a record does not show the record’s own data',
    'the record',
    own.status,
  )
  const theirs = await as(context, other.token).view(owned, id)
  expectThat(
    !showsRecord(theirs, { id }),
    'the token of one record shows another record’s data',
    'a rejection',
    theirs.text,
  )
}

const createKey: Act = async (model, context) => {
  const key = await context.apiKeys.make({ tables: [context.table('locked')], actions: ['list', 'view'] })
  model.keys.push({ key, revoked: false })
}

const revokeKey: Act = async (model, context, choice) => {
  const open = pick(
    model.keys.filter(({ revoked }) => !revoked),
    choice,
  )
  if (open === undefined) return
  await context.apiKeys.revoke(open.key)
  open.revoked = true
}

/** Tokens that are alive in the model are accepted, and dead ones are not. */
export async function expectModel(model: Model, context: CheckContext): Promise<void> {
  for (const person of model.present()) {
    const response = await as(context, person.token).authRefresh(person.table)
    await expectRefreshOffered(context, person.table, response)
    expectAccepted(
      response,
      person,
      'a refresh with the newest token of a record, after all other operations,',
    )
  }
  for (const { person, token } of model.dead())
    await expectDead(context, { table: person.table, token }, 'after its record was deleted')
  for (const { table, otp } of model.usedCodes)
    await expectNoSession(context, table, await byOtp(context, { table }, otp), 'a code that has signed in')
  for (const person of model.living())
    if (person.known) expectSignedIn(await signInOf(context, person), person, 'the password of a record')
  await expectKeys(model, context, 0)
}

/** A key shows a record until it is revoked. */
const expectKeys: Act = async (model, context) => {
  if (model.keys.length === 0) return
  const locked = context.table('locked')
  const { id } = await context.make(locked, { title: context.unique('locked') })
  for (const { key, revoked } of model.keys) {
    const response = await context.api.withToken(key.key, 'key').view(locked, id)
    const shown = showsRecord(response, { id })
    const what = revoked ? 'a revoked key shows a record' : 'a key that was not revoked shows nothing'
    expectThat(shown !== revoked, what, revoked ? 'a rejection' : 'the record', response.status)
  }
}

/** What a target can do beyond signing in and refreshing. */
interface Offered {
  superuser: boolean
  impersonation: boolean
  keys: boolean
  /** What is confirmed by an email. */
  emails: NamedAct[]
  /** Codes, providers, several factors. */
  signIns: NamedAct[]
  /** Updates, batches, other tables. */
  writes: NamedAct[]
  staff: boolean
  owned: boolean
}

/** Whether another auth table has refreshes, by which the model sees that a token is alive. */
function refreshesStaff(context: CheckContext): Promise<boolean> {
  return context.once(
    'refreshes in another auth table',
    async () => (await refreshedIfPossible(context, 'staff')) !== undefined,
  )
}

/** Whether owners read what they own: who may read a table is left open, and auth.token-header judges the token. */
function ownersRead(context: CheckContext): Promise<boolean> {
  return context.once('whether owners read their records', async () => {
    const response = await unlessPrevented(async () => {
      const me = await signedIn(context)
      return me.api.view(context.table('owned'), (await ownedBy(context, me)).id)
    })
    return response?.ok === true
  })
}

export async function offeredBy(context: CheckContext): Promise<Offered> {
  const superuser = context.knows('superuser')
  return {
    superuser,
    impersonation: superuser && context.has('impersonation'),
    keys: superuser && context.hasTable('locked') && (await offersKeys(context)),
    emails: context.has('mail') ? await offeredEmails(context) : [],
    signIns: await offeredSignIns(context),
    writes: offeredWrites(context),
    staff: await refreshesStaff(context),
    owned: superuser && context.hasTable('owned') && (await ownersRead(context)),
  }
}

type Commands = Arbitrary<AsyncCommand<Model, CheckContext>>[]

/** For `fc.commands`: passwords, keys and what is confirmed by email. */
export function accountCommands(offered: Offered): Commands {
  const acts: NamedAct[] = [
    ...usual,
    ['signIn', signInAgain],
    ['signInWrongly', signInWrongly],
    ['alter', alter],
    ['changePassword', changePassword],
    ['remove', remove],
    ['signUpAgain', signUpAgain],
    ...offered.emails,
  ]
  if (offered.owned) acts.push(['lookAround', lookAround])
  if (offered.impersonation) acts.push(['impersonate', impersonate])
  if (offered.keys) acts.push(['createKey', createKey], ['useKeys', expectKeys], ['revokeKey', revokeKey])
  return acts.map(commandOf)
}

/** The other ways to sign in and to write. */
export function otherCommands(offered: Offered): Commands {
  const acts: NamedAct[] = [...usual, ...offered.signIns, ...offered.writes]
  if (offered.staff) acts.push(['signUpAsStaff', signUp('staff')])
  if (offered.owned) acts.push(['lookAround', lookAround])
  return acts.map(commandOf)
}

/** What every sequence begins and ends sessions with. */
const usual: readonly NamedAct[] = [
  ['signUp', signUp('members')],
  ['signIn', signInAgain],
  ['refresh', refresh],
  ['remove', remove],
]

function commandOf([name, act]: NamedAct): Arbitrary<AsyncCommand<Model, CheckContext>> {
  return fc.nat({ max: 9 }).map((choice) => ({
    check: () => true,
    run: (model: Model, context: CheckContext) => act(model, context, choice),
    toString: () => `${name}(${choice})`,
  }))
}

/** Two people who are signed in: without them most commands do nothing. */
async function begin(model: Model, context: CheckContext): Promise<void> {
  for (const choice of [0, 1]) {
    await signUp('members')(model, context, choice)
    await signInAgain(model, context, choice)
  }
}

/** People whose accounts were updated, one of them in a batch, and one person for each of the other ways. */
export async function beginOtherwise(model: Model, context: CheckContext, offered: Offered): Promise<void> {
  await begin(model, context)
  for (const act of [updateName, signInAgain]) for (const choice of [0, 1]) await act(model, context, choice)
  for (const [, act] of offered.signIns) await act(model, context, 0)
}

/** And a password that was changed, and a key. */
export async function beginWithKey(model: Model, context: CheckContext, offered: Offered): Promise<void> {
  await begin(model, context)
  await changePassword(model, context, 0)
  if (!offered.keys) return
  await createKey(model, context, 0)
  await expectKeys(model, context, 0)
}
