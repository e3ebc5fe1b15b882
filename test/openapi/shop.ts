/**
 * A shop: the export of a server with ten tables and its superusers, in which every field type, kind of rule and kind of
 * table occurs.
 *
 * @module
 */

import { readFileSync } from 'node:fs'
import type { ExportedTable } from '../../openapi/openapi.ts'

const shopFile = new URL('shop.json', import.meta.url)

/** A fresh copy of the definitions. */
export function shopTables(): ExportedTable[] {
  return JSON.parse(readFileSync(shopFile, 'utf8')) as ExportedTable[]
}
