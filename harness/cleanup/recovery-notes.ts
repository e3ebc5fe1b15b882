/**
 * What the report says about the records that earlier runs left. Pure.
 *
 * @module
 */

import { countOf } from '../../spec/count-of.ts'
import type { CreatedRecord, JournalState } from './journal.ts'

/**
 * @param counts of all records of the run, and of those that do not exist any more, or that are another's
 * @param reasons why the others remain
 */
export function outcomeNote(
  { startedAt }: JournalState,
  { all, gone, foreign }: Record<'all' | 'gone' | 'foreign', number>,
  reasons: readonly string[],
): string {
  const deleted = all - gone - reasons.length - foreign
  const kept = reasons.length === 0 ? '' : `; ${reasons.length} could not be deleted: ${mainReason(reasons)}`
  const outcome =
    reasons.length === all
      ? `none of its ${countOf(all, 'record')} could be deleted: ${mainReason(reasons)}`
      : `${deleted} of ${all} are deleted now${kept}`
  const missing =
    gone === 0
      ? ''
      : `; ${gone} no longer ${gone === 1 ? 'exists' : 'exist'}: a view does not find ${gone === 1 ? 'it' : 'them'}`
  const others =
    foreign === 0 ? '' : `; ${foreign} are no longer that run's and are left alone: the database has changed`
  return `a run of ${startedAt} left records behind: ${outcome}${missing}${others}`
}

/** Nothing shows whose a key is: its id may belong to another client's key by now. */
export function keysNote({ startedAt }: JournalState, keys: readonly CreatedRecord[]): string {
  return `a run of ${startedAt} left ${keys.length} API keys behind; they are not revoked, because nothing proves that they are still its own: ${keys.map(({ id }) => id).join(', ')}`
}

/** For records that were reported as left behind and that no list shows. */
export function noneNote({ startedAt, unsure }: JournalState): string {
  return `a run of ${startedAt} saw no response to ${countOf(unsure.length, 'create')}; no list shows such a record now, so there is nothing to delete`
}

/** The most frequent one, and the number of the others. */
function mainReason(reasons: readonly string[]): string {
  const counts = new Map<string, number>()
  for (const reason of reasons) counts.set(reason, (counts.get(reason) ?? 0) + 1)
  const [[main = '', count = 0] = []] = [...counts].sort(([, one], [, other]) => other - one)
  const others = reasons.length - count
  return others === 0 ? main : `${main} (${others} for other reasons)`
}
