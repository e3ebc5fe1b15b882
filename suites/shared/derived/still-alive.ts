/** An ordinary request is still responded to after requests that a server may reject. */

import { BlockedError, expectThat } from '../../../harness/judging/expect.ts'
import type { ApiResponse } from '../../../harness/vocabulary/api.ts'

/**
 * Sends an ordinary request before and after `work`.
 *
 * @throws BlockedError if it is rejected before the work
 */
export async function stillAlive(ordinary: () => Promise<ApiResponse>, work: () => Promise<void>) {
  const before = await ordinary()
  if (!before.ok)
    throw new BlockedError(`an ordinary request was rejected before the check: ${before.status}`)
  await work()
  const after = await ordinary()
  expectThat(
    after.ok,
    'an ordinary request is no longer accepted after requests that a server may reject',
    String(before.status),
    `${after.status} ${after.text}`,
  )
}
