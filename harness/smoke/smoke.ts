/**
 * The smoke check: before anything is judged, whether the target responds, which tables and capabilities it has, and
 * what one more line of configuration would enable.
 *
 * @module
 */

import { countOf } from '../../spec/count-of.ts'
import { authRoles } from '../../spec/tables.ts'
import type { Requirement } from '../../spec/vocabulary.ts'
import { NetworkError, TargetLostError } from '../errors.ts'
import { enterStandIns } from '../explore/enter-stand-ins.ts'
import { expectGivenTables } from '../explore/expect-given.ts'
import { explainNoResponse } from '../explore/no-response.ts'
import { tryExpansion } from '../explore/try-expansion.ts'
import { notesOfForms, tryQuery } from '../explore/try-query.ts'
import { nameTablesNote, tryTables } from '../explore/try-tables.ts'
import { type TrySend, usableResponse } from '../explore/usable-response.ts'
import { declaredAbsence, type Gated, missingRole, missingTableLine, neededRole } from '../judging/gate.ts'
import { uniqueIn } from '../ownership/with-mark.ts'
import { credentialHint } from '../session/actors.ts'
import { relationIn } from '../target/relation-in.ts'
import type { ApiResponse } from '../vocabulary/api.ts'
import type { Smoke } from '../vocabulary/report.ts'
import type { CleanUp, RunSettings, SessionClock, TargetFacts } from '../vocabulary/session.ts'
import type { TableRef, Target } from '../vocabulary/target.ts'
import type { Wire } from '../vocabulary/wire.ts'
import { makePaths } from '../wire/paths.ts'
import { redirectHint, redirectOf } from '../wire/redirect.ts'
import {
  closedNotes,
  missingChangesNotes,
  type RejectingTable,
  type UnchangeableTable,
} from './closed-notes.ts'
import { closedTables, type MissingChange } from './closed-tables.ts'
import { confirmSuperuser, isConfirmedBy, superuserNotes } from './confirm-superuser.ts'
import { expectTables } from './expect-tables.ts'
import { findUsualTables } from './find-usual-tables.ts'
import { offeredCapabilities, probeCapabilities } from './probe-capabilities.ts'
import { sameResponses } from './same-responses.ts'

/** Milliseconds after which a run says how to spare them. */
const longExploration = 10_000
/** Unusable responses that a note names. */
const mostProblems = 3

const accountRoles = authRoles()

type Looking = Wire & CleanUp & RunSettings & SessionClock & TargetFacts

/** What a run may do to look, and what it looks for. */
interface SmokeOptions {
  /** Whether a record may be created to see whether guests may; the caller ends with `cleanEnd` then. @default false */
  creates?: boolean
  /** Ids of what will be checked: what is missing is reported as far as they need it. @default all */
  checks?: readonly string[]
}

/**
 * Looks at the target. Tables that are not given are looked for under the names of `spec/tables.yaml`, and the
 * session's target is completed with those that are found.
 *
 * @throws ConfigurationError when the target cannot be reached, a table or field of the target file does not exist, or a
 * credential is rejected. An unusable response does not end the run: a note names it, and the checks report it
 */
export async function smokeCheck(session: Looking, options: SmokeOptions = {}): Promise<Smoke> {
  const problems = new Set<string>()
  const trySend: TrySend = (request) => usableResponse(request, (problem) => void problems.add(problem))
  const smoke = await look(session, options, trySend)
  smoke.notes.unshift(...problemNotes(problems))
  return smoke
}

function problemNotes(problems: ReadonlySet<string>): string[] {
  const more = problems.size - mostProblems
  return [...problems].slice(0, mostProblems).map((problem, at) => {
    const others = at === mostProblems - 1 && more > 0 ? `; and ${more} more` : ''
    return `the smoke check received an unusable response (${problem})${others}; the affected checks run anyway`
  })
}

async function look(
  session: Looking,
  { creates = false, checks }: SmokeOptions,
  trySend: TrySend,
): Promise<Smoke> {
  const { target } = session
  const first = await trySend(() => reach(session))
  const notes = await responseNotes(session, first, trySend)
  const unconfirmed = session.actors.knows('superuser') ? await confirmSuperuser(session, trySend) : undefined
  notes.push(
    ...(await expectGivenTables(
      session,
      trySend,
      async () =>
        unconfirmed === undefined || (await isConfirmedBy(session, Object.values(target.tables), trySend)),
    )),
  )
  notes.push(...((await trySend(() => enterStandIns(session, creates))) ?? []))
  const usual = await findUsualTables(session, trySend)
  notes.push(...usual.notes)
  if (Object.keys(usual.tables).length === 0) notes.push(...noTableNotes(session, first, checks))
  const begin = performance.now()
  const trial = await trySend(() => tryTables(session, usual.tables, creates, trySend))
  notes.push(...(trial?.notes ?? []))
  // `init` itself has no checks.
  if (checks?.length !== 0) notes.push(...slowNotes(target, performance.now() - begin))
  const open = await withoutClosed(session, trial?.tables ?? usual.tables, creates)
  notes.push(...open.notes)
  const { tables } = open
  if (unconfirmed !== undefined)
    notes.push(...(await superuserNotes(session, unconfirmed, Object.values(tables), trySend)))
  // After the fields of the table are known to be right: the trial creates records.
  if (creates) notes.push(...(await queryNotes(session, tables, trySend)))
  // The trial may have completed the target.
  session.target = { ...session.target, tables }
  const { probed, notes: probeNotes } = await probeCapabilities(session, tables, trySend)
  notes.push(...probeNotes, ...rateNotes(session))
  const chosen = chosenOf(session, checks)
  const needed = new Set(chosen.flatMap(({ needs }) => needs.map(neededRole)))
  const smoke: Smoke = {
    tables: Object.fromEntries(
      Object.keys(tables).map((role) => [
        role,
        usual.found.has(role) || target.explored !== undefined ? 'found' : 'given',
      ]),
    ),
    // A trial may have found a table for a role since.
    missingTables: [...usual.missing, ...open.closed].filter(
      (role) => tables[role] === undefined && (checks === undefined || needed.has(role)),
    ),
    actors: Object.keys(target.credentials),
    capabilities: { ...probed, ...offeredCapabilities(target), ...target.capabilities },
    unlocks: [],
    notes,
  }
  session.smoke = smoke
  smoke.unlocks = unlocks(session, chosen)
  return smoke
}

/** That an exploration need not be repeated, if it took long. */
function slowNotes({ baseUrl, explored }: Target, tried: number): string[] {
  const ms = (explored?.ms ?? 0) + tried
  if (explored === undefined || ms < longExploration) return []
  return [
    `exploring the server took ${Math.round(ms / 1000)} s: \`conformance init --base-url ${baseUrl}\` saves what was found in a target file, and runs with it begin sooner`,
  ]
}

/** That the run will wait: it sends some thousand requests, and a limit makes it last for an hour. */
function rateNotes({ transport }: Wire): string[] {
  const limit = transport.rateLimit()
  if (limit === undefined) return []
  const rejected = `${countOf(limit.rejected, 'request')} ${limit.rejected === 1 ? 'was' : 'were'} rejected with 429`
  return [
    `the server limits the request rate (${rejected}, and sent again later): the run waits each time. Lift the limit for the test, or set --rate below it`,
  ]
}

/** What is strange about the responses of the target, if anything is. */
async function responseNotes(
  session: Wire & CleanUp & RunSettings & Pick<TargetFacts, 'rejectsAll'>,
  first: ApiResponse | undefined,
  trySend: TrySend,
): Promise<string[]> {
  const same = await trySend(() => sameResponses(session))
  if (same?.mayBeClosed === true && session.actors.knows('superuser')) session.rejectsAll = same.fact
  if (same !== undefined) return [`${same.fact}: ${same.next}`]
  return first === undefined ? [] : strangeListNotes(first)
}

/** @throws ConfigurationError if only the address is known, and checks are to run */
function noTableNotes(session: Wire, first: ApiResponse | undefined, checks?: readonly string[]): string[] {
  const { baseUrl, binding, explored } = session.target
  const { prefix } = makePaths(binding)
  // `init` writes what it found, even if that is nothing.
  const isForChecks = checks === undefined || checks.length > 0
  const endsWithPrefix = baseUrl.endsWith(prefix)
  if (isForChecks && first !== undefined && !endsWithPrefix) expectTables(session, first)
  if (prefix === '' || !endsWithPrefix)
    return explored?.plain.length === 0 && explored.members.length === 0 && explored.closed.length === 0
      ? [nameTablesNote('no table')]
      : []
  return [`the base URL ends with ${prefix}, which is the prefix of every path: remove it from the base URL`]
}

/** Leaves out the tables that are closed to guests, except for those of accounts. */
async function withoutClosed(
  session: Looking,
  tables: Readonly<Record<string, TableRef>>,
  creates: boolean,
): Promise<{ tables: Record<string, TableRef>; closed: string[]; notes: string[] }> {
  const open = { ...tables }
  const closed: string[] = []
  const rejecting: RejectingTable[] = []
  const unchangeable: UnchangeableTable[] = []
  const guests = await closedTables(session, tables, creates)
  const { actors, standIns, target } = session
  // The notes name tables that the session does not have yet.
  const found = {
    actors,
    standIns,
    target: { ...target, tables: { ...target.tables, ...tables } },
  }
  for (const [role, changes] of guests.missing) {
    const table = tables[role]
    if (table === undefined || guests.closed.has(role)) continue
    unchangeable.push({ table, changes })
    addMissing(session, changes)
  }
  for (const [role, rejected] of guests.closed) {
    const table = tables[role] ?? { role, name: role }
    const waits = table.as === 'account' && !standIns.has(table.name)
    session.closed.set(role, { name: table.name, rejected, ...(waits && { needs: 'account' }) })
    // The note that no account could sign in says it.
    if (!waits) rejecting.push({ table, rejected })
    // The document does not say who may see accounts or create one.
    if (accountRoles.has(role)) continue
    delete open[role]
    closed.push(role)
  }
  const notes = [...missingChangesNotes(found, unchangeable), ...closedNotes(found, rejecting)]
  return { tables: open, closed, notes }
}

/** For `conformance init`, which writes the line that declares them absent. */
function addMissing(session: Looking, changes: readonly MissingChange[]): void {
  const { explored } = session.target
  if (explored === undefined) return
  const missing = [...changes.map(({ operation }) => operation), ...(explored.missing ?? [])]
  session.target = { ...session.target, explored: { ...explored, missing } }
}

/** Which forms of a query have no effect. An exploration has found that out already. */
async function queryNotes(
  session: Looking,
  tables: Readonly<Record<string, TableRef>>,
  trySend: TrySend,
): Promise<string[]> {
  const { target, options } = session
  if (target.explored !== undefined || options.readOnly === true) return []
  const unique = uniqueIn(session, 'forms')
  const { plain } = tables
  const relation = relationIn(tables)
  const forms = plain && (await trySend(() => tryQuery(session, plain, unique)))
  const more = relation && (await trySend(() => tryExpansion(session, relation, unique)))
  return notesOfForms([forms, more])
}

function chosenOf({ requirements }: RunSettings, checks?: readonly string[]): Requirement[] {
  const all = [...requirements.values()]
  if (checks === undefined) return all
  const wanted = new Set(checks)
  return all.filter(({ id }) => wanted.has(id))
}

async function reach(session: Wire & RunSettings): Promise<ApiResponse> {
  try {
    return await session
      .api('guest')
      .list({ role: 'plain', name: session.target.tables.plain?.name ?? 'conf_plain' })
  } catch (error) {
    if (!(error instanceof TargetLostError)) throw error
    const { cause } = error
    throw cause instanceof NetworkError
      ? await explainNoResponse(cause, session.target.baseUrl, session.options.timeout)
      : error
  }
}

function strangeListNotes(list: ApiResponse): string[] {
  const notes = list.ok && list.body === undefined ? [noJson(list)] : []
  const elsewhere = redirectOf(list, list.exchange.request.url)
  if (elsewhere !== undefined)
    notes.push(
      `a list redirects to ${elsewhere.href}, and the run does not follow redirects: ${redirectHint(elsewhere.href, 'correct --base-url or --prefix')}`,
    )
  return notes
}

/** A page for people is most often another server's, or another path of this one. */
function noJson({ headers }: ApiResponse): string {
  const type = headers['content-type'] ?? 'no content type'
  return `the response to a list is not JSON (${type}): check that --base-url and --prefix lead to the interface`
}

/** Missing tables and credentials with the number of requirements that wait for each. */
function unlocks(session: Gated, chosen: readonly Requirement[]): Smoke['unlocks'] {
  const waiting = new Map<string, number>()
  // No line enables a requirement whose table the target declares absent.
  for (const requirement of chosen) {
    if (declaredAbsence(requirement, session.target) !== undefined) continue
    for (const need of requirement.needs) {
      const [kind, name = ''] = need.split(':')
      const role = missingRole(need, session.target)
      const line =
        role !== undefined
          ? missingTableLine(role, session)
          : kind === 'actor' && !session.actors.knows(name)
            ? credentialHint(name)
            : undefined
      if (line !== undefined) waiting.set(line, (waiting.get(line) ?? 0) + 1)
    }
  }
  return [...waiting].map(([line, checks]) => ({ line, checks })).sort((a, b) => b.checks - a.checks)
}
