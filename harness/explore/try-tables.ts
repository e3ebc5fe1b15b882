/**
 * Tries the tables that an exploration found: the one for `plain` must take a record with one text, and the one for
 * `members` a sign-up. What is created is deleted at once, by the rules of every other record of the run.
 *
 * @module
 */

import { isObject } from '../../exchange/json-object.ts'
import { createdRecord } from '../created-record.ts'
import { ExpectationError, isRejected } from '../judging/expect.ts'
import { uniqueIn } from '../ownership/own-mark.ts'
import type { Body, Reply } from '../vocabulary/api.ts'
import type { CleanUp, Session } from '../vocabulary/session.ts'
import type { TableRef } from '../vocabulary/target.ts'
import type { Wire } from '../vocabulary/wire.ts'
import { usedAs } from './discover.ts'
import { usualTitles } from './fit-field.ts'

/** Tables that are tried before the first one is taken all the same. */
const mostTables = 5
/** Characters of a response that a note shows. */
const mostShown = 160
/** Of the account that is tried; it is deleted at once. */
const PASSWORD = 'an exploring account 1'

type Tables = Readonly<Record<string, TableRef>>

/**
 * The tables with those that took a record, in place of those that only looked right.
 *
 * @param creates whether records may be created
 * @returns the tables, and what there is to say, one line each
 */
export async function tryTables(
  session: Session,
  tables: Tables,
  creates: boolean,
): Promise<{ tables: Record<string, TableRef>; notes: string[] }> {
  const { explored, tables: mapped } = session.target
  if (explored === undefined) return { tables, notes: [] }
  const notes: string[] = []
  const chosen: Record<string, TableRef> = { ...tables }
  const mayWrite = creates && session.options.readOnly !== true
  const unique = uniqueIn(session, 'explore')
  if (mayWrite && mapped.plain !== undefined) {
    const { table, problem } = await firstFitting(session, explored.plain.slice(0, mostTables), unique)
    const plain = table ?? (await fittingAccounts(session, explored.plain.slice(0, mostTables), unique))
    if (plain !== undefined) chosen.plain = plain
    else if (problem !== undefined) notes.push(problem)
    if (plain !== undefined && session.standIn !== undefined)
      notes.push(
        `${plain.name} takes no records from guests: their requests to it are sent as an account that the run signs up in ${mapped.members?.name}`,
      )
  }
  if (mayWrite && mapped.members !== undefined) {
    const problem = await signUpProblem(session, mapped.members, `${unique('account')}@example.com`)
    if (problem !== undefined) notes.push(problem)
  }
  const used = Object.values(chosen).filter(({ role }) => mapped[role] !== undefined)
  if (used.length > 0) notes.unshift(`uses ${used.map(usedAs).join(', ')}`)
  return { tables: chosen, notes }
}

async function firstFitting(
  session: Wire & CleanUp,
  candidates: readonly TableRef[],
  unique: (prefix: string) => string,
): Promise<{ table?: TableRef; problem?: string }> {
  let problem: string | undefined
  for (const candidate of candidates) {
    const known = candidate.fields?.title
    for (const title of known === undefined ? usualTitles : [known]) {
      const table = { ...candidate, fields: { title } }
      const { reply, shows } = await tried(session, table, unique('try'))
      // Whether a create keeps what it was sent is for the checks to judge.
      if (shows || (known !== undefined && reply.ok)) return { table }
      if (!reply.ok)
        problem ??= `${table.name} rejects a record with only "${title}" (${shown(reply)}): set another table for the role "plain" in a target file`
      // A table that is closed, or takes no records, takes none with another field.
      if (isRejected(reply) && reply.status !== 400 && reply.status !== 422) break
    }
  }
  return problem === undefined ? {} : { problem }
}

/** A table that takes records from an account, which stands in for guests from then on. */
async function fittingAccounts(
  session: Wire & CleanUp & Pick<Session, 'standIn'>,
  candidates: readonly TableRef[],
  unique: (prefix: string) => string,
): Promise<TableRef | undefined> {
  const { members } = session.target.tables
  if (members === undefined || session.actors.knows('superuser')) return undefined
  const guest = session.api('guest')
  const identity = `${unique('account')}@example.com`
  const mark = session.cleanup.mark()
  const created = await guest.create(members, accountOf(session, identity))
  // It is deleted at the end, after all that it created.
  session.cleanup.keepFrom(mark)
  if (!created.ok) return undefined
  const { body } = await guest.authWithPassword(members, { identity, password: PASSWORD })
  if (!isObject(body) || typeof body.token !== 'string') return undefined
  session.redactor.give(body.token, '$TOKEN_ACCOUNT')
  session.standIn = { token: body.token, tables: new Set(candidates.map(({ name }) => name)) }
  const { table } = await firstFitting(session, candidates, unique)
  if (table === undefined) session.standIn = undefined
  return table
}

function accountOf({ binding }: Wire, email: string): Body {
  return {
    email,
    [binding['signUp.password'] ?? 'password']: PASSWORD,
    [binding['signUp.passwordConfirm'] ?? 'passwordConfirm']: PASSWORD,
  }
}

/** Creates a record with one text, and deletes it. `shows`: whether the record holds it. */
async function tried(session: Wire & CleanUp, table: TableRef, title: string) {
  const api = session.mostAble()
  const mark = session.cleanup.mark()
  try {
    const reply = await api.create(table, { title })
    const record = reply.ok ? await createdRecord(api, table, reply) : undefined
    return { reply, shows: isObject(record) && Object.values(record).includes(title) }
  } finally {
    await session.cleanup.cleanTo(mark)
  }
}

/** Why no one can sign up, where that is so. */
async function signUpProblem(
  session: Wire & CleanUp,
  table: TableRef,
  email: string,
): Promise<string | undefined> {
  const mark = session.cleanup.mark()
  try {
    const reply = await session.api('guest').create(table, accountOf(session, email))
    if (!isRejected(reply)) return undefined
    return `${table.name} rejects a sign-up with email and password (${shown(reply)}): what needs an account is not judged`
  } catch (error) {
    if (error instanceof ExpectationError) return undefined
    throw error
  } finally {
    await session.cleanup.cleanTo(mark)
  }
}

function shown({ status, exchange }: Reply): string {
  const body = (exchange.response?.body ?? '').replaceAll(/\s+/g, ' ').trim()
  return `${status} ${body.slice(0, mostShown)}`.trim()
}
