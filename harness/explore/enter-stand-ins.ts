/**
 * Prepares the callers that replace guests for tables with `as`.
 *
 * @module
 */

import { inWords } from '../../spec/in-words.ts'
import { uniqueIn } from '../ownership/with-mark.ts'
import { credentialHint } from '../session/actors.ts'
import type { CleanUp, RunSettings, TargetFacts } from '../vocabulary/session.ts'
import type { Wire } from '../vocabulary/wire.ts'
import { keptAccount } from './sign-up.ts'

type Exploring = Wire & CleanUp & RunSettings & TargetFacts

/**
 * @param creates whether an account may be signed up
 * @returns notes for the report, one line each
 */
export async function enterStandIns(session: Exploring, creates: boolean): Promise<string[]> {
  const { tables } = session.target
  const without = new Set<string>()
  for (const { name, as: actor } of Object.values(tables)) {
    if (actor === undefined) continue
    const token = actor === 'account' ? await accountOf(session, creates) : await session.actors.token(actor)
    if (token !== undefined) session.standIns.set(name, token)
    else without.add(name)
  }
  // Where no account may be created, a missing one needs no note.
  if (without.size === 0 || !maySignUp(session, creates)) return []
  const names = inWords(without)
  const next = session.actors.knows('superuser')
    ? ''
    : `. A superuser could create one: ${credentialHint('superuser')}`
  return [
    `no new account of ${tables.members?.name} could sign in: requests of guests to ${names} are sent as they are${next}`,
  ]
}

/** @param creates whether this exploration may create records at all */
function maySignUp({ options }: RunSettings, creates: boolean): boolean {
  return creates && options.readOnly !== true
}

/** One account for all tables. */
async function accountOf(session: Exploring, creates: boolean): Promise<string | undefined> {
  const { tables } = session.target
  if (tables.members === undefined || !maySignUp(session, creates)) return undefined
  const known = Object.values(tables).find(
    ({ name, as: actor }) => actor === 'account' && session.standIns.has(name),
  )
  if (known !== undefined) return session.standIns.get(known.name)
  return (await keptAccount(session, tables.members, uniqueIn(session, 'explore')))?.token
}
