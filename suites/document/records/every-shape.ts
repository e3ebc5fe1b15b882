import { BlockedError } from '../../../harness/judging/expect.ts'
import type { WireRecord } from '../../../harness/vocabulary/api.ts'
import type { CheckContext } from '../../../harness/vocabulary/check.ts'
import type { TableRef } from '../../../harness/vocabulary/target.ts'
import { readTable } from '../../shared/records/read-table.ts'
import { recordOf } from '../../shared/records/record-of.ts'
import { neededIn } from '../../shared/records/relation-of.ts'
import { unlessPrevented } from '../../shared/unless-prevented.ts'

/**
 * The records of several tables, two in each, as a view and a list return them. Each is judged before the next request, so
 * that a failure shows the deciding request last.
 */
export async function* everyShape(
  context: CheckContext,
): AsyncGenerator<{ table: TableRef; record: WireRecord; from: string }> {
  const { api, make, unique } = context
  for (const [role, field] of [
    ['plain', 'title'],
    ['related', 'name'],
    ['parent', 'name'],
    ['child', 'name'],
  ] as const) {
    if (role !== 'plain' && !context.hasTable(role)) continue
    const table = context.table(role)
    const needed = await neededIn(context, role)
    for (let n = 0; n < 2; n += 1) {
      const body = { ...needed, [field]: unique(field) }
      // A record of `child` may be the only one of its parent.
      const made = role === 'child' ? await unlessPrevented(() => make(table, body)) : await make(table, body)
      if (made === undefined) break
      yield { table, record: recordOf(await api.view(table, made.id)), from: 'a view' }
      const listed = (await readTable(api, table, ({ id }) => id === made.id)).get(made.id)
      if (listed === undefined)
        throw new BlockedError(`The list of ${table.name} does not contain a record that was just created.`)
      yield { table, record: listed, from: 'a list' }
    }
  }
}
