/**
 * Commands of a sequence that an email confirms: verification, password reset, change of the address (document 4.2).
 * What they do to the sessions of the record is left open; those of other records, and every password but the one that
 * is reset, stay as they are.
 *
 * @module
 */

import { UntestableError } from '../../../harness/judging/expect.ts'
import type { CheckContext } from '../../../harness/vocabulary/check.ts'
import { type Account, newAccount, newEmail, type SignedIn, signedIn } from '../../shared/auth/accounts.ts'
import {
  changeToken,
  confirmChange,
  confirmReset,
  confirmVerification,
  flowToken,
} from '../../shared/auth/email-flows.ts'
import { type Act, as, expectCredentials, type NamedAct, newPassword } from './sequence-act.ts'
import { pickPerson, type SequenceModel, type SequencePerson } from './sequence-model.ts'

/** Emails in one sequence: each takes a while. */
const mostEmails = 2

/** One whose turn it is to get an email. */
function nextOf(model: SequenceModel, people: SequencePerson[], choice: number): SequencePerson | undefined {
  return model.emails < mostEmails ? pickPerson(people, choice) : undefined
}

const resetPassword: Act = async (model, context, choice) => {
  const person = nextOf(model, model.living(), choice)
  if (person === undefined) return
  model.emails += 1
  const password = newPassword(choice + 100)
  if (!(await isReset(context, person, password))) return
  person.verified = true
  await expectCredentials(model, context, person, { password })
}

const changeEmail: Act = async (model, context, choice) => {
  const person = nextOf(
    model,
    model.present().filter(({ known }) => known),
    choice,
  )
  if (person?.token === undefined) return
  model.emails += 1
  const { token } = person
  const email = newEmail(context)
  if (!(await isChanged(context, { ...person, token, api: as(context, token) }, email))) return
  person.verified = true
  await expectCredentials(model, context, person, { email })
}

const verify: Act = async (model, context, choice) => {
  const person = nextOf(
    model,
    model.living().filter(({ verified }) => !verified),
    choice,
  )
  if (person === undefined) return
  model.emails += 1
  if (!(await isVerified(context, person))) return
  person.verified = true
  model.renew(person)
}

async function isReset(context: CheckContext, account: Account, password: string): Promise<boolean> {
  const token = await flowToken(context, 'password-reset', account)
  return (await confirmReset(context, account, token, password)).ok
}

async function isChanged(context: CheckContext, session: SignedIn, email: string): Promise<boolean> {
  const token = await changeToken(context, session, email)
  return (await confirmChange(context, session, token)).ok
}

async function isVerified(context: CheckContext, account: Account): Promise<boolean> {
  const token = await flowToken(context, 'verification', account)
  return (await confirmVerification(context, account, token)).ok
}

/** Those commands of the three that a target can do at all: that it can is a requirement of its own. */
export function offeredEmails(context: CheckContext): Promise<NamedAct[]> {
  const ways: [NamedAct, () => Promise<boolean>][] = [
    [
      ['resetPassword', resetPassword],
      async () => isReset(context, await newAccount(context), newPassword(0)),
    ],
    [
      ['changeEmail', changeEmail],
      async () => isChanged(context, await signedIn(context), newEmail(context)),
    ],
    [['verify', verify], async () => isVerified(context, await newAccount(context))],
  ]
  return context.once('commands of sequences that are confirmed by email', async () => {
    const offered: NamedAct[] = []
    for (const [act, isOffered] of ways) if (await unlessUntestable(isOffered)) offered.push(act)
    return offered
  })
}

async function unlessUntestable(isOffered: () => Promise<boolean>): Promise<boolean> {
  try {
    return await isOffered()
  } catch (error) {
    if (error instanceof UntestableError) return false
    throw error
  }
}
