/**
 * Superusers: their table, and the client addresses that they may use.
 *
 * @module
 */

import { BlockList, isIP, isIPv6 } from 'node:net'
import { forbidden } from '../errors.ts'
import type { RequestContext } from '../services.ts'
import { superusers } from '../tables/system.ts'
import type { Table } from '../vocabulary.ts'

/** Whether the records of a table are superusers, which bypass every rule (contract-auth 10.7). */
export function isSuperusersTable(table: Table): boolean {
  return table.system && table.name === superusers.name
}

/** @throws ApiError 403 if superusers may not use the client's address */
export function rejectForeignAddress({ services, ip }: RequestContext): void {
  const { superuserIPs } = services
  if (superuserIPs === undefined || superuserIPs.check(ip, isIPv6(ip) ? 'ipv6' : 'ipv4')) return
  throw forbidden(() => {
    const allowed = superuserIPs.rules.map((rule) => rule.replace(/^.* /, ''))
    return `The address of the client, ${ip}, is not in superuserIPs: superusers may use ${allowed.join(', ')}.`
  })
}

/** @throws ApiError 403 for a superuser's token from an address that superusers may not use */
export function rejectForeignSuperuser(context: RequestContext): void {
  if (context.caller.kind === 'superuser') rejectForeignAddress(context)
}

/**
 * Addresses and subnets as a block list to check against; undefined if there are none.
 *
 * @throws RangeError for a string that is neither an address nor a subnet
 */
export function addressList(entries: readonly string[]): BlockList | undefined {
  if (entries.length === 0) return undefined
  const list = new BlockList()
  for (const entry of entries) {
    const [address = '', bits] = entry.split('/')
    const family = isIPv6(address) ? 'ipv6' : 'ipv4'
    if (isIP(address) === 0)
      throw new RangeError(`"${entry}" is not an address: write 10.0.0.1, 10.0.0.0/8 or ::1.`)
    if (bits === undefined) list.addAddress(address, family)
    else list.addSubnet(address, Number(bits), family)
  }
  return list
}
