/**
 * Superusers: which table they are of, and where they may come from.
 *
 * @module
 */

import { BlockList, isIP, isIPv6 } from 'node:net'
import { forbidden } from '../errors.ts'
import type { RequestContext } from '../services.ts'
import { superusers } from '../tables/system.ts'
import type { Table } from '../vocabulary.ts'

/** Whether records of a table are superusers: they pass every rule (contract-auth 10.7). */
export function isSuperusersTable(table: Table): boolean {
  return table.system && table.name === superusers.name
}

/** @throws ApiError 403 when the client's address is none that superusers may come from */
export function rejectForeignAddress({ services, ip }: RequestContext): void {
  const { superuserIPs } = services
  if (superuserIPs !== undefined && !superuserIPs.check(ip, isIPv6(ip) ? 'ipv6' : 'ipv4')) throw forbidden()
}

/** @throws ApiError 403 for a superuser's token from an address that superusers may not come from */
export function rejectForeignSuperuser(context: RequestContext): void {
  if (context.caller.kind === 'superuser') rejectForeignAddress(context)
}

/**
 * Addresses and subnets as a list that can be asked; undefined when there are none.
 *
 * @throws RangeError for what is neither
 */
export function addressList(entries: readonly string[]): BlockList | undefined {
  if (entries.length === 0) return undefined
  const list = new BlockList()
  for (const entry of entries) {
    const [address = '', bits] = entry.split('/')
    const family = isIPv6(address) ? 'ipv6' : 'ipv4'
    if (isIP(address) === 0)
      throw new RangeError(`"${entry}" is no address: write 10.0.0.1, 10.0.0.0/8 or ::1.`)
    if (bits === undefined) list.addAddress(address, family)
    else list.addSubnet(address, Number(bits), family)
  }
  return list
}
