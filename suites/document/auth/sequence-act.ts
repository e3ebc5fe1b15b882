/** The type of the commands in a sequence, and helpers that several of them share. */

import type { Api } from '../../../harness/vocabulary/api.ts'
import type { CheckContext } from '../../../harness/vocabulary/check.ts'
import type { Account } from '../../shared/auth/accounts.ts'
import { expectNoToken, expectSignedIn } from '../../shared/auth/expect-session.ts'
import { sessionIn } from '../../shared/auth/session-in.ts'
import { byPassword } from '../../shared/auth/sessions.ts'
import { pick } from '../../shared/pick.ts'
import type { SequenceModel, SequencePerson } from './sequence-model.ts'

/** Sends something, judges it by the model, and changes the model. `choice` is any natural number. */
export type Act = (model: SequenceModel, context: CheckContext, choice: number) => Promise<void>

/** A command with the name that a counterexample shows. */
export type NamedAct = [name: string, act: Act]

/** Maximum number of emails in one sequence: each takes a while. */
const mostEmails = 4

/** Chooses the person who gets the next email. Undefined once the sequence has requested the maximum number. */
export function forEmail<Person extends SequencePerson>(
  model: SequenceModel,
  people: readonly Person[],
  choice: number,
): Person | undefined {
  const person = model.emails < mostEmails ? pick(people, choice) : undefined
  if (person !== undefined) model.emails += 1
  return person
}

/** Maximum number of wrong credentials that are tried for one account. */
export const mostWrong = 2

export const as = ({ api }: CheckContext, token: string): Api => api.withToken(token, 'user')

/**
 * Credentials may have been changed. How that is done is left open, so a sign-in shows whether they were. If so, the
 * earlier ones are dead.
 */
export async function expectCredentials(
  model: SequenceModel,
  context: CheckContext,
  person: SequencePerson,
  now: Partial<Pick<Account, 'email' | 'password'>>,
): Promise<void> {
  const [before, after] = [{ ...person }, { ...person, ...now }]
  const what = Object.keys(now).join(' and ')
  model.renew(person)
  const response = await byPassword(context, after)
  person.known = response.ok && sessionIn(response).token !== undefined
  if (!person.known) return
  Object.assign(person, now)
  model.renew(person, expectSignedIn(response, person, `the new ${what}`))
  const same = before.password === after.password && before.email === after.email
  if (same || person.wrong >= mostWrong) return
  person.wrong += 1
  expectNoToken(await byPassword(context, before), `the ${what} before the current one`)
}
