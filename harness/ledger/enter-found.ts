/**
 * Notes a record that was found by its text as this run's: the response to its create named nothing.
 *
 * @module
 */

import { BlockedError } from '../judging/expect.ts'
import { idOf } from '../ownership/prior-records.ts'
import type { Session } from '../session.ts'
import type { WireRecord } from '../vocabulary/api.ts'
import { type RecordPlace, removeAs } from './removal.ts'

/**
 * @param marks of the run that the create put into it
 * @throws BlockedError where it was there before the run
 */
export function enterFound(
  session: Session,
  table: string,
  record: WireRecord,
  marks: readonly string[],
): void {
  const place: RecordPlace = { table, id: record.id }
  const claim = { ...place, marks, viewers: [] }
  if (session.ownership.claim(claim) === 'foreign')
    throw new BlockedError(`the record ${record.id} of ${table} was there before the run: it is left alone`)
  session.ownership.saw(table, [record])
  const cleaner = () => session.cleaner(session.actors.knows('superuser') ? 'superuser' : 'guest')
  const silently = <T>(work: () => Promise<T>) => session.recorder.silently(work)
  session.ledger.enter({
    ...place,
    marks,
    standing: () => session.ownership.standing(table, record.id),
    remains: () =>
      silently(async () => {
        const { ok, body } = await cleaner().view({ role: '', name: table }, record.id)
        if (!ok || idOf(body) !== record.id) return false
        session.ownership.claim(claim)
        return true
      }),
    remove: () => silently(() => removeAs(session, cleaner(), place)),
    gone: () => session.ownership.drop(table, record.id),
    foreign: (why) => session.ownership.leaveAlone(table, record.id, why),
  })
}
