import type { CheckContext } from '../../harness/vocabulary/check.ts'
import { subRequests } from './entries.ts'

/**
 * Sub-requests in one batch of a check of the document, one that fails included. How many a batch may hold is left open
 * (8); with fewer than three no parent comes with its children beside one that fails.
 */
export const MOST_ENTRIES = 5
const FEWEST = 3

/** Sub-requests that the target takes in one batch, at most `MOST_ENTRIES`: tried once a run. */
export function mostEntries({ api, table, unique, once }: CheckContext): Promise<number> {
  return once('most entries of a batch', async () => {
    const { create } = subRequests(api)
    for (let most = MOST_ENTRIES; most > FEWEST; most -= 1) {
      const creates = Array.from({ length: most }, () => create(table('plain'), { title: unique('most') }))
      const { status } = await api.batch(creates)
      if (status < 300) return most
      // Batches are for others, or there are none: the number is not the cause.
      if (status === 401 || status >= 500) return MOST_ENTRIES
    }
    const fewest = Array.from({ length: FEWEST }, () => create(table('plain'), { title: unique('most') }))
    return (await api.batch(fewest)).ok ? FEWEST : MOST_ENTRIES
  })
}
