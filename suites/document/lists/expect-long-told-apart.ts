import { expectThat } from '../../../harness/judging/expect.ts'
import type { CheckContext } from '../../../harness/vocabulary/check.ts'
import { equals, idsOf } from '../../shared/lists/shared-records.ts'
import { listOf, recordOf } from '../../shared/records/record-of.ts'
import { unlessPrevented } from '../../shared/unless-prevented.ts'

/** Lengths of titles: above 64, and above 255 characters. */
const LENGTHS = [70, 300] as const

/**
 * A filter by a long title finds its record, and not one whose title differs in the last letter only. How long a title or
 * a condition may be is left open (8): only an accepted filter, for titles that are shown as they were sent, is judged.
 */
export async function expectLongToldApart(context: CheckContext): Promise<void> {
  if (!context.mayExist('viewRecord')) return
  const { api, makeMany, table, unique } = context
  const plain = table('plain')
  for (const length of LENGTHS) {
    const common = unique('long').padEnd(length - 1, '-and-so-on')
    const titles = [`${common}a`, `${common}b`] as const
    const made = await unlessPrevented(() =>
      makeMany(
        plain,
        titles.map((title) => ({ title })),
      ),
    )
    if (made === undefined) return
    const [one = '', other = ''] = idsOf(made)
    const shown = []
    for (const id of [one, other]) shown.push(recordOf(await api.view(plain, id)).title)
    if (shown.join() !== titles.join()) return
    const response = await api.list(plain, { filter: equals(context, plain, 'title', titles[0]) })
    if (!response.ok) return
    const found = idsOf(listOf(response).items)
    const what = `a filter by a title of ${length} characters`
    expectThat(!found.includes(other), `${what} finds another title, too`, 'only matching records', titles[1])
    expectThat(found.includes(one), `${what} does not find it`, titles[0], found)
  }
}
