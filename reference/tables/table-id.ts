/**
 * Ids that follow from names, so that definitions without ids give the same tables in every process.
 *
 * @module
 */

import { crc32 } from 'node:zlib'

/** The id of a table without one: the same name gives the same id on every server (contract-records 9.1). */
export function tableId(type: string, name: string): string {
  return `pbc_${crc32(type + name)}`
}

/** The id of a field without one. */
export function fieldId(type: string, name: string): string {
  return `${type}${crc32(name)}`
}
