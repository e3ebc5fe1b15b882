/**
 * Decides whose a record is by viewing it, and by listing its table where a view does not settle it.
 *
 * @module
 */

import { findIntended } from '../cleanup/find-intended.ts'
import { NO_RECORD } from '../support/no-record.ts'
import type { Api, ApiResponse } from '../vocabulary/api.ts'
import type { Wire } from '../vocabulary/wire.ts'
import { holdsProof, type KnownRecord, prove } from './holds-proof.ts'
import { idOf } from './prior-records.ts'
import { asksToWait, isUnavailable, saysGone, tellsMissing } from './says-gone.ts'

/**
 * Whose a record is: this run's, nonexistent, another's, or unknown. The last two have a reason, as in "it is left
 * alone: …".
 */
export type Standing = 'ours' | 'gone' | { foreign: string } | { unknown: string }

export const existedBefore = 'it existed before the run'

/** Of a record that may be this run's. */
export const unproven = 'no string in it proves that this run wrote it'

/** An id as a report shows it: a server may return one of any length. */
export function shortId(id: string): string {
  return id.length > 80 ? `${id.slice(0, 80)}… (${id.length} characters)` : id
}

const listedOnly = 'it is listed, but no view returns it'

const rejecting = 'the server rejects every view'

function rejectsViews({ status }: ApiResponse): string {
  return `${rejecting} with ${status}`
}

/** Whether the reason is that there are no views at all: another client would see no more. */
export function viewsAreRejected(reason: string): boolean {
  return reason.startsWith(rejecting)
}

/** A record to view, and what the run knows about it. */
export interface ViewedRecord {
  /** Path segment of the table. */
  table: string
  id: string
  /** Undefined if no response named it as created by this run. */
  known?: KnownRecord | undefined
  /** Whether it was this run's and should be deleted by now. */
  wasOurs: boolean
  /** Whether its table shows every record to guests, or to who stands in for them. */
  isVisible: boolean
  /** Whether a record of its table with this id existed before the run. */
  isPrior(id: string): boolean
}

type Run = Wire & { readonly scopes: ReadonlySet<string> }

/** Whose a record is, as views show it. If one proves that a known record is this run's, it is marked as proven. */
export async function standingByView(session: Run, record: ViewedRecord): Promise<Standing> {
  const others = [...(record.known?.viewers ?? []), async () => session.cleaner('guest')]
  if (!session.actors.knows('superuser')) return viewedBy(session, record, others)
  const standing = await viewedBy(session, record, [async () => session.cleaner('superuser')])
  if (typeof standing === 'string' || 'foreign' in standing || record.known === undefined) return standing
  // A server may reject a superuser whose token is wrong or has expired. Others can still prove whose record it is, but not
  // that it is gone.
  return (await viewedBy(session, record, others)) === 'ours' ? 'ours' : standing
}

/** @param viewers who view the record, one after the other, until one sees what proves that it is this run's */
async function viewedBy(
  session: Run,
  { table, id, known, wasOurs, isVisible, isPrior }: ViewedRecord,
  viewers: readonly (() => Promise<Api>)[],
): Promise<Standing> {
  let last: ApiResponse | undefined
  let missing: ApiResponse | undefined
  let foreign: Standing | undefined
  for (const viewer of viewers) {
    const [api, ref] = [await viewer(), { role: '', name: table }]
    const response = await api.view(ref, id)
    if (response.ok && typeof response.body === 'object' && response.body !== null) {
      const shown = idOf(response.body)
      if (shown !== undefined && shown.toLowerCase() !== id.toLowerCase())
        return { foreign: `a view of it returned the record ${shortId(shown)}` }
      // In another case it may be one that existed before.
      if (shown !== undefined && shown !== id && isPrior(shown)) return { foreign: existedBefore }
      if (!holdsProof(known, response.body, session.scopes)) {
        // A server may shorten a text, and the mark in it: no one can tell that from another client's record.
        const mayBeOurs = known !== undefined && !known.proven && known.scopes === session.scopes
        foreign = { foreign: mayBeOurs ? unproven : 'it contains nothing that the run wrote' }
        // Another client may see more of it: of an account, only the account itself may see the address.
        continue
      }
      if (known !== undefined) prove(known, response.body)
      return 'ours'
    }
    last = response
    if (wasOurs && !saysGone(response)) missing = await api.view(ref, NO_RECORD)
  }
  if (foreign !== undefined) return foreign
  // The response for a missing record is unspecified: it is compared with that for a record that never existed.
  const isMissing = missing !== undefined && !asksToWait(missing) && missing.status === last?.status
  if (!saysGone(last) && !isMissing)
    return { unknown: `a view of it returned ${last?.status ?? 'no response'}` }
  // For anyone but a superuser, a 404 may also mean that the record is hidden.
  const certain = known === undefined || session.actors.knows('superuser')
  if (certain && !isMissing) return 'gone'
  const intent = { table, field: 'id', value: id }
  const found = await findIntended(session, session.mostAble(), intent)
  if ('ids' in found && found.ids.length > 0)
    return { unknown: last !== undefined && isUnavailable(last) ? rejectsViews(last) : listedOnly }
  // A client that is always rejected cannot list either. For records that the run itself deleted, a 4xx is enough.
  if (isMissing && 'reason' in found && (known !== undefined || !tellsMissing(missing?.status)))
    return { unknown: `a view of it returned ${last?.status ?? 'no response'}` }
  // The table may be gone, or another server may respond: that says nothing about a record of an earlier run.
  if ('reason' in found && known !== undefined && known.scopes !== session.scopes)
    return { unknown: `its table cannot be listed: ${found.reason}` }
  // Where the table hides a record with an id that no response named, it is searched for by its text.
  return certain || isVisible || known.seen || known.assumed === true
    ? 'gone'
    : { unknown: 'no view in this run returned it, and only a superuser could see whether it exists' }
}
