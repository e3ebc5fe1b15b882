import type { Api } from '../../../harness/vocabulary/api.ts'
import type { CheckContext } from '../../../harness/vocabulary/check.ts'
import type { TableRef } from '../../../harness/vocabulary/target.ts'
import { unlessPrevented } from '../unless-prevented.ts'
import { everyAction } from './every-action.ts'
import { otherCallers } from './sessions.ts'

/** A client with credentials of its own. */
export interface SuiteCaller {
  /** For messages: `a superuser`. */
  who: string
  api: Api
}

/**
 * A guest, and each other client that the target lets a run have: a server may serve each of them by other code. A
 * project API key is for `table`.
 */
export async function allCallers(context: CheckContext, table: TableRef): Promise<SuiteCaller[]> {
  const { api, apiKeys, has } = context
  const key = has('apiKeys')
    ? await unlessPrevented(() => apiKeys.make({ tables: [table], actions: everyAction }))
    : undefined
  return [
    { who: 'a guest', api },
    ...(await otherCallers(context)),
    ...(key === undefined ? [] : [{ who: 'a project API key', api: api.withToken(key.key, 'key') }]),
  ]
}
