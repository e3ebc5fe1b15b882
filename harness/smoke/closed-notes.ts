/**
 * What to say of tables that do not accept what their roles allow for everyone, and what can be done about it. Tables that
 * need the same get one line.
 *
 * @module
 */

import { inWords } from '../../spec/in-words.ts'
import { authRoles } from '../../spec/tables.ts'
import { existingAccountLine, type Gated } from '../judging/gate.ts'
import { credentialHint } from '../session/actors.ts'
import { groupedBy } from '../support/grouped-by.ts'
import type { TableRef } from '../vocabulary/target.ts'
import type { MissingChange } from './closed-tables.ts'

const accountRoles = authRoles()

type NoteContext = Pick<Gated, 'actors' | 'standIns' | 'target'>

export interface RejectingTable {
  table: TableRef
  /** What was rejected and how: `create with 403`. */
  rejected: string
}

export interface UnchangeableTable {
  table: TableRef
  changes: readonly MissingChange[]
}

/** That tables reject guests, or who sends their requests, and what can be done about it. */
export function closedNotes(session: NoteContext, closed: readonly RejectingTable[]): string[] {
  const callerOf = ({ table }: RejectingTable) => (session.standIns.has(table.name) ? table.as : undefined)
  const asGuest = closed.filter((each) => callerOf(each) === undefined)
  const accounts = asGuest.filter(({ table }) => accountRoles.has(table.role))
  const others = asGuest.filter((each) => !accounts.includes(each))
  return [
    ...[...groupedBy(closed, callerOf)].flatMap(([caller, tables]) =>
      caller === undefined ? [] : [callerNote(session, caller, tables)],
    ),
    ...recordNotes(session, others),
    ...accountNotes(session, accounts),
  ]
}

function callerNote({ actors }: NoteContext, caller: string, closed: readonly RejectingTable[]): string {
  const { names, isOne, how } = rejections(closed)
  const abler = caller !== 'superuser' && actors.knows('superuser') ? ', such as "superuser"' : ''
  return `${names} ${isOne ? 'rejects' : 'reject'} requests as "${caller}"${how}, which the target file names for ${rolesOf(closed)}: ${unjudged(closed)}; name a caller with more permissions${abler}`
}

function recordNotes(session: NoteContext, closed: readonly RejectingTable[]): string[] {
  if (closed.length === 0) return []
  const line = existingAccountLine(tablesOf(closed), session)
  return [`${mustBeOpen(closed)}: ${unjudged(closed)}; to use an account that exists: ${line}`]
}

/** The document does not say who may see accounts or create one: only a profile that is claimed needs an open table. */
function accountNotes({ actors, target }: NoteContext, closed: readonly RejectingTable[]): string[] {
  if (closed.length === 0) return []
  const isClaimed = target.profile !== undefined
  const what = isClaimed ? `${mustBeOpen(closed)}: profile ${unjudged(closed)}` : areClosed(closed)
  if (actors.knows('superuser')) return isClaimed ? [what] : []
  return [
    `${what}; for the accounts that ${isClaimed ? 'other' : 'the'} checks need, the superuser can create them: ${credentialHint('superuser')}`,
  ]
}

function mustBeOpen(closed: readonly RejectingTable[]): string {
  return `${areClosed(closed)}, but ${rolesOf(closed)} must be open to them`
}

function areClosed(closed: readonly RejectingTable[]): string {
  const { names, isOne, how } = rejections(closed)
  return `${names} ${isOne ? 'is' : 'are'} closed to guests${how}`
}

/** The names of tables, and how they reject requests: behind each name or, if it is the same for all, once at the end. */
function rejections(closed: readonly RejectingTable[]): { names: string; isOne: boolean; how: string } {
  const byName = new Map(closed.map(({ table, rejected }) => [table.name, rejected]))
  const [first, ...others] = new Set(byName.values())
  const names = [...byName].map(([name, rejected]) => (others.length === 0 ? name : `${name} (${rejected})`))
  return { names: inWords(names), isOne: names.length === 1, how: others.length === 0 ? ` (${first})` : '' }
}

/** `the role "plain"`, `the roles "parent" and "child"` */
function rolesOf(closed: readonly RejectingTable[]): string {
  const roles = closed.map(({ table: { role } }) => `"${role}"`)
  return `the ${roles.length === 1 ? 'role' : 'roles'} ${inWords(roles)}`
}

function unjudged({ length }: readonly RejectingTable[]): string {
  return `requirements that need ${length === 1 ? 'it' : 'them'} are not judged`
}

/**
 * Notes on updates and deletes that a guest cannot find. A 404 may also hide that guests are rejected: then the note says how
 * to continue. A status about the method, such as 405, hides nothing.
 */
export function missingChangesNotes(session: NoteContext, tables: readonly UnchangeableTable[]): string[] {
  const alike = groupedBy(tables, ({ changes }) => JSON.stringify(changes))
  return [...alike.values()].map((each) => missingChangesNote(session, each))
}

function missingChangesNote(session: NoteContext, tables: readonly UnchangeableTable[]): string {
  const { changes = [] } = tables[0] ?? {}
  const names = inWords([...new Set(tables.map(({ table }) => table.name))])
  const words = changes.map(({ action }) => action).join(' and ')
  const isOne = changes.length === 1
  const statuses = [...new Set(changes.map(({ status }) => status))]
  const subject = `${words} of records of ${names} ${isOne ? 'does' : 'do'} not exist`
  const needed = `the checks that need ${isOne ? 'it' : 'them'} fail`
  if (!statuses.includes(404)) return `${subject} (${statuses.join(' and ')}): ${needed}`
  const what = `${subject}, or ${isOne ? 'is' : 'are'} closed to guests, who get the response of a path that does not exist (${statuses.join(' and ')}): ${needed}`
  return session.actors.knows('superuser')
    ? what
    : `${what}. If only guests are rejected: ${existingAccountLine(tablesOf(tables), session)}, or ${credentialHint('superuser')}`
}

function tablesOf(rows: readonly { table: TableRef }[]): TableRef[] {
  return rows.map(({ table }) => table)
}
