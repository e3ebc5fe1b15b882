/**
 * Prepares the callers that replace guests for tables with `as`.
 *
 * @module
 */

import { uniqueIn } from '../ownership/with-mark.ts'
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
  const notes: string[] = []
  for (const { name, as: actor } of Object.values(tables)) {
    if (actor === undefined) continue
    const token = actor === 'account' ? await accountOf(session, creates) : await session.actors.token(actor)
    if (token !== undefined) session.standIns.set(name, token)
    else
      notes.push(
        creates && session.options.readOnly !== true
          ? `no account could be signed up in ${tables.members?.name}: requests of guests to ${name} are sent as they are`
          : `no account is signed up for requests of guests to ${name}: they are sent as they are`,
      )
  }
  return notes
}

/** One account for all tables. */
async function accountOf(session: Exploring, creates: boolean): Promise<string | undefined> {
  const { tables } = session.target
  if (tables.members === undefined || !creates || session.options.readOnly === true) return undefined
  const known = Object.values(tables).find(
    ({ name, as: actor }) => actor === 'account' && session.standIns.has(name),
  )
  if (known !== undefined) return session.standIns.get(known.name)
  return (await keptAccount(session, tables.members, uniqueIn(session, 'explore')))?.token
}
