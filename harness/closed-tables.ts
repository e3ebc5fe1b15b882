/**
 * Tables of the target that send guests away, where those of `spec/tables.yaml` let them in. Whom a table lets in is left
 * open by the document: what the checks would find there says nothing of the server.
 *
 * @module
 */

import { loadTables } from '../spec/tables.ts'
import { BrokenConnectionError, ExpectationError, isRefused } from './judging/expect.ts'
import type { Session } from './session.ts'
import { uniqueIn } from './unique-in.ts'
import type { Api, Reply } from './vocabulary/api.ts'
import type { TableRef } from './vocabulary/target.ts'

type Request = (api: Api) => Promise<Reply>

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
    if (rule !== '' || closed.has(role)) return
    const reply = await answered(() => request(guest))
    if (reply === undefined) {
      silent = true
      return
    }
    const { status } = reply
    if (status === 401 || status === 403 || (isRefused(reply) && (await isAllowed(request))))
      closed.set(role, `${action} with ${status}`)
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
    const mark = session.ledger.mark()
    // A text by which the record is found again, whatever the answer tells.
    const text = definition.fields?.find(({ type, system }) => type === 'text' && system !== true)?.name
    const body = text === undefined ? {} : { [text]: unique('guest') }
    await ask(role, 'create', definition.createRule, (api) => api.create(table, body))
    await session.ledger.cleanTo(mark)
  }
  return closed
}

/** Undefined where a server that lives gives no complete answer: that is for the checks to judge. */
async function answered(request: () => Promise<Reply>, tries = mostTries): Promise<Reply | undefined> {
  try {
    return await request()
  } catch (error) {
    if (error instanceof BrokenConnectionError && tries > 1) return answered(request, tries - 1)
    if (error instanceof ExpectationError) return undefined
    throw error
  }
}
