/**
 * Tables of the target that send guests away, where those of `spec/tables.yaml` let them in. Whom a table lets in is left
 * open by the document: what the checks would find there says nothing of the server.
 *
 * @module
 */

import { loadTables } from '../spec/tables.ts'
import { createdId } from './created-record.ts'
import { BlockedError, BrokenConnectionError, ExpectationError, isRejected } from './judging/expect.ts'
import { uniqueIn } from './ownership/own-mark.ts'
import type { Api, Reply } from './vocabulary/api.ts'
import type { Session } from './vocabulary/session.ts'
import type { TableRef } from './vocabulary/target.ts'

type Request = (api: Api) => Promise<Reply>

/** Actions on a record that is there. */
const changes: ReadonlySet<string> = new Set(['update', 'delete'])

/** Of a request whose connection breaks. What they create twice is found by its text. */
const mostTries = 3

/**
 * Asks as a guest for what the role lets everybody do. Tables that have our name are taken for ours: there a refusal is
 * the server's mistake.
 *
 * @param creates whether records may be created for it; what no answer tells of is for the clean-up at the end
 * @returns by role, what was refused and how
 */
export async function closedTables(
  session: Session,
  tables: Readonly<Record<string, TableRef>>,
  creates: boolean,
): Promise<ReadonlyMap<string, string>> {
  const closed = new Map<string, string>()
  const guest = session.api('guest')
  const unique = uniqueIn(session, 'smoke')
  /** Once something got no answer, nothing more is created. */
  let silent = false
  const ask = async (role: string, action: string, rule: unknown, request: Request) => {
    if (rule !== '' || closed.has(role)) return undefined
    const reply = await answered(() => request(guest))
    if (reply === undefined) silent = true
    else if (await isClosed(action, reply, request)) closed.set(role, `${action} with ${reply.status}`)
    return reply
  }
  const isClosed = async (action: string, reply: Reply, request: Request) => {
    const { status } = reply
    if (status === 401 || status === 403) return true
    // A record that a client may not change may be hidden from it, and without a superuser nothing shows whether it is.
    const mayBeHidden = status === 404 && changes.has(action) && !session.actors.knows('superuser')
    return mayBeHidden || (isRejected(reply) && (await isAllowed(request)))
  }
  /** Whether the same is done for who may do everything. */
  const isAllowed = async (request: Request) =>
    session.actors.knows('superuser') &&
    (await answered(() => request(session.api('superuser'))))?.ok === true
  for (const { role, definition } of loadTables()) {
    const table = tables[role]
    if (table === undefined || table.name === definition.name) continue
    await ask(role, 'list', definition.listRule, (api) => api.list(table))
    if (!creates || silent || session.options.readOnly === true) continue
    const mark = session.cleanup.mark()
    // A text by which the record is found again, whatever the answer tells.
    const text = definition.fields?.find(({ type, system }) => type === 'text' && system !== true)?.name
    const body = text === undefined ? {} : { [text]: unique('guest') }
    const created = await ask(role, 'create', definition.createRule, (api) => api.create(table, body))
    const id = created?.ok === true ? createdId(created) : undefined
    if (id !== undefined) {
      await ask(role, 'update', definition.updateRule, (api) => api.update(table, id, body))
      await ask(role, 'delete', definition.deleteRule, (api) => api.delete(table, id))
    }
    await session.cleanup.cleanTo(mark)
  }
  return closed
}

/** Undefined where a server that lives gives no complete answer: that is for the checks to judge. */
async function answered(request: () => Promise<Reply>, tries = mostTries): Promise<Reply | undefined> {
  try {
    return await request()
  } catch (error) {
    if (error instanceof BrokenConnectionError && tries > 1) return answered(request, tries - 1)
    // A record that is not shown to be this run's is left alone.
    if (error instanceof ExpectationError || error instanceof BlockedError) return undefined
    throw error
  }
}
