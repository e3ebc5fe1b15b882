import { reportsNoRefresh } from '../../../harness/explore/reported-methods.ts'
import { isRejected, UntestableError } from '../../../harness/judging/expect.ts'
import { responseSummary } from '../../../harness/judging/response-summary.ts'
import type { ApiResponse } from '../../../harness/vocabulary/api.ts'
import type { CheckContext } from '../../../harness/vocabulary/check.ts'
import type { TableRef } from '../../../harness/vocabulary/target.ts'

/**
 * To be called with the response to a refresh. Whether a table refreshes sessions is its own decision, which auth-methods
 * reports (document, section 5). One that does not mention refreshes has them.
 *
 * @throws UntestableError if it was rejected, and the table reports that its sessions are not refreshed
 */
export async function expectRefreshOffered(
  { api, once }: Pick<CheckContext, 'api' | 'once'>,
  table: TableRef,
  response: ApiResponse,
): Promise<void> {
  if (!isRejected(response)) return
  const isOff = await once(`whether ${table.name} reports that sessions are not refreshed`, async () => {
    const methods = await api.authMethods(table)
    return methods.ok && reportsNoRefresh(methods.body)
  })
  if (!isOff) return
  throw new UntestableError(
    `auth-methods of ${table.name} reports that sessions are not refreshed, and the server rejects it (${responseSummary(response, 100)})`,
    'target file: "operations": { "authRefresh": false }, or map the role to an auth table with refreshes',
  )
}
