/**
 * What people and attackers do to accounts, as commands that the model judges at once.
 *
 * @module
 */

import fc, { type Arbitrary } from 'fast-check'
import { expectSuccess, expectThat, objectBody } from '../../../harness/judging/expect.ts'
import type { ApiResponse } from '../../../harness/vocabulary/api.ts'
import type { CheckContext } from '../../../harness/vocabulary/check.ts'
import { newAccount, newEmail, passwordBody } from '../../shared/auth/accounts.ts'
import {
  type AuthCommand,
  type CommandAct,
  command,
  expectOutcome,
  keep,
} from '../../shared/auth/auth-command.ts'
import { type AuthModel, newPerson, type OpenCode, type Person } from '../../shared/auth/auth-model.ts'
import { confirmChange, confirmReset, confirmVerification } from '../../shared/auth/confirm-flows.ts'
import { byOtp, changeToken, flowToken, newOtp } from '../../shared/auth/email-flows.ts'
import { createKey, keyCommands } from '../../shared/auth/key-commands.ts'
import { sessionToken } from '../../shared/auth/session-in.ts'
import { byPassword, isAlive, withSession } from '../../shared/auth/sessions.ts'
import { signInByProvider } from '../../shared/auth/sign-in-by-provider.ts'
import { pick } from '../../shared/pick.ts'

const someone = (model: Readonly<AuthModel>) => model.living().length > 0
const passwordOf = (n: number) => `secret number ${n} of the model`

const signUp =
  (role: Person['role']): CommandAct =>
  async (model, context) => {
    model.people.push(newPerson(await newAccount(context, role), role))
  }

const signIn: CommandAct = async (model, context, choice) => {
  const person = pick(model.people, choice)
  if (person === undefined) return
  const response = await byPassword(context, person)
  const possible = !person.deleted && !person.lostPassword
  if (person.role !== 'mfa' || !possible) {
    expectOutcome(
      response,
      possible,
      `a password sign-in of a ${person.deleted ? 'deleted' : 'living'} record`,
    )
    return keep(model, person, response)
  }
  expectThat(
    response.status === 401 && sessionToken(response) === undefined,
    'one of two factors signs in',
    '401',
    response.status,
  )
  const mfaId = String(objectBody(response).mfaId)
  model.factors.push({ ...model.proof(person), mfaId, passwords: person.passwords, used: false })
}

const refresh: CommandAct = async (model, context, choice) => {
  const session = pick(model.sessions, choice)
  if (session === undefined) return
  const response = await context.api.withToken(session.token, 'user').authRefresh(session.person.table)
  expectOutcome(response, model.valid(session), 'a refresh')
  keep(model, session.person, response)
}

const impersonate: CommandAct = async (model, context, choice) => {
  const person = pick(model.people, choice)
  if (person === undefined) return
  const response = await context.api.as('superuser').impersonate(person.table, person.id)
  expectOutcome(response, !person.deleted, 'an impersonation')
  keep(model, person, response)
}

/** By the owner with the old password if there is a session, otherwise by a superuser. */
const changePassword: CommandAct = async (model, context, choice) => {
  const person = pick(model.living(), choice)
  if (person === undefined) return
  const password = passwordOf(choice)
  const session = person.lostPassword
    ? undefined
    : model.sessions.find((each) => each.person === person && model.valid(each))
  const api =
    session === undefined ? context.api.as('superuser') : context.api.withToken(session.token, 'user')
  const old = session === undefined ? undefined : person.password
  const response = await api.update(person.table, person.id, passwordBody(context, password, old))
  expectSuccess(response, 'a password change')
  person.password = password
  person.lostPassword = false
  person.passwords += 1
  person.generation += 1
}

const changeAddress: CommandAct = async (model, context, choice) => {
  const person = pick(model.living(), choice)
  if (person === undefined) return
  const email = newEmail(context)
  expectSuccess(
    await context.api.as('superuser').update(person.table, person.id, { email }),
    'an email change',
  )
  person.email = email
  person.generation += 1
}

const remove: CommandAct = async (model, context, choice) => {
  const person = pick(model.living(), choice)
  if (person === undefined) return
  expectSuccess(await context.api.as('superuser').delete(person.table, person.id), 'a delete')
  person.deleted = true
}

const askCode: CommandAct = async (model, context, choice) => {
  const person = pick(
    model.living().filter(({ role }) => role !== 'oauth'),
    choice,
  )
  if (person === undefined || model.codes.filter((code) => code.person === person).length >= 8) return
  model.codes.push({ ...model.proof(person), ...(await newOtp(context, person)), used: false })
}

/** What a right code does to its record. */
function spend(code: OpenCode, response: ApiResponse, model: AuthModel): void {
  const { person } = code
  code.used = true
  if (!person.verified && person.role !== 'mfa') {
    // The address was not verified: the password is replaced by one that no one knows.
    person.generation += 1
    person.password = `unknown ${code.otpId}`
    person.lostPassword = true
  }
  person.verified = true
  keep(model, person, response)
}

const useCode: CommandAct = async (model, context, choice) => {
  const code = pick(model.codes, choice)
  if (code === undefined || code.person.attempts >= 5) return
  const { person } = code
  const usable = model.usable(code)
  const factor =
    person.role === 'mfa'
      ? pick(
          model.factors.filter((each) => each.person === person),
          choice,
        )
      : undefined
  const response = await byOtp(context, person, code, factor === undefined ? {} : { mfaId: factor.mfaId })
  if (usable) person.attempts += 1
  const allowed = usable && (person.role !== 'mfa' || (factor !== undefined && model.counts(factor)))
  expectThat(
    (sessionToken(response) !== undefined) === allowed,
    `a code ${allowed ? 'does not sign in' : 'signs in'}`,
    allowed ? 'a token' : 'none',
    `${response.status}`,
  )
  if (!usable) return
  spend(code, response, model)
  if (factor !== undefined && allowed) factor.used = true
}

/** The code of one person in the name of another: by the identifier that belongs to the other. */
const swapCodes: CommandAct = async (model, context, choice) => {
  const [mine, theirs] = [pick(model.codes, choice), pick(model.codes, choice + 1)]
  if (
    mine === undefined ||
    theirs === undefined ||
    mine.person === theirs.person ||
    mine.code === theirs.code
  )
    return
  if (mine.person.attempts >= 5) return
  const response = await byOtp(context, mine.person, { otpId: mine.otpId, code: theirs.code })
  if (model.usable(mine)) mine.person.attempts += 1
  expectOutcome(response, false, 'the code of another account')
}

const mailFlow =
  (flow: 'verification' | 'password-reset'): CommandAct =>
  async (model, context, choice) => {
    const person = pick(model.living(), choice)
    if (person === undefined || person.requested.has(flow) || (flow === 'verification' && person.verified))
      return
    person.requested.add(flow)
    const token = await flowToken(context, flow, person)
    model.mails.push({ ...model.proof(person), kind: flow, token, to: '' })
  }

const askChange: CommandAct = async (model, context, choice) => {
  const session = pick(
    model.sessions.filter((each) => model.valid(each)),
    choice,
  )
  if (session === undefined) return
  const { person, token } = session
  const to = newEmail(context)
  const emailed = await changeToken(context, withSession(context, person, token), to)
  model.mails.push({ ...model.proof(person), kind: 'email-change', token: emailed, to })
}

const confirm: CommandAct = async (model, context, choice) => {
  const mail = pick(model.mails, choice)
  if (mail === undefined) return
  const { person, kind, token } = mail
  const valid = model.valid(mail)
  if (kind === 'verification') {
    expectOutcome(await confirmVerification(context, person, token), valid, 'a verification')
    if (valid) person.verified = true
    return
  }
  const password = passwordOf(choice + 100)
  if (kind === 'password-reset') {
    expectOutcome(await confirmReset(context, person, token, password), valid, 'a reset')
    if (!valid) return
    person.password = password
    person.lostPassword = false
    person.passwords += 1
  } else {
    const known = valid && !person.lostPassword
    expectOutcome(await confirmChange(context, person, token), known, 'an email change')
    if (!known) return
    person.email = mail.to
  }
  person.verified = true
  person.generation += 1
}

const pass: CommandAct = async (model, context) => {
  await context.clock.pass(11)
  model.now += 11
}

/** Exactly the sessions that the model calls alive are accepted. */
export async function expectSessions(model: AuthModel, context: CheckContext): Promise<void> {
  for (const session of model.sessions) {
    const alive = await isAlive(context, { table: session.person.table, token: session.token })
    const wanted = model.valid(session)
    expectThat(
      alive === wanted,
      `a token is ${alive ? 'accepted' : 'rejected'}`,
      wanted ? 'accepted' : 'rejected',
      `${session.person.role}, generation ${session.generation} of ${session.person.generation}`,
    )
  }
}

/** What a target can do beyond what every target of the model can. */
export interface Offered {
  /** Its clock can be moved: otherwise no time passes. */
  time: boolean
  /** It makes API keys, and revokes them. */
  keys: boolean
  /** It trusts the identity provider. */
  provider: boolean
}

/** Before every sequence: accounts of each kind, a session and a key, so that there is something to do. */
export function beginning({ keys, provider }: Offered): AuthCommand[] {
  const first = [
    command('signUpWithTwoFactors', () => true, signUp('mfa')),
    command('signUp', () => true, signUp('members')),
    command('signIn', someone, (model, context) => signIn(model, context, 1)),
    ...(keys ? [command('createKey', () => true, createKey)] : []),
    ...(provider ? [command('signUpForProvider', () => true, signUp('oauth'))] : []),
  ]
  return first.map((make) => make(0))
}

/** Arbitraries of the commands, for `fc.commands`. */
export function authCommands({ time, keys, provider }: Offered): Arbitrary<AuthCommand>[] {
  const choice = fc.nat({ max: 20 })
  const codes = (model: Readonly<AuthModel>) => model.codes.length > 0
  const made = [
    command('signUp', () => true, signUp('members')),
    command('signUpWithTwoFactors', () => true, signUp('mfa')),
    command('signIn', someone, signIn),
    command('signIn', someone, signIn),
    command('refresh', (model) => model.sessions.length > 0, refresh),
    command('impersonate', someone, impersonate),
    command('changePassword', someone, changePassword),
    command('changeAddress', someone, changeAddress),
    command('remove', someone, remove),
    command('askCode', someone, askCode),
    command('useCode', codes, useCode),
    command('useCode', codes, useCode),
    command('swapCodes', codes, swapCodes),
    command('askVerification', someone, mailFlow('verification')),
    command('askReset', someone, mailFlow('password-reset')),
    command('askChange', (model) => model.sessions.length > 0, askChange),
    command('confirm', (model) => model.mails.length > 0, confirm),
    command('confirm', (model) => model.mails.length > 0, confirm),
    ...(keys ? keyCommands : []),
    ...(provider
      ? [
          command('signUpForProvider', () => true, signUp('oauth')),
          command('signInByProvider', () => true, signInByProvider),
          command('signInByProvider', () => true, signInByProvider),
        ]
      : []),
    ...(time
      ? [
          command('signUpForShort', () => true, signUp('shortlived')),
          command('pass', ({ now }) => now < 150, pass),
        ]
      : []),
  ]
  return made.map((make) => choice.map(make))
}
