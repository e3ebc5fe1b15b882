import { expectThat } from '../../../harness/judging/expect.ts'
import type { ApiResponse, Body } from '../../../harness/vocabulary/api.ts'
import type { CheckContext } from '../../../harness/vocabulary/check.ts'
import { subRequests } from '../../shared/batch/entries.ts'
import { itemsOf } from '../../shared/lists/items-of.ts'
import { equals, idsOf } from '../../shared/lists/shared-records.ts'
import { recordOf } from '../../shared/records/record-of.ts'
import { textFieldOf } from '../../shared/records/text-field-of.ts'
import { unlessPrevented } from '../../shared/unless-prevented.ts'

const ROLES = ['plain', 'related', 'everything']

/**
 * A filter by the value of a text field before an update finds the record no more, and one by its value after the update
 * does. The same for a second update: an index may be written once only. Only in tables where the filter found the record
 * by the value before, and if the updates are accepted.
 */
export async function expectUpdatedFound(context: CheckContext): Promise<void> {
  const { api, hasTable, mayExist, table } = context
  if (!mayExist('updateRecord') || !mayExist('viewRecord')) return
  for (const role of ROLES)
    if (hasTable(role))
      await expectFoundAfter(context, role, 'an update', (id, body) => api.update(table(role), id, body))
  if (!context.has('batch') || !mayExist('batch')) return
  // Who may send a batch is left open.
  const { update } = subRequests(api)
  await expectFoundAfter(context, 'plain', 'a batch', (id, body) =>
    api.batch([update(table('plain'), id, body)]),
  )
}

async function expectFoundAfter(
  context: CheckContext,
  role: string,
  what: string,
  write: (id: string, body: Body) => Promise<ApiResponse>,
): Promise<void> {
  const { api, make, table, unique } = context
  const field = textFieldOf(role)
  const before = unique('before')
  const record = await unlessPrevented(() => make(table(role), { [field]: before }))
  if (record === undefined) return
  const { id } = record
  const finds = async (value: string) =>
    idsOf(
      itemsOf(await api.list(table(role), { filter: equals(context, table(role), field, value) })),
    ).includes(id)
  if (!(await unlessPrevented(() => finds(before)))) return
  // A list may have no condition on this field: then it shows the record whatever the value is.
  if ((await unlessPrevented(() => finds(unique('neither')))) !== false) return
  const of = `a record of ${table(role).name}`
  const former = [before]
  for (const [value, wrote] of [
    [unique('after'), what],
    [unique('newest'), `${what} after another one`],
  ] as const) {
    if (!(await write(id, { [field]: value })).ok) return
    if (recordOf(await api.view(table(role), id))[field] !== value) return
    expectThat(await finds(value), `a filter does not find ${of} by what ${wrote} wrote`, 'the record', id)
    for (const each of former)
      expectThat(!(await finds(each)), `a filter finds ${of} by what ${wrote} replaced`, 'no record', id)
    former.push(value)
  }
}
