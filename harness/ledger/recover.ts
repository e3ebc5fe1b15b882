/**
 * Deletes what killed runs left on a target: their journals say what that is. And what this run may have left, where an
 * answer never came.
 *
 * @module
 */

import type { Session } from '../session.ts'
import { findIntended } from './find-intended.ts'
import { type Intent, type JournalState, journalsOf, removeJournal } from './journal.ts'
import { isKey, keyEntry } from './key-entry.ts'
import { removalOf } from './removal.ts'

/** @returns what there is to tell, one line each; what could not be deleted joins the leftovers of this run */
export async function recoverLeftovers(session: Session, folder?: string): Promise<string[]> {
  if (session.options.readOnly === true || session.options.journal === undefined) return []
  const notes: string[] = []
  for (const journal of journalsOf(session.target.baseUrl, folder)) {
    if (journal.alive) continue
    const before = session.ledger.leftovers.length
    const found = await session.recorder.silently(() => search(session, journal.unsure))
    const created = [...journal.created, ...found]
    for (const entry of created.toReversed()) await recover(session, entry)
    const kept = session.ledger.leftovers.length - before
    if (created.length > 0) notes.push(tellOf(journal, created.length, kept))
    if (kept === 0) removeJournal(journal.file)
  }
  return notes
}

/** The clean-up at the end of a run: what its checks shared, and what was created without an answer that told its id. */
export async function cleanEnd(session: Session): Promise<void> {
  const { ledger, recorder } = session
  await recorder.silently(async () => {
    for (const intent of ledger.unsure) {
      const left = ledger.leftovers.length
      for (const entry of await search(session, [intent])) await recover(session, entry)
      if (ledger.leftovers.length === left) ledger.settle(intent)
    }
    await ledger.cleanKept()
  })
}

function tellOf({ startedAt }: JournalState, all: number, kept: number): string {
  return `a run of ${startedAt} left records behind: ${all - kept} of ${all} deleted now`
}

/** The records of creates whose answers told no id, or did not come. Where nothing can be listed, that is a leftover for people to look at. */
async function search(session: Session, unsure: readonly Intent[]): Promise<{ table: string; id: string }[]> {
  const found: { table: string; id: string }[] = []
  for (const intent of unsure) {
    const { table, field, value } = intent
    const result = await findIntended(session, remover(session), intent).catch((error: Error) => ({
      reason: error.message,
    }))
    if ('ids' in result) found.push(...result.ids.map((id) => ({ table, id })))
    else
      session.ledger.leftovers.push({
        table,
        id: 'unknown',
        reason: `no answer told the id of what was created (${field} ${value}), and it cannot be searched for: ${result.reason}`,
      })
  }
  return found
}

function remover(session: Session) {
  return session.cleaner(session.actors.knows('superuser') ? 'superuser' : 'guest')
}

/** The ledger does it, with its second try and its leftovers. */
async function recover(session: Session, { table, id }: { table: string; id: string }): Promise<void> {
  const mark = session.ledger.mark()
  session.ledger.enter(
    isKey({ table })
      ? keyEntry(session, id)
      : {
          table,
          id,
          async remove() {
            const api = remover(session)
            const reply = await api.delete({ role: '', name: table }, id)
            return removalOf(session, api, { table, id }, reply)
          },
        },
  )
  await session.recorder.silently(() => session.ledger.cleanTo(mark))
}
