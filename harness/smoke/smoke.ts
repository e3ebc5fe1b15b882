/**
 * The smoke check: before anything is judged, whether the target responds, which tables and capabilities it has, and
 * what one more line of configuration would enable.
 *
 * @module
 */

import { isSuccess } from '../../spec/status-range.ts'
import { authRoles, loadTables } from '../../spec/tables.ts'
import type { Requirement } from '../../spec/vocabulary.ts'
import { ConfigurationError, NetworkError, TargetLostError } from '../errors.ts'
import { enterStandIns } from '../explore/enter-stand-ins.ts'
import { expectGivenTables } from '../explore/expect-given.ts'
import { explainNoResponse } from '../explore/no-response.ts'
import { methodsIn } from '../explore/reported-methods.ts'
import { tryQuery } from '../explore/try-query.ts'
import { tryTables } from '../explore/try-tables.ts'
import { type TrySend, usableResponse } from '../explore/usable-response.ts'
import { type Gated, missingTableLine } from '../judging/gate.ts'
import { uniqueIn } from '../ownership/own-mark.ts'
import { credentialHint } from '../session/actors.ts'
import { NO_TABLE } from '../support/no-record.ts'
import type { ApiResponse } from '../vocabulary/api.ts'
import type { Smoke } from '../vocabulary/report.ts'
import type { CleanUp, RunSettings, TargetFacts } from '../vocabulary/session.ts'
import type { TableRef, Target } from '../vocabulary/target.ts'
import type { Wire } from '../vocabulary/wire.ts'
import { makePaths } from '../wire/paths.ts'
import { redirectOf } from '../wire/redirect.ts'
import { closedTables } from './closed-tables.ts'
import { expectTables, sameResponsesNote } from './expect-tables.ts'

/** Unusable responses that a note names. */
const mostProblems = 3

const accountRoles = authRoles()

/** The table in which the servers of one family keep their superusers. */
const superusers = '_superusers'

/** Statuses for a path that does not exist. */
const nothingThere: ReadonlySet<number> = new Set([404, 405, 501])

type Looking = Wire & CleanUp & RunSettings & TargetFacts

/** What a run may do to look, and what it looks for. */
interface SmokeOptions {
  creates?: boolean
  checks?: readonly string[]
}

/**
 * Looks at the target. Tables that are not given are looked for under the names of `spec/tables.yaml`, and the
 * session's target is completed with those that are found.
 *
 * @param creates whether a record may be created to see whether guests may; the caller ends with `cleanEnd` then
 * @param checks ids of what will be checked: what is missing is reported as far as they need it. @default all
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
  const notes: string[] = []
  const first = await trySend(() => reach(session))
  const same = await trySend(() => sameResponsesNote(session))
  if (same !== undefined) notes.push(same)
  else if (first !== undefined) notes.push(...strangeListNotes(first))
  if (session.actors.knows('superuser')) await confirmSuperuser(session, notes, trySend)
  await expectGivenTables(session, trySend)
  notes.push(...((await trySend(() => enterStandIns(session, creates))) ?? []))
  const { missing, ...found } = await findTables(session, notes, trySend)
  const { prefix } = makePaths(target.binding)
  // `init` writes what it found, even if that is nothing.
  const isForChecks = checks === undefined || checks.length > 0
  if (
    isForChecks &&
    Object.keys(found.tables).length === 0 &&
    first !== undefined &&
    !target.baseUrl.endsWith(prefix)
  )
    expectTables(session, first)
  if (Object.keys(found.tables).length === 0 && prefix !== '' && target.baseUrl.endsWith(prefix))
    notes.push(
      `the base URL ends with ${prefix}, which is the prefix of every path: remove it from the base URL`,
    )
  const trial = (await trySend(() => tryTables(session, found.tables, creates))) ?? {
    tables: found.tables,
    notes: [],
  }
  notes.push(...trial.notes)
  const { tables } = trial
  for (const [role, rejected] of await closedTables(session, tables, creates)) {
    const table = tables[role] ?? { role, name: role }
    session.closed.set(role, { name: table.name, rejected })
    notes.push(closedNote(session, table, rejected))
    // The document does not say who may see accounts or create one.
    if (accountRoles.has(role)) continue
    delete tables[role]
    missing.push(role)
  }
  // After the fields of the table are known to be right: the trial creates records.
  if (
    target.explored === undefined &&
    creates &&
    session.options.readOnly !== true &&
    tables.plain !== undefined
  ) {
    const { plain } = tables
    notes.push(...((await trySend(() => tryQuery(session, plain, uniqueIn(session, 'forms')))) ?? []))
  }
  // The trial may have completed the target.
  session.target = { ...session.target, tables }
  const capabilities = {
    ...(await probe(session, tables, notes, trySend)),
    ...offered(target),
    ...target.capabilities,
  }
  const chosen = chosenOf(session, checks)
  const needed = new Set(chosen.flatMap(({ needs }) => needs as readonly string[]))
  const smoke: Smoke = {
    tables: Object.fromEntries(
      Object.keys(tables).map((role) => [
        role,
        found.names.has(role) || target.explored !== undefined ? 'found' : 'given',
      ]),
    ),
    // A trial may have found a table for a role since.
    missingTables: missing.filter(
      (role) => tables[role] === undefined && (checks === undefined || needed.has(`table:${role}`)),
    ),
    actors: Object.keys(target.credentials),
    capabilities,
    unlocks: [],
    notes,
  }
  session.smoke = smoke
  smoke.unlocks = unlocks(session, chosen)
  return smoke
}

/** That a table rejects guests, or who sends their requests, and what can be done about it. */
function closedNote(session: Looking, { role, name, as: caller }: TableRef, rejected: string): string {
  if (caller !== undefined && session.standIns.has(name))
    return `${name} rejects requests as "${caller}" (${rejected}), which the target file names for the role "${role}": requirements that need it are not judged; name a caller with more permissions`
  const isAuth = accountRoles.has(role)
  const what = `${name} is closed to guests (${rejected}), but the role "${role}" must be open to them: ${isAuth ? 'profile ' : ''}requirements that need it are not judged`
  if (!isAuth) return `${what}; to use an account that exists: ${missingTableLine(role, session)}`
  return session.actors.knows('superuser')
    ? what
    : `${what}; for the accounts that other checks need, the superuser can create them: ${credentialHint('superuser')}`
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
      `a list redirects to ${elsewhere.href}, and the run does not follow redirects: correct --base-url or --prefix if this is the server to test`,
    )
  return notes
}

/** A page for people is most often another server's, or another path of this one. */
function noJson({ headers }: ApiResponse): string {
  const type = headers['content-type'] ?? 'no content type'
  return `the response to a list is not JSON (${type}): check that --base-url and --prefix lead to the interface`
}

/**
 * Obtains the token, and sends a request that only superusers may send on servers with such a table. An error response
 * proves that the token is not accepted only if a guest gets the same one, and a missing table gets another.
 *
 * @throws ConfigurationError when the token is not accepted
 */
async function confirmSuperuser(session: Wire, notes: string[], trySend: TrySend): Promise<void> {
  const statusOf = async (actor: string, name: string) =>
    (await trySend(() => session.api(actor).list({ role: '', name })))?.status ?? 0
  const status = await statusOf('superuser', superusers)
  if (isSuccess(status)) return
  // A token that a sign-in has just returned is accepted.
  const isGiven = session.target.credentials.superuser?.token !== undefined
  if (isGiven && (status === 401 || status === 403)) {
    const asGuest = await statusOf('guest', superusers)
    const nowhere = [await statusOf('superuser', NO_TABLE), await statusOf('superuser', `_${NO_TABLE}`)]
    if (asGuest === status && !nowhere.includes(status))
      throw new ConfigurationError(
        `the token of the superuser was rejected (status ${status})`,
        `credentials.superuser, or CONFORMANCE_SUPERUSER_TOKEN, at ${session.target.baseUrl}`,
        'use a token that has not expired, or the identity and password of a superuser',
      )
  }
  notes.push('the superuser credential could not be verified')
}

async function findTables(session: Wire, notes: string[], trySend: TrySend) {
  const tables: Record<string, TableRef> = { ...session.target.tables }
  const found = new Set<string>()
  const missing: string[] = []
  const faulty: string[] = []
  const listed = (table: TableRef) => trySend(() => session.api('guest').list(table))
  let nowhere: Promise<ApiResponse | undefined> | undefined
  /**
   * Whether a table that does not exist returns the same status: some servers reject guests before they look for the
   * table. An unusable response has no status.
   */
  const saysNothing = async (status: number | undefined) => {
    if (status !== undefined && status !== 401 && status !== 403) return false
    nowhere ??= listed({ role: '', name: NO_TABLE })
    return (await nowhere)?.status === status
  }
  const looks = loadTables()
    .filter(({ role }) => tables[role] === undefined && session.target.absentTables?.includes(role) !== true)
    .map(async ({ role, definition }) => {
      // Its identifier is the target's own, even where the name is ours.
      const table: TableRef = { role, name: definition.name }
      return { role, definition, table, status: (await listed(table))?.status }
    })
  for (const { role, definition, table, status } of await Promise.all(looks)) {
    const fails = status !== undefined && status >= 500
    if (fails) faulty.push(`${definition.name} with ${status}`)
    if (status === 404 || fails || (await saysNothing(status))) missing.push(role)
    else {
      tables[role] = table
      found.add(role)
    }
  }
  if (faulty.length > 0)
    notes.push(
      `listing some tables returns a server error (${faulty.slice(0, 3).join(', ')}${faulty.length > 3 ? ` and ${faulty.length - 3} more` : ''}); they count as missing: map your own in the target file`,
    )
  return { tables, missing, names: found }
}

/** Capabilities that the tester provides, and that no request shows. */
function offered({ hooks = {}, credentials }: Target): Record<string, boolean> {
  const keys = hooks.createApiKey !== undefined || Object.values(credentials).some(({ scope }) => scope)
  const there = { mail: hooks.mailbox !== undefined, clock: hooks.clock !== undefined, apiKeys: keys }
  // The others are probed.
  return Object.fromEntries(Object.entries(there).filter(([, isThere]) => isThere))
}

async function probe(
  session: Wire,
  tables: Readonly<Record<string, TableRef>>,
  notes: string[],
  trySend: TrySend,
): Promise<Record<string, boolean>> {
  const guest = session.api('guest')
  const capabilities: Record<string, boolean> = session.actors.knows('superuser')
    ? { impersonation: true }
    : {}
  const empty = { headers: { 'content-type': 'application/json' }, body: '{"requests":[]}' }
  const batch = await trySend(() => guest.raw({ method: 'POST', path: guest.path.batch(), ...empty })).catch(
    readOnlyMeansUnknown,
  )
  // A check reports whether the server has batches at all.
  if (batch !== undefined && !nothingThere.has(batch.status) && batch.status < 500)
    capabilities.batch = batch.status !== 401 && batch.status !== 403
  if (capabilities.batch === false && session.target.capabilities.batch !== true)
    notes.push(
      `guests may not send batches, or batches are switched off (status ${batch?.status}): a signed-in account sends them, otherwise a superuser; profile requirements on batches are not judged`,
    )
  for (const [role, table] of Object.entries(tables)) {
    if (!accountRoles.has(role)) continue
    const response = await trySend(() => guest.authMethods(table))
    if (response?.ok !== true || typeof response.body !== 'object' || response.body === null) continue
    for (const [method, enabled] of Object.entries(methodsIn(response.body, session.binding)))
      capabilities[method] = enabled || capabilities[method] === true
  }
  return capabilities
}

function readOnlyMeansUnknown(error: unknown): ApiResponse | undefined {
  if ((error as Error).name === 'UntestableError') return undefined
  throw error
}

/** Missing tables and credentials with the number of requirements that wait for each. */
function unlocks(session: Gated, chosen: readonly Requirement[]): Smoke['unlocks'] {
  const waiting = new Map<string, number>()
  // No line enables a requirement whose table the target declares absent.
  const absent = new Set(session.target.absentTables?.map((role) => `table:${role}`))
  for (const { needs } of chosen) {
    if (needs.some((need) => absent.has(need))) continue
    for (const need of needs) {
      const [kind, name = ''] = need.split(':')
      const line =
        kind === 'table' && session.target.tables[name] === undefined
          ? missingTableLine(name, session)
          : kind === 'actor' && !session.actors.knows(name)
            ? credentialHint(name)
            : undefined
      if (line !== undefined) waiting.set(line, (waiting.get(line) ?? 0) + 1)
    }
  }
  return [...waiting].map(([line, checks]) => ({ line, checks })).sort((a, b) => b.checks - a.checks)
}
