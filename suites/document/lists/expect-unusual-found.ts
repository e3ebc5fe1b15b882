import { expectThat } from '../../../harness/judging/expect.ts'
import type { CheckContext } from '../../../harness/vocabulary/check.ts'
import { overridesForm, takesWholeValue } from '../../../harness/wire/query-text.ts'
import type { Binding } from '../../../spec/vocabulary.ts'
import { equals, idsOf } from '../../shared/lists/shared-records.ts'
import { listOf, recordOf } from '../../shared/records/record-of.ts'
import { unlessPrevented } from '../../shared/unless-prevented.ts'

/**
 * Ends of titles: letters outside of ASCII that have one form only, and what a syntax of filters or of queries may have to
 * escape.
 */
const ENDS = {
  'other letters': 'øß漢字',
  'letters of four bytes': '𠮷𠮾',
  'a space': ' apart',
  'an apostrophe': " o'clock",
  'a comma': ', and more',
  'an ampersand': ' & sons',
  'a semicolon': '; the end',
} as const

/**
 * A filter finds a title with letters of other languages, a space, or a punctuation mark, and no other title. In the
 * profile's filter syntax, values are in quotation marks, and none of them needs an escape. In a syntax of the target's
 * own, letters need none, and neither does a value that is a parameter of its own. The document does not say which values a field or a filter accepts: only an accepted filter, for
 * a title shown as it was sent, is judged.
 */
export async function expectUnusualFound(context: CheckContext): Promise<void> {
  if (!context.mayExist('viewRecord')) return
  const { api, binding, make, table, unique } = context
  const plain = table('plain')
  for (const [what, end] of Object.entries(ENDS)) {
    if (!mayContain(end, binding)) continue
    const mark = unique('unusual')
    const title = `${mark}${end}`
    const record = await unlessPrevented(() => make(plain, { title }))
    if (record === undefined) continue
    if (recordOf(await api.view(plain, record.id)).title !== title) continue
    const response = await api.list(plain, { filter: equals(context, plain, 'title', title) })
    if (!response.ok) continue
    const { items } = listOf(response)
    expectThat(
      idsOf(items).includes(record.id),
      `a filter does not find a title with ${what}`,
      title,
      items.map((item) => item.title),
    )
    // Which titles of the same mark are equal to it is left open: letter case, accents, spaces.
    const stranger = items.find((item) => isStranger(item.title, mark))
    expectThat(
      stranger === undefined,
      `a filter by a title with ${what} finds another title, too`,
      'only matching records',
      stranger,
    )
  }
}

/** Whether it is known how a condition on such a value is written. In a parameter of its own, a comma may separate values. */
function mayContain(end: string, binding: Binding): boolean {
  if (!/[^\p{L}]/u.test(end) || !overridesForm(binding, 'filter')) return true
  return takesWholeValue(binding) && !end.includes(',')
}

function isStranger(title: unknown, mark: string): boolean {
  return typeof title === 'string' && !title.toLowerCase().includes(mark.toLowerCase())
}
