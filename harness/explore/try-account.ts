/**
 * Tries what a guest and a fresh account may do in an auth table: sign up, and view, update and delete oneself.
 *
 * @module
 */

import { objectsOf } from '../../exchange/json-object.ts'
import { BlockedError, ExpectationError, isRejected } from '../judging/expect.ts'
import type { ApiResponse } from '../vocabulary/api.ts'
import type { CleanUp } from '../vocabulary/session.ts'
import type { TableRef } from '../vocabulary/target.ts'
import type { Wire } from '../vocabulary/wire.ts'
import { shownResponse, trySignUp } from './sign-up.ts'

/** What an exploration found out about the accounts of a table. */
export interface TriedTable {
  /** A guest signs up and in. */
  signsUp: boolean
  /** What there is to say of it, in a line. */
  note: string
  /** How a password was rejected that needs a second factor. */
  secondFactor?: string
}

/** Signs up as a guest does, and finds out what the account may do with itself. */
export async function tryAccount(
  session: Wire & CleanUp,
  members: TableRef,
  unique: (prefix?: string) => string,
): Promise<TriedTable> {
  const mark = session.cleanup.mark()
  const signUp = { signsUp: true, note: `guests may sign up in ${members.name}` }
  const confirms = session.binding['signUp.passwordConfirm'] !== ''
  try {
    const result = await trySignUp(session, members, `${unique('account')}@example.com`)
    if ('problem' in result && hasMfaId(result.problem)) {
      const secondFactor = shownResponse(result.problem)
      return {
        signsUp: false,
        note: `${members.name} needs a second factor after the password (${secondFactor}): the checks that sign in with a password alone need another table`,
        secondFactor,
      }
    }
    if ('problem' in result)
      return {
        signsUp: false,
        note: `${members.name} rejects ${isSignUp(result.problem) ? 'a sign-up' : 'a sign-in'} with email and password (${shownResponse(result.problem)}): ${accountsText(session, result.problem)}`,
      }
    if (confirms && session.binding['signUp.passwordConfirm'] === '')
      signUp.note += ', with the password once ("binding": { "signUp.passwordConfirm": "" })'
    const { id, token } = result.account
    if (id === undefined) return signUp
    const api = session.api('guest').withToken(token, 'account')
    // If a guest sees the account, a 404 for a guest shows later that it is gone.
    await session.api('guest').view(members, id)
    const accepted: string[] = []
    const actions: [string, () => Promise<ApiResponse>][] = [
      ['view', () => api.view(members, id)],
      ['update', () => api.update(members, id, {})],
      ['delete', () => api.delete(members, id)],
    ]
    for (const [action, request] of actions) if (!isRejected(await request())) accepted.push(action)
    const itself = accepted.length === 0 ? 'do nothing with' : new Intl.ListFormat('en-GB').format(accepted)
    return { ...signUp, note: `${signUp.note}; an account may ${itself} itself` }
  } catch (error) {
    // The checks report what the server does wrong.
    if (error instanceof ExpectationError || error instanceof BlockedError)
      return { ...signUp, signsUp: false }
    throw error
  } finally {
    await session.cleanup.cleanTo(mark)
  }
}

/** What a rejected sign-up or sign-in means for the run. */
function accountsText({ actors }: Wire, problem: ApiResponse): string {
  if (!isSignUp(problem)) return 'the checks that need an account cannot run'
  // Such a status is about the body.
  if (problem.status === 400 || problem.status === 422)
    return 'the checks that need an account cannot run; if it requires other keys, add them in a target file: "binding": { "body.signUp": "{\\"key\\": \\"value\\"}" }'
  return actors.knows('superuser')
    ? 'the superuser creates the accounts that the checks need'
    : 'the checks that need an account cannot run'
}

/** The first step of two (document, section 4.2). */
function hasMfaId({ body }: ApiResponse): boolean {
  return objectsOf(body).some(({ mfaId }) => typeof mfaId === 'string' && mfaId !== '')
}

function isSignUp({ exchange }: ApiResponse): boolean {
  return exchange.operation === 'createRecord'
}
