/**
 * Deletes what killed runs left on a target: their journals say what that is.
 *
 * @module
 */

import { callHook } from './call-hook.ts'
import { type JournalState, journalsOf, removeJournal } from './journal.ts'
import { removalOf } from './ledger.ts'
import type { Session } from './session.ts'

/** @returns what there is to tell, one line each; what could not be deleted joins the leftovers of this run */
export async function recoverLeftovers(session: Session, folder?: string): Promise<string[]> {
  if (session.options.readOnly === true || session.options.journal === undefined) return []
  const notes: string[] = []
  for (const journal of journalsOf(session.target.baseUrl, folder)) {
    if (journal.alive) continue
    const before = session.ledger.leftovers.length
    for (const entry of journal.created.toReversed()) await recover(session, entry)
    const kept = session.ledger.leftovers.length - before
    if (journal.created.length > 0) notes.push(tellOf(journal, kept))
    if (kept === 0) removeJournal(journal.file)
  }
  return notes
}

function tellOf({ startedAt, created }: JournalState, kept: number): string {
  const gone = created.length - kept
  return `a run of ${startedAt} ended before it had cleaned up: ${gone} of ${created.length} records that it left were deleted now`
}

/** The ledger does it, with its second try and its leftovers. */
async function recover(session: Session, { table, id }: { table: string; id: string }): Promise<void> {
  const remover = session.cleaner(session.actors.knows('superuser') ? 'superuser' : 'guest')
  const mark = session.ledger.mark()
  session.ledger.enter({
    table,
    id,
    async remove() {
      if (table === 'API keys') {
        await callHook(session.target, 'revokeApiKey', { id })
        return { status: 204, reason: '' }
      }
      return removalOf(await remover.delete({ role: '', name: table }, id))
    },
  })
  await session.recorder.silently(() => session.ledger.cleanTo(mark))
}
