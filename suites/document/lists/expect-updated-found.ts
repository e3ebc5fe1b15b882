import { expectThat } from '../../../harness/judging/expect.ts'
import type { CheckContext } from '../../../harness/vocabulary/check.ts'
import { itemsOf } from '../../shared/lists/items-of.ts'
import { equals, idsOf } from '../../shared/lists/shared-records.ts'
import { recordOf } from '../../shared/records/record-of.ts'
import { textFieldOf } from '../../shared/records/text-field-of.ts'
import { unlessPrevented } from '../../shared/unless-prevented.ts'

const ROLES = ['plain', 'related', 'everything']

/**
 * A filter by the value of a text field before an update finds the record no more, and one by its value after the update
 * does. Only in tables where it found the record by the value before, and if the update is accepted.
 */
export async function expectUpdatedFound(context: CheckContext): Promise<void> {
  const { api, hasTable, make, mayExist, table, unique } = context
  if (!mayExist('updateRecord') || !mayExist('viewRecord')) return
  for (const role of ROLES) {
    if (!hasTable(role)) continue
    const field = textFieldOf(role)
    const [before, after] = [unique('before'), unique('after')]
    const record = await unlessPrevented(() => make(table(role), { [field]: before }))
    if (record === undefined) continue
    const { id } = record
    const finds = async (value: string) =>
      idsOf(
        itemsOf(await api.list(table(role), { filter: equals(context, table(role), field, value) })),
      ).includes(id)
    if (!(await unlessPrevented(() => finds(before)))) continue
    if (!(await api.update(table(role), id, { [field]: after })).ok) continue
    if (recordOf(await api.view(table(role), id))[field] !== after) continue
    const of = `a record of ${table(role).name}`
    expectThat(await finds(after), `a filter does not find ${of} by what an update wrote`, 'the record', id)
    expectThat(!(await finds(before)), `a filter finds ${of} by what an update replaced`, 'no record', id)
  }
}
