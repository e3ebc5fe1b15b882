import { UntestableError } from '../../../harness/judging/expect.ts'
import type { TableRef } from '../../../harness/vocabulary/target.ts'
import { formHint } from '../../../harness/wire/query-text.ts'
import { textFieldOf } from '../../shared/records/text-field-of.ts'

/**
 * The error for a text field by which the server does not sort. The document does not say which fields are sortable.
 *
 * @param rejection the status with which the order was rejected. Absent: the order has no effect
 */
export function notSortable(table: TableRef, rejection?: number): UntestableError {
  const ours = textFieldOf(table.role)
  const field = table.fields?.[ours] ?? ours
  const fact =
    rejection === undefined
      ? `an order by "${field}" has no effect in ${table.name}`
      : `an order by "${field}" of ${table.name} is rejected with ${rejection}`
  return new UntestableError(
    `${fact}, and the document does not say which fields are sortable`,
    `map "${ours}" of the role "${table.role}" to a text field by which lists can be sorted; if orders have another form, ${formHint('order')}`,
  )
}
