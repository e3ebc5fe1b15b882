/**
 * What a command of the model is: when it is possible, what it does to server and model at once.
 *
 * @module
 */

import type { AsyncCommand } from 'fast-check'
import { expectThat } from '../../../harness/judging/expect.ts'
import type { ApiResponse } from '../../../harness/vocabulary/api.ts'
import type { CheckContext } from '../../../harness/vocabulary/check.ts'
import type { AuthModel, Person } from './auth-model.ts'
import { sessionToken } from './session-in.ts'

export type AuthCommand = AsyncCommand<AuthModel, CheckContext>
export type CommandAct = (model: AuthModel, context: CheckContext, choice: number) => Promise<void>

/** A command by name; `choice` says which of the things that there are it is about. */
export function command(
  name: string,
  possible: (model: Readonly<AuthModel>) => boolean,
  act: CommandAct,
): (choice: number) => AuthCommand {
  return (choice) => ({
    check: (model) => possible(model),
    run: (model, context) => act(model as AuthModel, context, choice),
    toString: () => `${name}(${choice})`,
  })
}

/** The server does what the model says, neither more nor less. */
export function expectOutcome(response: ApiResponse, allowed: boolean, what: string): void {
  expectThat(
    response.ok === allowed,
    `${what} is ${response.ok ? 'accepted' : 'rejected'}`,
    allowed ? 'accepted' : 'rejected',
    `${response.status} ${response.text}`,
  )
}

/** Keeps the session that a response returned. */
export function keep(model: AuthModel, person: Person, response: ApiResponse): void {
  const token = sessionToken(response)
  if (token !== undefined) model.sessions.push({ ...model.proof(person), token })
}
