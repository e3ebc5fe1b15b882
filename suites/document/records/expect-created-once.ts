import { expectThat } from '../../../harness/judging/expect.ts'
import type { Body } from '../../../harness/vocabulary/api.ts'
import type { CheckContext } from '../../../harness/vocabulary/check.ts'
import type { TableRef } from '../../../harness/vocabulary/target.ts'
import { readTable } from '../../shared/records/read-table.ts'
import { relationOf } from '../../shared/records/relation-of.ts'
import { textFieldOf } from '../../shared/records/text-field-of.ts'
import { unlessPrevented } from '../../shared/unless-prevented.ts'

/** More than 2,000 bytes. */
const long = 'and so on '.repeat(220).trim()

/**
 * A create with a relation adds one record, and so does one with a long body. Which values a field takes is left open: only
 * an accepted create is judged.
 */
export async function expectCreatedOnce(context: CheckContext): Promise<void> {
  const { hasTable, make, table, unique } = context
  const related = await unlessPrevented(async () => {
    const { child, parent } = relationOf(context)
    return { child, id: (await make(parent, { name: unique('parent') })).id }
  })
  if (related !== undefined)
    await expectOne(context, related.child, 'a relation', unique('child'), { parent: related.id })
  const mark = unique('long')
  await expectOne(context, table('plain'), 'a long title', `${mark} ${long}`, {}, mark)
  if (hasTable('everything'))
    await expectOne(context, table('everything'), 'a long text', unique('long'), { editor: `<p>${long}</p>` })
}

/** @param begins with what the text begins */
async function expectOne(
  { api, make }: CheckContext,
  table: TableRef,
  what: string,
  text: string,
  body: Body,
  begins = text,
): Promise<void> {
  const field = textFieldOf(table.role)
  if ((await unlessPrevented(() => make(table, { ...body, [field]: text }))) === undefined) return
  const made = await readTable(api, table, (record) =>
    String(record[field]).toLowerCase().startsWith(begins.toLowerCase()),
  )
  expectThat(made.size <= 1, `a create with ${what} added ${made.size} records`, 'one record', [
    ...made.keys(),
  ])
}
