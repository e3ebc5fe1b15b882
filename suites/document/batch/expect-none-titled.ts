import { expectEqual } from '../../../harness/judging/expect.ts'
import type { CheckContext } from '../../../harness/vocabulary/check.ts'
import { recordsWith } from '../../shared/lists/shared-records.ts'

/**
 * No record of `plain` has the title of a batch that failed, in any form of filters that the target has.
 *
 * @param what completes the message: the number of records …
 */
export async function expectNoneTitled(context: CheckContext, title: string, what: string): Promise<void> {
  const { length: written } = await recordsWith(context, context.table('plain'), 'title', title)
  expectEqual(written, 0, `the number of records ${what}`)
}
