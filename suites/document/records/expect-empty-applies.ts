import { expectSuccess, expectThat, isRejected } from '../../../harness/judging/expect.ts'
import { isReusable } from '../../../harness/ownership/holds-proof.ts'
import type { CheckContext } from '../../../harness/vocabulary/check.ts'
import type { TableRef } from '../../../harness/vocabulary/target.ts'
import { recordOf } from '../../shared/records/record-of.ts'

type Value = string | number | boolean

/** What a field holds first, and the empty value that replaces it. */
type Emptied = [field: string, full: Value, empty: Value]

/**
 * An update that sends an empty string, zero or false replaces the value of a field. Judged only if the field kept its
 * first value and the update is accepted: a field may be required. An empty value may be shown in any form.
 */
export async function expectEmptyApplies(context: CheckContext): Promise<void> {
  const { table, hasTable, make, unique } = context
  const plain = table('plain')
  const { id, title } = await make(plain, { title: unique('full') })
  // Without its title, nothing shows whose the record is: a short id may be another record's by then.
  if (typeof title === 'string' && !isReusable(id)) {
    await empties(context, plain, id, ['title', title, ''])
    await context.api.update(plain, id, { title: unique('full') })
  }
  for (const [role, text, emptied] of [
    ['related', 'name', [['rank', 3, 0]]],
    [
      'everything',
      'text',
      [
        ['number', 3, 0],
        ['bool', true, false],
        ['url', 'https://example.com/full', ''],
      ],
    ],
  ] as [string, string, Emptied[]][]) {
    if (!hasTable(role)) continue
    const record = await make(table(role), { [text]: unique('full') })
    const other = role === 'related' ? await make(table(role), { [text]: unique('parent') }) : undefined
    const relation: Emptied[] = other === undefined ? [] : [['parent', other.id, '']]
    for (const each of [...emptied, ...relation]) await empties(context, table(role), record.id, each)
  }
}

async function empties(
  { api }: CheckContext,
  table: TableRef,
  id: string,
  [field, full, empty]: Emptied,
): Promise<void> {
  const shown = async () => recordOf(await api.view(table, id))[field]
  if (isRejected(await api.update(table, id, { [field]: full })) || (await shown()) !== full) return
  const response = await api.update(table, id, { [field]: empty })
  if (isRejected(response)) return
  expectSuccess(response, 'an update')
  const after = await shown()
  expectThat(
    after !== full,
    `${field} still has its former value after an update that sends ${JSON.stringify(empty)}`,
    JSON.stringify(empty),
    after,
  )
}
