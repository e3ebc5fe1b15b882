/**
 * Finds tables of the target that reject guests where those of `spec/tables.yaml` accept them. The document leaves open
 * whom a table accepts, so results of the checks there say nothing about the server.
 *
 * @module
 */

import { loadTables } from '../spec/tables.ts'
import { findIntended } from './cleanup/find-intended.ts'
import { createdId } from './created-record.ts'
import { usableResponse } from './explore/usable-response.ts'
import { isRejected } from './judging/expect.ts'
import { uniqueIn } from './ownership/own-mark.ts'
import type { Api, ApiResponse } from './vocabulary/api.ts'
import type { CleanUp, Session } from './vocabulary/session.ts'
import type { TableRef } from './vocabulary/target.ts'
import type { Wire } from './vocabulary/wire.ts'

type Request = (api: Api) => Promise<ApiResponse>

/** Actions on an existing record. */
const changes: ReadonlySet<string> = new Set(['update', 'delete'])

/**
 * Sends as a guest the requests that the role allows for everyone. Tables with our name count as ours: there a
 * rejection is the server's mistake.
 *
 * @param creates whether records may be created for it; the final clean-up finds those that no response names
 * @returns by role, what was rejected and how
 */
export async function closedTables(
  session: Wire & CleanUp & Pick<Session, 'options'>,
  tables: Readonly<Record<string, TableRef>>,
  creates: boolean,
): Promise<ReadonlyMap<string, string>> {
  const closed = new Map<string, string>()
  const guest = session.api('guest')
  const unique = uniqueIn(session, 'smoke')
  /** After a request without a response, nothing more is created. */
  let silent = false
  const sendRequest = async (role: string, action: string, rule: unknown, request: Request) => {
    if (rule !== '' || closed.has(role)) return undefined
    const response = await usableResponse(() => request(guest))
    if (response === undefined) silent = true
    else if (await isClosed(action, response, request)) closed.set(role, `${action} with ${response.status}`)
    return response
  }
  const isClosed = async (action: string, response: ApiResponse, request: Request) => {
    const { status } = response
    if (status === 401 || status === 403) return true
    // A record that a client may not change may be hidden from it, and only a superuser can see whether it is.
    const mayBeHidden = status === 404 && changes.has(action) && !session.actors.knows('superuser')
    return mayBeHidden || (isRejected(response) && (await isAllowed(request)))
  }
  /** Whether the same request succeeds for a superuser. */
  const isAllowed = async (request: Request) =>
    session.actors.knows('superuser') &&
    (await usableResponse(() => request(session.api('superuser'))))?.ok === true
  for (const { role, definition } of loadTables()) {
    const table = tables[role]
    if (table === undefined || table.name === definition.name) continue
    await sendRequest(role, 'list', definition.listRule, (api) => api.list(table))
    if (!creates || silent || session.options.readOnly === true) continue
    const mark = session.cleanup.mark()
    // A text to find the record by, independent of the response.
    const text = definition.fields?.find(({ type, system }) => type === 'text' && system !== true)?.name
    const body = text === undefined ? {} : { [text]: unique('guest') }
    const created = await sendRequest(role, 'create', definition.createRule, (api) => api.create(table, body))
    const id =
      created?.ok === true ? (createdId(created) ?? (await searched(session, table, text, body))) : undefined
    if (id !== undefined) {
      await sendRequest(role, 'update', definition.updateRule, (api) => api.update(table, id, body))
      await sendRequest(role, 'delete', definition.deleteRule, (api) => api.delete(table, id))
    }
    await session.cleanup.cleanTo(mark)
  }
  return closed
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
