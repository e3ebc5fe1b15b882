/**
 * Decoy codes, which are never emailed. The response to a request for a code is the same for known and unknown
 * addresses. The limits must be the same too: the number of codes that are open for an address, and the number of
 * attempts. So an unknown address gets codes as well. They are kept as long as real ones and never sign anyone in.
 *
 * @module
 */

import type { RequestContext } from '../services.ts'
import type { Table } from '../vocabulary.ts'
import { emailKey } from './account.ts'

const listKey = (table: Table, email: string) => `decoy codes\0${table.id}\0${emailKey(table, email)}`
const codeKey = (table: Table, otpId: string) => `decoy code\0${table.id}\0${otpId}`

/**
 * The `otpId` for an address that no record has.
 *
 * @param lifetime milliseconds
 */
export function openDecoy(
  { services }: RequestContext,
  table: Table,
  email: string,
  lifetime: number,
): string {
  const { memory, environment, throttle } = services
  const now = environment.now()
  const known = JSON.parse(memory.about(listKey(table, email)) ?? '[]') as [string, number][]
  const open = known.filter(([, made]) => now - made <= lifetime)
  const newest = open.at(-1)
  if (throttle.openOtps > 0 && open.length >= throttle.openOtps && newest !== undefined) return newest[0]
  const otpId = environment.newId()
  const until = now + lifetime + 1
  const remembered = [...open, [otpId, now]].slice(-Math.max(throttle.openOtps, 1))
  memory.note(listKey(table, email), until, JSON.stringify(remembered))
  memory.note(codeKey(table, otpId), until, email)
  return otpId
}

/** The key under which attempts with a decoy are counted; undefined for a code that is not a decoy. */
export function decoyOwner({ services }: RequestContext, table: Table, otpId: string): string | undefined {
  const email = services.memory.about(codeKey(table, otpId))
  return email === undefined ? undefined : listKey(table, email)
}
