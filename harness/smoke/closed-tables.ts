/**
 * Finds tables of the target that reject guests although the tables of `spec/tables.yaml` accept them. The document leaves open
 * whom a table accepts, so results of the checks there say nothing about the server.
 *
 * @module
 */

import { isObject } from '../../exchange/json-object.ts'
import { isAboutPermission } from '../../spec/status-range.ts'
import { loadRoles } from '../../spec/tables.ts'
import type { OperationId } from '../../spec/vocabulary.ts'
import { findIntended } from '../cleanup/find-intended.ts'
import { createdId } from '../cleanup/record-of-create.ts'
import { ConfigurationError } from '../errors.ts'
import { expectFields } from '../explore/expect-given.ts'
import { isNowhere } from '../explore/is-nowhere.ts'
import { usableResponse } from '../explore/usable-response.ts'
import { isRejected } from '../judging/expect.ts'
import { uniqueIn } from '../ownership/with-mark.ts'
import type { Api, ApiResponse } from '../vocabulary/api.ts'
import type { CleanUp, RunSettings, TargetFacts } from '../vocabulary/session.ts'
import type { TableRef } from '../vocabulary/target.ts'
import type { Wire } from '../vocabulary/wire.ts'

type Request = (api: Api) => Promise<ApiResponse>

/** What guests may not do in the tables of a target, by role. */
export interface ClosedTables {
  /** What was rejected and how, of tables that are left out: `create with 403`. */
  closed: ReadonlyMap<string, string>
  /** Changes of records that got the response of a path that does not exist, and its status. */
  missing: ReadonlyMap<string, readonly MissingChange[]>
}

export interface MissingChange {
  action: string
  operation: OperationId
  status: number
}

/** What the requests of guests have shown so far. */
interface Seen {
  session: Wire & CleanUp & TargetFacts
  tables: Readonly<Record<string, TableRef>>
  closed: Map<string, string>
  missing: Map<string, MissingChange[]>
  /** Roles whose new record guests can view. */
  viewable: Set<string>
}

/** Actions on an existing record. */
const changes: ReadonlyMap<string, OperationId> = new Map([
  ['update', 'updateRecord'],
  ['delete', 'deleteRecord'],
])

/**
 * Sends as a guest the requests that the role allows for everyone. Tables with our name count as ours: there a
 * rejection is the server's mistake. A change that gets the response of a path that does not exist, on a record that guests
 * can view, was most often not written yet: it closes no table, since all other checks would then wait for it.
 *
 * @param creates whether records may be created for it; the final clean-up finds those that no response names
 * @throws ConfigurationError if a created record lacks the field that was sent: the target file has another name for it
 */
export async function closedTables(
  session: Wire & CleanUp & RunSettings & TargetFacts,
  tables: Readonly<Record<string, TableRef>>,
  creates: boolean,
): Promise<ClosedTables> {
  const seen: Seen = { session, tables, closed: new Map(), missing: new Map(), viewable: new Set() }
  const { closed, missing, viewable } = seen
  const guest = session.api('guest')
  const unique = uniqueIn(session, 'smoke')
  /** After a request without a response, nothing more is created. */
  let silent = false
  const tryAsGuest = async (role: string, action: string, rule: unknown, request: Request) => {
    if (rule !== '' || closed.has(role)) return undefined
    const response = await usableResponse(() => request(guest))
    if (response === undefined) silent = true
    else await classify(seen, { role, action, request }, response)
    return response
  }
  for (const { role, definition } of loadRoles()) {
    const table = tables[role]
    if (table === undefined || table.name === definition.name) continue
    if (awaitsAccount(session, table, creates)) continue
    await tryAsGuest(role, 'list', definition.listRule, (api) => api.list(table))
    if (!creates || silent || session.options.readOnly === true) continue
    const mark = session.cleanup.mark()
    // A text to find the record by, independent of the response.
    const text = definition.fields?.find(({ type, system }) => type === 'text' && system !== true)?.name
    const body = text === undefined ? {} : { [text]: unique('guest') }
    const created = await tryAsGuest(role, 'create', definition.createRule, (api) => api.create(table, body))
    const id =
      created?.ok === true ? (createdId(created) ?? (await searched(session, table, text, body))) : undefined
    if (id !== undefined) {
      if (text !== undefined) await expectField(session, table, id, text)
      if ((await usableResponse(() => guest.view(table, id)))?.ok === true) viewable.add(role)
      await tryAsGuest(role, 'update', definition.updateRule, (api) => api.update(table, id, body))
      await tryAsGuest(role, 'delete', definition.deleteRule, (api) => api.delete(table, id))
    }
    await session.cleanup.cleanTo(mark)
  }
  return { closed, missing }
}

/** Whether an account replaces guests there that only a run signs up: `doctor` creates none. */
function awaitsAccount(
  { standIns, options }: TargetFacts & RunSettings,
  table: TableRef,
  creates: boolean,
): boolean {
  return table.as === 'account' && !creates && options.readOnly !== true && !standIns.has(table.name)
}

/** Notes what a response to a guest shows: that the table is closed, or that an operation is missing. */
async function classify(
  { session, tables, closed, missing, viewable }: Seen,
  { role, action, request }: { role: string; action: string; request: Request },
  response: ApiResponse,
): Promise<void> {
  const { status } = response
  if (await isClosed(session, response, request)) {
    closed.set(role, `${action} with ${status}`)
    return
  }
  const operation = changes.get(action)
  if (operation === undefined || !isRejected(response)) return
  const table = tables[role]
  // The record itself is there: it was created, and guests see it.
  const isMissing =
    table !== undefined &&
    viewable.has(role) &&
    (await usableResponse(() => isNowhere(session, table, response))) === true
  if (isMissing) missing.set(role, [...(missing.get(role) ?? []), { action, operation, status }])
  // A record that a client may not change may be hidden from it, and only a superuser can see whether it is.
  else if (status === 404 && !session.actors.knows('superuser')) closed.set(role, `${action} with ${status}`)
}

/** Whether a table rejects guests: by its status, or because the same request succeeds for a superuser. */
async function isClosed(session: Wire, response: ApiResponse, request: Request): Promise<boolean> {
  if (isAboutPermission(response.status)) return true
  if (!isRejected(response) || !session.actors.knows('superuser')) return false
  return (await usableResponse(() => request(session.api('superuser'))))?.ok === true
}

/**
 * With a wrong name, each create of the run would leave a record without the string, and none of them could be proven
 * to be the run's. If the table is empty, only a new record shows it.
 */
async function expectField(session: Wire, table: TableRef, id: string, field: string): Promise<void> {
  // Without a mapping: the fields have the names that the server gives them.
  const view = await usableResponse(() => session.mostAble().view({ role: '', name: table.name }, id))
  if (view?.ok !== true || !isObject(view.body) || view.body.id !== id) return
  try {
    expectFields(session.target.baseUrl, table, [view.body], [field])
  } catch (error) {
    if (!(error instanceof ConfigurationError)) throw error
    const left =
      'The record that showed this is still there, since nothing in it proves that the run created it'
    const next = error.next.endsWith('?') ? error.next : `${error.next}.`
    throw new ConfigurationError(error.fact, error.place, `${next} ${left}: ${table.name}/${id}`)
  }
}

/** The id of a created record that its response does not name. */
async function searched(
  session: Wire,
  { name: table }: TableRef,
  field: string | undefined,
  body: Readonly<Record<string, unknown>>,
): Promise<string | undefined> {
  if (field === undefined) return undefined
  const intent = { table, field, value: String(body[field]) }
  const found = await findIntended(session, session.mostAble(), intent)
  return 'ids' in found && found.ids.length === 1 ? found.ids[0] : undefined
}
