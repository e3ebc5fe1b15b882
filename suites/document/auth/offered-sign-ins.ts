/**
 * Commands of a sequence for the other ways to sign in: a one-time code, a provider, two factors (document 4.2, 5). A
 * code that was just emailed is alive, and dead once it was used; in between, what ends it is left open.
 *
 * @module
 */

import { expectThat } from '../../../harness/judging/expect.ts'
import type { CheckContext } from '../../../harness/vocabulary/check.ts'
import { type MfaId, mfaIdIn } from '../../../harness/wire/mfa-id.ts'
import { PASSWORD } from '../../shared/auth/accounts.ts'
import { byOtp, newOtp } from '../../shared/auth/email-flows.ts'
import { expectAccepted, expectNoSession, expectNoToken } from '../../shared/auth/expect-session.ts'
import { admittedPerson, byProvider } from '../../shared/auth/oauth.ts'
import { sessionIn } from '../../shared/auth/session-in.ts'
import { accountToSignIn, byPassword, isVerifiedFirst } from '../../shared/auth/sessions.ts'
import { pick } from '../../shared/pick.ts'
import { offeredOf, type Way } from './offered-of.ts'
import { type Act, forEmail, type NamedAct } from './sequence-act.ts'
import { newSequencePerson, type SequencePerson } from './sequence-model.ts'

const signInByCode: Act = async (model, context, choice) => {
  const members = model.living().filter(({ known, table }) => known && table.role === 'members')
  const person = forEmail(model, members, choice)
  if (person === undefined) return
  if (!person.verified && (await isVerifiedFirst(context, 'members'))) return
  const otp = await newOtp(context, person)
  const response = await byOtp(context, person, otp)
  expectAccepted(response, person, 'a sign-in by a code that was just emailed')
  model.renew(person, sessionIn(response).token)
  model.usedCodes.push({ table: person.table, otp })
  // The first proof of an address may end a password that anyone could have set.
  if (!person.verified) person.known = false
  person.verified = true
}

const reuseCode: Act = async (model, context, choice) => {
  const used = pick(model.usedCodes, choice)
  if (used === undefined) return
  const response = await byOtp(context, used, used.otp)
  await expectNoSession(context, used.table, response, 'a code that has signed in before')
}

/** A new person, or one who came from the provider before and must get the same record again. */
const signInByProvider: Act = async (model, context, choice) => {
  const comers = model.living().filter(({ provider }) => provider !== undefined)
  const person = choice % 2 === 0 ? undefined : pick(comers, choice)
  const account = person?.provider ?? (await admittedPerson(context))
  const response = await byProvider(context, account)
  if (person !== undefined) {
    expectAccepted(response, person, 'another sign-in through the provider')
    return model.renew(person, sessionIn(response).token)
  }
  const { token, recordId: id } = sessionIn(response)
  if (!response.ok || token === undefined || id === undefined) return
  const isTaken = comers.some((other) => other.id === id)
  expectThat(!isTaken, 'two accounts of the provider sign in as the same record', 'two records', id)
  const table = context.table('oauth')
  const made = { table, record: { id }, id, email: String(account.email), password: PASSWORD }
  model.people.push({ ...newSequencePerson(made), known: false, provider: account, token })
}

/** A person who has given the first of two factors. The first time, a new person. */
async function halfway(
  ...[model, context, choice]: Parameters<Act>
): Promise<(SequencePerson & { mfaId: MfaId }) | undefined> {
  const known = pick(
    model.living().filter(({ table }) => table.role === 'mfa'),
    choice,
  )
  const person = known ?? { ...newSequencePerson(await accountToSignIn(context, 'mfa')), known: false }
  if (known === undefined) model.people.push(person)
  const response = await byPassword(context, person)
  expectNoToken(response, 'the first of two factors')
  const mfaId = mfaIdIn(response)
  return mfaId === undefined ? undefined : Object.assign(person, { mfaId })
}

const signInByTwoFactors: Act = async (model, context, choice) => {
  const person = await halfway(model, context, choice)
  if (person === undefined || forEmail(model, [person], 0) === undefined) return
  const otp = await newOtp(context, person)
  const response = await byOtp(context, person, otp, { mfaId: person.mfaId })
  expectAccepted(response, person, 'the second of two factors')
  model.renew(person, sessionIn(response).token)
}

const sameFactorTwice: Act = async (model, context, choice) => {
  const person = await halfway(model, context, choice)
  if (person === undefined) return
  const { email: identity, password, table, mfaId } = person
  const response = await context.api.authWithPassword(table, { identity, password, mfaId })
  await expectNoSession(context, table, response, 'the same factor twice')
}

async function codeWorks(context: CheckContext): Promise<boolean> {
  const account = await accountToSignIn(context)
  return (await byOtp(context, account, await newOtp(context, account))).ok
}

async function providerWorks(context: CheckContext): Promise<boolean> {
  return (await byProvider(context, await admittedPerson(context))).ok
}

async function factorsWork(context: CheckContext): Promise<boolean> {
  const account = await accountToSignIn(context, 'mfa')
  const mfaId = mfaIdIn(await byPassword(context, account))
  return mfaId !== undefined && (await byOtp(context, account, await newOtp(context, account), { mfaId })).ok
}

/** Those commands that a target can do at all. */
export function offeredSignIns(context: CheckContext): Promise<NamedAct[]> {
  const codes = context.has('mail') && context.has('otp')
  const ways: Way[] = []
  if (codes)
    ways.push([
      [
        ['signInByCode', signInByCode],
        ['reuseCode', reuseCode],
      ],
      () => codeWorks(context),
    ])
  if (context.has('oauth2') && context.hasTable('oauth'))
    ways.push([[['signInByProvider', signInByProvider]], () => providerWorks(context)])
  if (codes && context.has('mfa') && context.hasTable('mfa'))
    ways.push([
      [
        ['signInByTwoFactors', signInByTwoFactors],
        ['sameFactorTwice', sameFactorTwice],
      ],
      () => factorsWork(context),
    ])
  return offeredOf(context, 'commands of sequences that sign in otherwise', ways)
}
