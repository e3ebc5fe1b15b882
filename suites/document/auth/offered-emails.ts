/**
 * Commands of a sequence that an email confirms: verification, password reset, change of the address (document 4.2).
 * What they do to the sessions of the record is left open; those of other records, and every password but the one that
 * is reset, stay as they are.
 *
 * @module
 */

import { objectBody } from '../../../harness/judging/expect.ts'
import type { CheckContext } from '../../../harness/vocabulary/check.ts'
import { type Account, newAccount, newEmail, OTHER_PASSWORD } from '../../shared/auth/accounts.ts'
import { confirmChange, confirmReset, confirmVerification } from '../../shared/auth/confirm-flows.ts'
import { changeToken, flowToken } from '../../shared/auth/email-flows.ts'
import { accountByPassword, type SignedIn, signedIn } from '../../shared/auth/sessions.ts'
import { offeredOf } from './offered-of.ts'
import { type Act, as, expectCredentials, forEmail, type NamedAct } from './sequence-act.ts'

const resetPassword: Act = async (model, context, choice) => {
  const person = forEmail(model, model.byPassword(), choice)
  if (person === undefined) return
  const password = model.newPassword()
  if (!(await isReset(context, person, password))) return
  person.verified = true
  await expectCredentials(model, context, person, { password })
}

const changeEmail: Act = async (model, context, choice) => {
  const person = forEmail(
    model,
    model.present().filter(({ known }) => known),
    choice,
  )
  if (person === undefined) return
  const { token } = person
  const email = newEmail(context)
  if (!(await isChanged(context, { ...person, token, api: as(context, token) }, email))) return
  person.verified = true
  await expectCredentials(model, context, person, { email })
}

const verify: Act = async (model, context, choice) => {
  const person = forEmail(
    model,
    model.byPassword().filter(({ verified }) => !verified),
    choice,
  )
  if (person === undefined) return
  if (!(await isVerified(context, person))) return
  person.verified = true
  model.renew(person)
}

/** Whether an account is verified although no one has verified it: the document does not say what verifies it (3). */
async function isBornVerified(context: CheckContext, { record, table, id }: Account): Promise<boolean> {
  if (record.verified !== undefined || !context.knows('superuser')) return record.verified === true
  return objectBody(await context.api.as('superuser').view(table, id)).verified === true
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
  // Such an account may get no email.
  if (await isBornVerified(context, account)) return false
  const token = await flowToken(context, 'verification', account)
  return (await confirmVerification(context, account, token)).ok
}

/** Those commands of the three that a target can do at all. */
export function offeredEmails(context: CheckContext): Promise<NamedAct[]> {
  return offeredOf(context, 'commands of sequences that are confirmed by email', [
    [
      [['resetPassword', resetPassword]],
      async () => isReset(context, await accountByPassword(context), OTHER_PASSWORD),
    ],
    [
      [['changeEmail', changeEmail]],
      async () => isChanged(context, await signedIn(context), newEmail(context)),
    ],
    [[['verify', verify]], async () => isVerified(context, await newAccount(context))],
  ])
}
