import { expectThat } from '../../../harness/judging/expect.ts'
import type { ApiResponse } from '../../../harness/vocabulary/api.ts'
import type { CheckContext } from '../../../harness/vocabulary/check.ts'

/** The precondition: an ordinary create succeeds. A server that does nothing at all survives every request. */
export async function expectOrdinary({ make, table }: CheckContext, role: string): Promise<void> {
  await make(table(role))
}

/** No request causes a server error, and every body is JSON. A rejection gives its reason in an object. */
export function expectSafe(response: ApiResponse, what: string): void {
  expectThat(
    response.status < 500,
    `${what} returned a server error`,
    'a status below 500',
    `${response.status} ${response.text}`,
  )
  if (response.status === 204 || (response.status >= 300 && response.status < 400)) return
  expectThat(
    response.body !== undefined,
    `${what} returned a body that is not JSON`,
    'JSON',
    `${response.status} ${response.text}`,
  )
  if (response.ok) return
  expectThat(
    typeof response.body === 'object' && response.body !== null,
    `${what} was rejected without an error object`,
    'an object',
    response.text,
  )
}
