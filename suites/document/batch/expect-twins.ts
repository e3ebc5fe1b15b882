import { expectThat } from '../../../harness/judging/expect.ts'
import type { CheckContext } from '../../../harness/vocabulary/check.ts'
import { subRequests } from '../../shared/batch/entries.ts'
import { recordsWith } from '../../shared/lists/shared-records.ts'

/**
 * Two creates with the same body in one batch create two records, as they do alone. A table may reject the second one, and
 * the batch with it: then there is none.
 */
export async function expectTwins(context: CheckContext): Promise<void> {
  const { api, table, unique } = context
  const plain = table('plain')
  const title = unique('twin')
  const twin = subRequests(api).create(plain, { title })
  if (!(await api.batch([twin, twin])).ok) return
  const { length: written } = await recordsWith(context, plain, 'title', title, api)
  // A batch that fails may return 2xx, too.
  expectThat(
    written !== 1,
    'of two creates with the same body in a batch, only one made a record',
    'two records, or none where the table rejects the second',
    written,
  )
}
