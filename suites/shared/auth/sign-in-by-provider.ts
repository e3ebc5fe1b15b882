/**
 * Sign-in through the identity provider as a command of the model: a person is recognized at the next sign-in even if
 * the address changed, and a record with an unverified address loses it to its owner.
 *
 * @module
 */

import type { CheckContext } from '../../../harness/vocabulary/check.ts'
import { pick } from '../pick.ts'
import { type CommandAct, expectOutcome, keep } from './auth-command.ts'
import { type AuthModel, newPerson, type Person } from './auth-model.ts'
import { expectSignedIn } from './expect-session.ts'
import { byProvider, newProviderPerson as newProviderAccount } from './oauth.ts'
import { signedInId } from './session-in.ts'

/** Whether the target has a table whose people sign in through the identity provider. */
export function offersProvider(context: CheckContext): boolean {
  return context.has('oauth2') && context.mayExist('listAuthMethods') && context.hasTable('oauth')
}

/** The effect on a record that was not linked before: an unverified address may belong to someone else. */
function link(person: Person): void {
  if (person.verified) return
  person.verified = true
  person.generation += 1
  person.passwords += 1
  person.lostPassword = true
}

/** People who may sign in: those with a record, and those whose record was deleted. */
function visitor(model: AuthModel, choice: number): Person | undefined {
  const comers = model.people.filter(
    ({ role, deleted, provider }) => role === 'oauth' && !(deleted && provider === undefined),
  )
  return pick(comers, choice)
}

/** By a person who has, or had, a record there. If there is none, by a new person. */
export const signInByProvider: CommandAct = async (model, context, choice) => {
  const person = visitor(model, choice)
  const account = person?.provider ?? newProviderAccount(context, person && { email: person.email })
  const response = await byProvider(context, account)
  if (person !== undefined && !person.deleted) {
    expectSignedIn(response, person, 'a sign-in through the provider')
    if (person.provider === undefined) link(person)
    person.provider = account
    return keep(model, person, response)
  }
  expectOutcome(response, true, 'a first sign-in through the provider')
  const id = signedInId(response, 'a first sign-in through the provider')
  const made = newPerson(
    {
      table: context.table('oauth'),
      record: { id },
      id,
      email: account.email ?? '',
      password: 'a password that no one knows',
    },
    'oauth',
  )
  Object.assign(made, { verified: true, lostPassword: true, provider: account })
  // The account at the provider is this record's now.
  if (person !== undefined) delete person.provider
  model.people.push(made)
  keep(model, made, response)
}
