import { expectThat } from '../../../harness/judging/expect.ts'
import type { ApiResponse } from '../../../harness/vocabulary/api.ts'

/**
 * The responses to wrong proofs do not reveal the right one. One that repeats what was sent, or an identifier or a time
 * with the digits of a code, may contain it by coincidence: not all of them do.
 */
export function expectNotRevealed(
  responses: readonly Pick<ApiResponse, 'text'>[],
  proof: string,
  what: string,
): void {
  const silent = responses.some(({ text }) => !text.includes(proof))
  expectThat(silent, `the rejection of ${what} reveals the right one`, 'no proof', responses.at(-1)?.text)
}
