/**
 * Tries the tables that an exploration found: the one for `plain` must take a record with one text, from a guest, from an
 * account, or from the superuser; and the one for `members` a sign-up. What is created is deleted immediately, by the rules of
 * every other record of the run.
 *
 * @module
 */

import { visibleJson } from '../../exchange/visible.ts'
import { inWords } from '../../spec/in-words.ts'
import { uniqueIn } from '../ownership/with-mark.ts'
import { defined } from '../support/defined.ts'
import { isAbsent } from '../target/is-absent.ts'
import { signingInBy } from '../target/mapped-table.ts'
import type { Relation } from '../target/relation-in.ts'
import type { CleanUp, ClosedTable, RunSettings, TargetFacts } from '../vocabulary/session.ts'
import type { TableRef, Target } from '../vocabulary/target.ts'
import type { Wire } from '../vocabulary/wire.ts'
import { makePaths } from '../wire/paths.ts'
import { usedAs } from './discover.ts'
import { type FoundTable, findTables } from './find-tables.ts'
import { firstFitting } from './first-fitting.ts'
import { plainTables } from './fitting-tables.ts'
import { missingOperations } from './missing-operations.ts'
import { relationsIn } from './relations-in.ts'
import { requestSenderOf } from './send-request.ts'
import { keptAccount } from './sign-up.ts'
import { type TriedTable, tryAccount } from './try-account.ts'
import { tryExpansion } from './try-expansion.ts'
import { tryLocked } from './try-locked.ts'
import { leaveFormsUnknown, notesOfForms, tryQuery } from './try-query.ts'
import { isWhole, type Trial } from './try-record.ts'
import { tryRelations } from './try-relation.ts'
import type { TrySend } from './usable-response.ts'

/** Tables in which a sign-up is tried: a table that is not for accounts may keep a record of it. */
const mostAccountTables = 2

type Tables = Readonly<Record<string, TableRef>>
type Unique = (prefix?: string) => string

/** Who else sends the requests of guests, and in which words a note says so. */
interface StandIn {
  as: string
  token: string
  words: string
}

/**
 * The tables with those that took a record, instead of those that only looked right.
 *
 * @param creates whether records may be created
 * @returns the tables, and notes for the report, one line each
 */
export async function tryTables(
  session: Wire & CleanUp & RunSettings & TargetFacts,
  tables: Tables,
  creates: boolean,
  trySend: TrySend,
): Promise<{ tables: Record<string, TableRef>; notes: string[] }> {
  const { explored, tables: mapped } = session.target
  if (explored === undefined) return { tables, notes: [] }
  let chosen: Record<string, TableRef> = { ...tables }
  const notes: string[] = []
  if (creates && session.options.readOnly !== true) {
    const unique = uniqueIn(session, 'explore')
    // A table with our own name is used as it is.
    const isNamedByUs = tables.members !== undefined && mapped.members === undefined
    const accounts = isNamedByUs
      ? undefined
      : await trySend(() => fittingMembers(session, mapped.members, unique))
    const members = accounts?.members
    if (members !== undefined) chosen.members = members
    // Its accounts sign in by username, as those of the role do.
    if (members?.identity !== undefined && session.target.absentTables?.includes('named') !== true)
      chosen.named ??= { ...members, role: 'named' }
    const passwordless = accounts?.passwordless
    if (passwordless !== undefined && session.target.absentTables?.includes('passwordless') !== true)
      chosen.passwordless ??= { role: 'passwordless', name: passwordless.name }
    if (accounts?.closed !== undefined) {
      session.closed.set('members', accounts.closed)
      const { members: _, ...others } = chosen
      chosen = others
    }
    const isFree = session.target.absentTables?.includes('plain') !== true
    if (isFree && (tables.plain === undefined || mapped.plain !== undefined)) {
      const fitting = await trySend(() => fittingPlain(session, members, unique))
      const { plain, rejecting = [], notes: words = [] } = fitting ?? {}
      // First, as in the table of roles.
      if (plain !== undefined) chosen = Object.assign({ plain }, chosen, { plain })
      else if (isAccountTable(session, chosen.plain, rejecting)) {
        const { plain: _, ...others } = chosen
        chosen = others
      }
      notes.push(...words)
      if (plain === undefined && hasOnlyAccounts(explored))
        notes.push(nameTablesNote('no table except that of accounts'))
      if (plain !== undefined) {
        const forms = await trySend(() => tryQuery(session, plain, unique))
        const relation = await trySend(() => fittingPair(session, plain, members, unique))
        Object.assign(chosen, relation)
        if (relation !== undefined && plain.as === undefined) notes.push(...sentInstead(relation, members))
        const more = relation && (await trySend(() => tryExpansion(session, relation, unique)))
        notes.push(...notesOfForms([forms, more]))
      } else leaveFormsUnknown(session)
    }
    const locked = await trySend(() => closedToAll(session, chosen, unique))
    if (locked !== undefined) chosen.locked = locked
    if (accounts !== undefined) notes.push(accounts.note)
    notes.push(...((await trySend(() => operationNotes(session, chosen.members))) ?? []))
  }
  const used = Object.values(chosen).filter(
    (table) => mapped[table.role] !== undefined || table !== tables[table.role],
  )
  if (used.length > 0) notes.unshift(`uses ${used.map(usedAs).join(', ')}`)
  return { tables: chosen, notes }
}

/** @param what was not found */
export function nameTablesNote(what: string): string {
  return `${what} was found under the usual names: name yours with --table NAME, or in a target file`
}

function hasOnlyAccounts({ plain, members, closed }: NonNullable<Target['explored']>): boolean {
  const accounts = members.map(({ name }) => name)
  return closed.length === 0 && accounts.length > 0 && plain.every(({ name }) => accounts.includes(name))
}

/** Whether a table that rejects a record with one text looks like one for accounts: then it is not for plain records. */
function isAccountTable(
  { target }: Wire,
  table: TableRef | undefined,
  rejecting: readonly string[],
): boolean {
  if (table === undefined || !rejecting.includes(table.name)) return false
  return target.explored?.members.some(({ name }) => name === table.name) === true
}

/**
 * The first of the tables in which a guest signs up and in; otherwise the first in which a sign-up leaves an account,
 * since then only the sign-in is missing; otherwise the given one.
 *
 * @returns the table with a note about it, and one without passwords, if one was seen; undefined if no table was found that
 * may have accounts
 */
async function fittingMembers(
  session: Wire & CleanUp & TargetFacts,
  given: TableRef | undefined,
  unique: Unique,
): Promise<
  { members?: TableRef; passwordless?: TableRef | undefined; note: string; closed?: ClosedTable } | undefined
> {
  const { members = [] } = session.target.explored ?? {}
  let first: { table: TableRef; tried: TriedTable } | undefined
  let passwordless: TableRef | undefined
  for (const table of members.slice(0, mostAccountTables)) {
    const tried = await tryAccount(session, table, unique)
    if (tried.closed?.needs === 'another method') passwordless ??= table
    if (tried.signsUp) {
      return { members: asTried(table, tried), passwordless, note: tried.note }
    }
    if (first === undefined || (tried.createsAccount && !first.tried.createsAccount)) first = { table, tried }
  }
  if (first === undefined) return undefined
  const { note, createsAccount, closed } = first.tried
  if (closed === undefined)
    return { members: createsAccount ? asTried(first.table, first.tried) : given, note }
  // Each check would sign up an account that no one can delete: most often, only its owner may, after a sign-in.
  return { passwordless, note, closed: { name: first.table.name, ...closed } }
}

/** The table with what a sign-up has shown of its accounts. */
function asTried(table: TableRef, { fields: found, values, identity }: TriedTable): TableRef {
  const complete = { ...table, ...defined({ fields: table.fields ?? found, values }) }
  return identity === undefined ? complete : signingInBy(complete, identity)
}

/** A table for `plain`, and who sends the requests of guests to it. */
async function fittingPlain(
  session: Wire & CleanUp & TargetFacts,
  members: TableRef | undefined,
  unique: Unique,
): Promise<{ plain?: TableRef; rejecting?: readonly string[]; notes: string[] }> {
  const open = (session.target.explored?.plain ?? []).filter(({ name }) => name !== members?.name)
  const asGuest = await firstFitting(session, open, unique)
  if (asGuest.best !== undefined && isWhole(asGuest.best)) return found('guests', asGuest.best)
  for (const standIn of await standInsOf(session, members, unique)) {
    const candidates = await candidatesFor(session, standIn, members)
    for (const { name } of candidates) session.standIns.set(name, standIn.token)
    const { best } = await firstFitting(session, candidates, unique)
    session.standIns.clear()
    if (best === undefined || !isWhole(best)) continue
    const plain = { ...best.table, as: standIn.as }
    session.standIns.set(plain.name, standIn.token)
    const { notes } = found(standIn.words, best)
    notes.push(
      `${plain.name} is closed to guests: their requests to it are sent as ${standInWords(standIn, members)}`,
    )
    return { plain, notes }
  }
  if (asGuest.best !== undefined) return found('guests', asGuest.best)
  const { problem, rejecting } = asGuest
  return { rejecting, notes: problem === undefined ? [] : [problem] }
}

/** Two tables for a relation. Where guests may write to no such pair, an account or the superuser does it for them. */
async function fittingPair(
  session: Wire & CleanUp & TargetFacts,
  plain: TableRef,
  members: TableRef | undefined,
  unique: Unique,
): Promise<Relation | undefined> {
  const { plain: open = [], closed = [], relations = [] } = session.target.explored ?? {}
  const sender = { as: plain.as, token: session.standIns.get(plain.name) }
  const found = await tryRelations(session, plain, sender, relations, unique)
  const hasOthers = [...open, ...closed].some(({ name }) => name !== plain.name && name !== members?.name)
  if (found !== undefined || plain.as !== undefined || !hasOthers) return found
  for (const standIn of await standInsOf(session, members, unique)) {
    const seen = relationsIn(await tablesSeenBy(session, standIn, members))
    const pair = await tryRelations(session, plain, standIn, seen, unique)
    if (pair !== undefined) return pair
  }
  return undefined
}

/** Says so if another client sends the requests of guests to the two tables. */
function sentInstead({ parent, child }: Relation, members: TableRef | undefined): string[] {
  if (child.as === undefined) return []
  const names = inWords(new Set([parent.name, child.name]))
  return [
    `guests may not write to ${names}: their requests to these are sent as ${standInWords(child, members)}`,
  ]
}

function standInWords({ as: actor }: Pick<TableRef, 'as'>, members: TableRef | undefined): string {
  return actor === 'account' ? `an account that the run signs up in ${members?.name}` : 'the superuser'
}

/** A table for `locked`, among those that are not used. */
async function closedToAll(
  session: Wire & CleanUp & TargetFacts,
  chosen: Tables,
  unique: Unique,
): Promise<TableRef | undefined> {
  const { closed = [] } = session.target.explored ?? {}
  if (chosen.locked !== undefined || session.target.absentTables?.includes('locked') === true)
    return undefined
  const used = Object.values(chosen).map(({ name }) => name)
  const free = closed.filter(({ name }) => !used.includes(name))
  return free.length === 0 ? undefined : tryLocked(session, free, chosen.members, unique)
}

function found(who: string, trial: Trial): { plain: TableRef; notes: string[] } {
  const { table, accepted, faulty, unchangeable } = trial
  const notes = [`${who} may ${inWords(accepted)} records of ${table.name}`]
  if (table.values !== undefined)
    notes.push(`each record of ${table.name} requires more, and gets ${visibleJson(table.values)}`)
  if (unchangeable !== undefined)
    notes.push(
      `an update of "${table.fields?.title}" is rejected (${unchangeable}), and no other text field of ${table.name} was found that can be changed: the checks of updates fail unless a target file maps one: "tables": { "plain": { "name": ${JSON.stringify(table.name)}, "fields": { "title": "<a text field that can be changed>" } } }`,
    )
  if (trial.unique !== undefined)
    notes.push(
      `a second record of ${table.name} with the same "${table.fields?.title}" is rejected (${trial.unique}), and no other text field was found that several records can share: most checks of lists are blocked unless a target file maps one: "tables": { "plain": { "name": ${JSON.stringify(table.name)}, "fields": { "title": "<a text field that need not be unique>" } } }`,
    )
  const faults = [...faulty].map(([action, why]) => `${action} a record (${why})`)
  if (faults.length > 0) notes.push(`the server fails to ${inWords(faults, 'or')}: the checks report it`)
  return { plain: table, notes }
}

/** A freshly signed-up account, and the superuser. */
async function standInsOf(
  session: Wire & CleanUp,
  members: TableRef | undefined,
  unique: Unique,
): Promise<StandIn[]> {
  const standIns: StandIn[] = []
  const account = members === undefined ? undefined : await keptAccount(session, members, unique)
  if (account !== undefined)
    standIns.push({ as: 'account', token: account.token, words: 'guests may not, but accounts' })
  if (session.actors.knows('superuser')) {
    const token = await session.actors.token('superuser')
    if (token !== undefined)
      standIns.push({ as: 'superuser', token, words: 'guests may not, but the superuser' })
  }
  return standIns
}

/** Candidates for `plain`, with what the owner of the token sees of them. */
async function candidatesFor(
  session: Wire & CleanUp,
  standIn: StandIn,
  members: TableRef | undefined,
): Promise<TableRef[]> {
  const { plain = [], closed = [] } = session.target.explored ?? {}
  const shown = plainTables(await tablesSeenBy(session, standIn, members))
  return [...shown, ...[...plain, ...closed].filter(({ name }) => !shown.some((each) => each.name === name))]
}

/** The tables that the owner of the token may list, but for the one of the accounts. */
async function tablesSeenBy(
  session: Wire & CleanUp,
  { token }: StandIn,
  members: TableRef | undefined,
): Promise<FoundTable[]> {
  const { plain = [], closed = [], asked: requested = [] } = session.target.explored ?? {}
  const known = [...plain, ...closed].map(({ name }) => name)
  // Some servers reject a guest before they look at the name: then each name is requested again.
  const names = known.length === 0 ? requested : known
  const sendRequest = requestSenderOf(session)
  const { tables } = await findTables(sendRequest, makePaths(session.target.binding).prefix, names, token)
  return tables.filter(({ name }) => name !== members?.name)
}

async function operationNotes(session: Wire & CleanUp, members: TableRef | undefined): Promise<string[]> {
  const sendRequest = requestSenderOf(session)
  const { prefix } = makePaths(session.target.binding)
  const tried = await missingOperations(sendRequest, prefix, members?.name)
  const missing = tried.filter((operation) => !isAbsent(session.target, operation))
  if (session.target.explored !== undefined)
    session.target = { ...session.target, explored: { ...session.target.explored, missing } }
  if (missing.length === 0) return []
  return [
    `the server has no ${inWords(missing)}: ${missing.length === 1 ? 'its check fails unless the target file declares it absent' : 'their checks fail unless the target file declares them absent'} (operations: { ${missing[0]}: false })`,
  ]
}
