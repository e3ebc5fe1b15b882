/**
 * Follows walks along the links of the description: every link in each run, and more walks with `--runs`.
 *
 * @module
 */

import fc from 'fast-check'
import { UntestableError } from '../../../harness/judging/expect.ts'
import type { CheckContext } from '../../../harness/vocabulary/check.ts'
import { openApiDocument } from '../../../spec/openapi.ts'
import { followWalk } from './follow-walk.ts'
import { linksOf } from './links.ts'
import { canStart } from './starts.ts'
import { covering, type Start, walksOf } from './walks.ts'

/** Links of the longest walk. */
const longest = 4
/** Milliseconds for all walks: each is up to five requests, and what they need. */
const timeLimit = 60_000

/** @param accepted whether every request must be accepted */
export async function linkProperty(
  context: CheckContext,
  starts: readonly Start[],
  accepted = false,
): Promise<void> {
  const possible = starts.filter((start) => canStart(context, start))
  const walks = walksOf(linksOf(openApiDocument()), possible, longest)
  if (walks.length === 0) throw new UntestableError('the target has no table with which a walk can begin')
  const byTitle = new Map(walks.map((walk) => [walk.title, walk]))
  const examples = covering(walks).map(({ title }): [string] => [title])
  let isAccepted = false
  await context.property(
    [fc.constantFrom(...byTitle.keys())],
    async (title) => {
      const walk = byTitle.get(title)
      if (walk !== undefined && (await followWalk(context, walk, accepted))) isAccepted = true
    },
    { runs: examples.length + 2, examples, timeLimit },
  )
  if (!isAccepted) throw new UntestableError('the target accepted no request with which a walk begins')
}
