import { UntestableError } from '../../../harness/judging/expect.ts'
import type { CheckContext } from '../../../harness/vocabulary/check.ts'
import type { TableRef } from '../../../harness/vocabulary/target.ts'
import { formHint } from '../../../harness/wire/query-text.ts'
import { type SharedRecords, sortBy } from '../../shared/lists/shared-records.ts'
import { textFieldOf } from '../../shared/records/text-field-of.ts'

/** Records of one table. Absent filter: all of them. */
interface Sortable extends Pick<SharedRecords, 'table'> {
  filter?: string
}

/**
 * The status with which the server rejects an order by a field, in one of its directions. Undefined: it accepts both.
 * Requested once for each table and field.
 */
export function rejectionOfOrder(
  context: CheckContext,
  { filter, table }: Sortable,
  field: string,
): Promise<number | undefined> {
  return context.once(`whether ${table.name} is sortable by ${field}`, async () => {
    for (const direction of ['ascending', 'descending'] as const) {
      const sort = sortBy(context, table, field, direction)
      const query = filter === undefined ? { sort } : { filter, sort }
      const { ok, status } = await context.api.list(table, query)
      if (!ok) return status
    }
    return undefined
  })
}

/**
 * The error for a field by which the server does not sort. The document does not say which fields are sortable.
 *
 * @param rejection the status with which the order was rejected. Absent: the order has no effect
 * @param ours the suite's name of the field. @default the text field of the table
 */
export function notSortable(
  table: TableRef,
  rejection?: number,
  ours = textFieldOf(table.role),
): UntestableError {
  const field = table.fields?.[ours] ?? ours
  const fact =
    rejection === undefined
      ? `an order by "${field}" has no effect in ${table.name}`
      : `an order by "${field}" of ${table.name} is rejected with ${rejection}`
  return new UntestableError(
    `${fact}, and the document does not say which fields are sortable`,
    `map "${ours}" of the role "${table.role}" to a field of its type by which lists can be sorted; if orders have another form, ${formHint('order')}`,
  )
}

/** @throws UntestableError where the server rejects an order by the field */
export async function expectSortable(context: CheckContext, records: Sortable, field: string): Promise<void> {
  const rejection = await rejectionOfOrder(context, records, field)
  if (rejection !== undefined) throw notSortable(records.table, rejection, field)
}
