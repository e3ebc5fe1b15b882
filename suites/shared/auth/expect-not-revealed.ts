import { expectThat } from '../../../harness/judging/expect.ts'
import type { ApiResponse } from '../../../harness/vocabulary/api.ts'
import { reveals, shownOf } from './reveals.ts'

/**
 * The responses to wrong proofs do not reveal the right one. A single response may contain it by coincidence: it may repeat
 * what was sent, or show an identifier or a time with the digits of a code. Not all of them do.
 */
export function expectNotRevealed(
  responses: readonly Pick<ApiResponse, 'text' | 'headers'>[],
  proof: string,
  what: string,
): void {
  const isHidden = responses.some((response) => !reveals(response, proof))
  const last = responses.at(-1)
  expectThat(
    isHidden,
    `the rejection of ${what} reveals the right one`,
    'no proof',
    last === undefined ? undefined : shownOf(last),
  )
}
