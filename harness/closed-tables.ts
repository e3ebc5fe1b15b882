/**
 * Tables of the target that send guests away, where those of `spec/tables.yaml` let them in. Whom a table lets in is left
 * open by the document: what the checks would find there says nothing of the server.
 *
 * @module
 */

import { loadTables } from '../spec/tables.ts'
import { ExpectationError } from './judging/expect.ts'
import { lettersOf, scopeOf, uniqueNames } from './seed.ts'
import type { Session } from './session.ts'
import type { Api, Reply } from './vocabulary/api.ts'
import type { TableRef } from './vocabulary/target.ts'

/** Where a check would have its id. */
const place = 'smoke'

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
  const namespace = session.options.namespace ?? lettersOf(5, session.options.seed)
  const unique = uniqueNames(namespace, place)
  session.scopes.add(scopeOf(namespace, place))
  const ask = async (role: string, action: string, rule: unknown, request: (api: Api) => Promise<Reply>) => {
    if (rule !== '' || closed.has(role)) return
    const status = await statusOf(request(guest))
    if (status === undefined) return unanswered()
    if (status === 401 || status === 403 || (isRefusal(status) && (await isAllowed(request))))
      closed.set(role, `${action} with ${status}`)
  }
  /** Whether the same is done for who may do everything. */
  const isAllowed = async (request: (api: Api) => Promise<Reply>) =>
    session.actors.knows('superuser') && isSuccess(await statusOf(request(session.api('superuser'))))
  let silent = false
  const unanswered = () => {
    silent = true
  }
  for (const { role, definition } of loadTables()) {
    const table = tables[role]
    if (table === undefined || table.name === definition.name) continue
    await ask(role, 'list', definition.listRule, (api) => api.list(table, { perPage: 1 }))
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
async function statusOf(reply: Promise<Reply>): Promise<number | undefined> {
  try {
    return (await reply).status
  } catch (error) {
    if (error instanceof ExpectationError) return undefined
    throw error
  }
}

function isSuccess(status = 0): boolean {
  return status >= 200 && status < 300
}

function isRefusal(status: number): boolean {
  return status >= 400 && status < 500
}
