/**
 * The entry of the cleanup registry for a record that a response named as created, or that was found by its text.
 *
 * @module
 */

import { isAboutPermission, isSuccess } from '../../spec/status-range.ts'
import type { OwnershipClaim } from '../ownership/holds-proof.ts'
import { idOf } from '../ownership/prior-records.ts'
import type { CleanUp } from '../vocabulary/session.ts'
import type { Wire } from '../vocabulary/wire.ts'
import type { CleanupEntry, Removal } from './cleanup-registry.ts'
import { removeAs } from './remove-as.ts'

/** @param claim already registered; its viewers delete the record if no superuser is known */
export function recordEntry(session: Wire & CleanUp, claim: OwnershipClaim): CleanupEntry {
  const { table, id, marks } = claim
  const silently = <T>(work: () => Promise<T>) => session.recorder.silently(work)
  return {
    table,
    id,
    marks,
    standing: () => session.ownership.standing(table, id),
    isGone: () => session.ownership.isGone(table, id),
    remains: () => silently(() => remains(session, claim)),
    remove: () => silently(() => removeFirst(session, claim)),
    onDeleted: () => session.ownership.drop(table, id),
    onForeign: (why) => session.ownership.leaveAlone(table, id, why),
  }
}

/** Whether one of its clients still sees a record that was reported as deleted. Then it is this run's again. */
async function remains(session: CleanUp, claim: OwnershipClaim): Promise<boolean> {
  for (const viewer of claim.viewers) {
    const { ok, body } = await (await viewer()).view({ role: '', name: claim.table }, claim.id)
    if (!ok || idOf(body) !== claim.id) continue
    session.ownership.claim(claim)
    return true
  }
  return false
}

/**
 * Deletes a record as a superuser or, without one, as the first of its clients that is allowed to. A server may reject a
 * superuser whose token is wrong or has expired: then one of these clients may still be allowed to.
 */
export async function removeFirst(
  session: Wire,
  { viewers, ...place }: Pick<OwnershipClaim, 'table' | 'id' | 'viewers'>,
): Promise<Removal> {
  const root = session.actors.knows('superuser')
    ? await removeAs(session, session.mostAble(), place)
    : undefined
  if (root !== undefined && !isAboutPermission(root.status)) return root
  let last: Removal = { status: 0, reason: 'no one has permission to delete it' }
  for (const client of viewers) {
    last = await removeAs(session, await client(), place)
    if (isSuccess(last.status)) return last
  }
  return root ?? last
}
