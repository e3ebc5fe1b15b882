/**
 * Which client sends the batches of a check. The document does not say who may send a batch: some servers accept none
 * from guests, others accept them from superusers only.
 *
 * @module
 */

import { BlockedError, UntestableError } from '../../../harness/judging/expect.ts'
import type { Api } from '../../../harness/vocabulary/api.ts'
import type { CheckBody, CheckContext } from '../../../harness/vocabulary/check.ts'
import { isSuccess } from '../../../spec/status-range.ts'
import { signedInIfPossible } from '../auth/sessions.ts'
import { subRequests } from './entries.ts'

/** Error responses after which the batch of another client may still be accepted, and that do not show a defect. */
const closed: ReadonlySet<number> = new Set([401, 403, 404])

type Client = 'guest' | 'account' | 'superuser'

/**
 * The body of a check whose `api` is the first client that may send batches: a guest, otherwise a signed-in account,
 * otherwise a superuser. If the server accepts no batch from any of them, it is the guest, and the check fails.
 *
 * @throws UntestableError if guests may send none, and there is no superuser to show whether anyone may
 */
export function batching(body: CheckBody): CheckBody {
  return async (context) => {
    const client = await context.once('client that may send batches', () => firstAccepted(context))
    await body({ ...context, api: await apiOf(context, client) })
  }
}

async function firstAccepted(context: CheckContext): Promise<Client> {
  const first = await trial(context, context.api)
  const { status } = first
  if (first.ok || status >= 500) return 'guest'
  const account = await accountApi(context)
  if (account !== undefined && (await trial(context, account)).ok) return 'account'
  if (context.knows('superuser'))
    return (await trial(context, context.api.as('superuser'))).ok ? 'superuser' : 'guest'
  if (!closed.has(status) && !isSuccess(status)) return 'guest'
  throw new UntestableError(
    `guests may not send batches (status ${status})${account === undefined ? '' : ', and neither may accounts'}; the document does not say who may`,
    'set the credentials of a superuser; if the server has no batches: "capabilities": { "batch": false }',
  )
}

function trial({ table, unique }: CheckContext, api: Api) {
  return api.batch([subRequests(api).create(table('plain'), { title: unique('may') })])
}

async function apiOf(context: CheckContext, client: Client): Promise<Api> {
  if (client === 'guest') return context.api
  if (client === 'superuser') return context.api.as('superuser')
  // One for each check: a session of the first check may have expired by now.
  const account = await accountApi(context)
  if (account === undefined)
    throw new BlockedError('an account that may send batches could not sign in again')
  return account
}

/** Undefined if the run gets no account: what prevents it is the finding of another check. */
export async function accountApi(context: CheckContext): Promise<Api | undefined> {
  return (await signedInIfPossible(context))?.api
}
