import { expectThat } from '../../../harness/judging/expect.ts'
import type { Reply } from '../../../harness/vocabulary/api.ts'
import type { CheckContext } from '../../../harness/vocabulary/check.ts'

/** The positive control: an ordinary create succeeds. A server that does nothing at all withstands everything. */
export async function expectOrdinary({ make, table }: CheckContext, role: string): Promise<void> {
  await make(table(role))
}

/** Whatever was asked: no server fault, and what has a body has a JSON one. Refusals say what they are in an object. */
export function expectSafe(reply: Reply, what: string): void {
  expectThat(
    reply.status < 500,
    `${what} returned a server error`,
    'a status below 500',
    `${reply.status} ${reply.text}`,
  )
  if (reply.status === 204 || (reply.status >= 300 && reply.status < 400)) return
  expectThat(
    reply.body !== undefined,
    `${what} returned a body that is not JSON`,
    'JSON',
    `${reply.status} ${reply.text}`,
  )
  if (reply.ok) return
  expectThat(
    typeof reply.body === 'object' && reply.body !== null,
    `${what} was rejected without an error object`,
    'an object',
    reply.text,
  )
}
