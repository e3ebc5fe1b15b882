/**
 * Fields that a record of the server's own table has in addition to those that the suite knows.
 *
 * @module
 */

import type { WireRecord } from '../../../harness/vocabulary/api.ts'
import type { TableRef } from '../../../harness/vocabulary/target.ts'
import { loadRoles } from '../../../spec/tables.ts'

/** A field by its name in requests and in responses. */
export interface OwnField {
  sent: string
  shown: string
}

/** Names that the document or the suite gives a meaning. */
const known = new Set([
  ...['id', 'collectionId', 'collectionName', 'created', 'updated', 'email', 'verified', 'expand'],
  ...loadRoles().flatMap(({ definition: { fields = [] } }) => fields.map(({ name }) => name)),
])
/** What may decide who can reach the record, and so whether the run can delete it. */
const risky =
  /pass|secret|token|key|role|admin|owner|author|user|account|member|tenant|delet|remov|trash|archiv|hid|lock|expir|read.?only|frozen|version|revision|(^_)/i

/**
 * The fields of a record that neither the document, nor the suite, nor the target file gives a meaning, and whose value
 * satisfies the condition. A field that has a name of ours by coincidence is shown with a remark (`target/mapped-table.ts`).
 */
export function ownFields(
  { fields = {} }: TableRef,
  record: WireRecord,
  isMeant: (value: unknown) => boolean,
): OwnField[] {
  return Object.entries(record).flatMap(([shown, value]) => {
    const sent = shown.replace(/ \(unmapped\)$/, '')
    const isOurs = Object.hasOwn(fields, sent) || (sent === shown && known.has(sent))
    return isOurs || risky.test(sent) || !isMeant(value) ? [] : [{ sent, shown }]
  })
}
