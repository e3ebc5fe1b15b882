import type { Api, SubRequest } from '../../../harness/vocabulary/api.ts'
import type { CheckContext } from '../../../harness/vocabulary/check.ts'
import { subRequests } from '../../shared/batch/entries.ts'
import { expectNoneTitled } from './expect-none-titled.ts'

/** A create writes nothing in a batch with a sub-request that fails, before it or behind it. */
export async function expectNeither(
  context: CheckContext,
  sender: Api,
  title: string,
  [what, bad]: readonly [what: string, bad: SubRequest],
): Promise<void> {
  const good = subRequests(sender).create(context.table('plain'), { title })
  await sender.batch([good, bad])
  await sender.batch([bad, good])
  await expectNoneTitled(context, title, `of two batches ${what}`)
}
