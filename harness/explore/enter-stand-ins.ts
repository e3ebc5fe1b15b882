/**
 * Prepares the callers that replace guests for tables with `as`.
 *
 * @module
 */

import { inWords } from '../../spec/in-words.ts'
import { uniqueIn } from '../ownership/with-mark.ts'
import { verifiedByEmail } from '../services/verified-by-email.ts'
import { credentialHint } from '../session/actors.ts'
import type { ApiResponse } from '../vocabulary/api.ts'
import type { CleanUp, RunSettings, SessionClock, TargetFacts } from '../vocabulary/session.ts'
import type { TableRef } from '../vocabulary/target.ts'
import type { Wire } from '../vocabulary/wire.ts'
import { confirmLine, confirmWords } from './confirm-names.ts'
import { keptAccount, shownResponse } from './sign-up.ts'

type Exploring = Wire & CleanUp & RunSettings & SessionClock & TargetFacts

/**
 * @param creates whether an account may be signed up
 * @returns notes for the report, one line each
 */
export async function enterStandIns(session: Exploring, creates: boolean): Promise<string[]> {
  const { tables } = session.target
  const without = new Set<string>()
  const before = session.binding
  let problem: ApiResponse | undefined
  const onProblem = (response: ApiResponse) => {
    problem = response
  }
  for (const { name, as: actor } of Object.values(tables)) {
    if (actor === undefined) continue
    const token =
      actor === 'account' ? await accountOf(session, creates, onProblem) : await session.actors.token(actor)
    if (token !== undefined) session.standIns.set(name, token)
    else without.add(name)
  }
  const confirm = confirmWords(before, session.binding)
  const found =
    confirm === undefined
      ? []
      : [
          `new accounts of ${tables.members?.name} are created with ${confirm}: add the line to the target file`,
        ]
  // Where no account may be created, a missing one needs no note.
  if (without.size === 0 || !maySignUp(session, creates)) return found
  const names = inWords(without)
  const next = session.actors.knows('superuser')
    ? ''
    : `. A superuser could create one: ${credentialHint('superuser')}`
  const line = problem && confirmLine(session.target, problem)
  const why = problem === undefined ? '' : ` (${shownResponse(problem)})`
  const name =
    line === undefined ? '' : `. For another name of the second password, or none: target file: ${line}`
  return [
    ...found,
    `no new account of ${tables.members?.name} could sign in${why}: requests of guests to ${names} are sent as they are${name}${next}`,
  ]
}

/** @param creates whether this exploration may create records at all */
function maySignUp({ options }: RunSettings, creates: boolean): boolean {
  return creates && options.readOnly !== true
}

/** One account for all tables. */
async function accountOf(
  session: Exploring,
  creates: boolean,
  onProblem: (response: ApiResponse) => void,
): Promise<string | undefined> {
  const { tables } = session.target
  if (tables.members === undefined || !maySignUp(session, creates)) return undefined
  const known = Object.values(tables).find(
    ({ name, as: actor }) => actor === 'account' && session.standIns.has(name),
  )
  if (known !== undefined) return session.standIns.get(known.name)
  const verify = (table: TableRef, email: string) => verifiedByEmail(session, table, email)
  return (await keptAccount(session, tables.members, uniqueIn(session, 'explore'), { onProblem, verify }))
    ?.token
}
