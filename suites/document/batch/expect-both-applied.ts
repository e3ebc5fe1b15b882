import { expectEqual, expectSuccess } from '../../../harness/judging/expect.ts'
import type { WireRecord } from '../../../harness/vocabulary/api.ts'
import type { CheckContext } from '../../../harness/vocabulary/check.ts'
import type { TableRef } from '../../../harness/vocabulary/target.ts'
import { subRequests } from '../../shared/batch/entries.ts'
import { recordOf } from '../../shared/records/record-of.ts'
import { possibleWrites, updateApplies } from './pair-world.ts'

/**
 * Of two updates of one record in a batch, with different fields, both apply: the second one starts from the record that
 * the first one left. Judged where an update of either field succeeds alone.
 */
export async function expectBothApplied(context: CheckContext): Promise<void> {
  const { api, unique } = context
  const scene = await updatable(context)
  if (scene === undefined) return
  const { table, record, field, values } = scene
  const { update } = subRequests(api)
  const [first, then] = values
  for (const [value, isLast] of [
    [then, false],
    [first, true],
  ] as const) {
    const name = unique('both')
    const pair = [update(table, record.id, { [field]: value }), update(table, record.id, { name })]
    expectSuccess(await api.batch(isLast ? pair.toReversed() : pair), 'a batch of two updates of one record')
    const shown = recordOf(await api.view(table, record.id))
    expectEqual(
      { [field]: shown[field], name: shown.name },
      { [field]: value, name },
      'the fields of a record that two updates of a batch changed',
    )
  }
}

interface Updatable {
  table: TableRef
  record: WireRecord
  /** Not the name. */
  field: string
  /** The value that the record has, and another one. */
  values: readonly [unknown, unknown]
}

/** A record with a field that an update can change, in addition to its name; undefined if there is none. */
async function updatable(context: CheckContext): Promise<Updatable | undefined> {
  const { hasTable, make, table, unique } = context
  const role = hasTable('related') ? 'related' : 'child'
  if (role === 'child' && !(hasTable('child') && hasTable('parent'))) return undefined
  const { updates, moves, parents } = await possibleWrites(context, role)
  if (!updates) return undefined
  if (role === 'child') {
    if (!moves) return undefined
    const [parent, other] = parents
    const record = await make(table(role), { name: unique('both'), parent })
    return { table: table(role), record, field: 'parent', values: [parent, other] }
  }
  const record = await make(table(role), { name: unique('both'), rank: 1 })
  if (!(await updateApplies(context, table(role), record.id, { rank: 2 }))) return undefined
  return { table: table(role), record, field: 'rank', values: [2, 1] }
}
