import { expectEqual } from '../../../harness/judging/expect.ts'
import type { CheckContext } from '../../../harness/vocabulary/check.ts'
import { subRequests } from '../../shared/batch/entries.ts'
import { expectGone } from '../../shared/records/expect-gone.ts'
import { recordOf } from '../../shared/records/record-of.ts'
import { tableByIdIfKnown } from '../../shared/records/table-by-id.ts'
import { textFieldOf } from '../../shared/records/text-field-of.ts'

/**
 * Batches of one update or one delete, in tables with many kinds of fields, by both names of the table. A write that is
 * accepted alone has its effect in a batch that is accepted.
 */
export async function expectWrittenByPath(context: CheckContext): Promise<void> {
  const { api, hasTable, make, unique } = context
  const { remove, update } = subRequests(api)
  for (const role of ['related', 'everything']) {
    if (!hasTable(role)) continue
    const field = textFieldOf(role)
    const table = context.table(role)
    const made = () => make(table, { [field]: unique('old') })
    const record = await made()
    const byId = await tableByIdIfKnown(context, table, record)
    for (const [path, form] of [
      [table, 'name'],
      [byId, 'identifier'],
    ] as const) {
      if (path === undefined) continue
      const where = `in a batch, by the ${form} of ${table.name}`
      const text = unique('new')
      const isUpdated =
        (await api.update(path, record.id, { [field]: unique('new') })).ok &&
        (await api.batch([update(path, record.id, { [field]: text })])).ok
      if (isUpdated)
        expectEqual(
          recordOf(await api.view(table, record.id))[field],
          text,
          `${field} after an update ${where}`,
        )
      const [alone, batched] = [await made(), await made()]
      const isDeleted =
        (await api.delete(path, alone.id)).ok && (await api.batch([remove(path, batched.id)])).ok
      if (isDeleted) expectGone(await api.view(table, batched.id), batched, `a view after a delete ${where}`)
    }
  }
}
