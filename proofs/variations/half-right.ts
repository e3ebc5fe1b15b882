/** Writes that are wrong in part: what a server does with them, and how it reports it, is left open. */

import { isApiKey } from '../../exchange/secrets/secret-key.ts'
import type { Target } from '../../harness/vocabulary/target.ts'
import { tokenIn } from '../faults/combinators/auth.ts'
import {
  another,
  isJsonObject,
  type JsonValue,
  json,
  on,
  parsedBody,
  rewriteBody,
  tamperStatus,
  writtenAgain,
} from '../faults/combinators/combinators.ts'
import { fieldRejection } from '../faults/combinators/field.ts'
import type { FaultTools } from '../faults/fault.ts'
import { variation, variationsOf } from './variation.ts'

variationsOf('half-right')

const writing = ['write.rejected-changes-nothing', 'update.changes-only-sent', 'field-types.keep-values']
const batches = [
  'batch.rejected-changes-nothing',
  'batch.caller',
  'batch.caller-user',
  'batch.failure-refused',
]

for (const status of [200, 207])
  variation(
    `a write with invalid fields stores the valid ones and returns ${status}`,
    { because: 'records.statuses', near: writing },
    on(['createRecord', 'updateRecord'], async (request, next) => {
      const response = await next(request.clone())
      if (response.status !== 400) return response
      const wrong = Object.keys(((await response.clone().json()) as { data?: JsonValue }).data ?? {})
      const body = Object.entries((await parsedBody(request)) ?? {}).filter(([key]) => !wrong.includes(key))
      const right = Object.fromEntries(body)
      if (writtenAgain(right) === undefined) return response
      const path = new URL(request.url).pathname
      const again = await next(another(request, request.method, path, right))
      return again.ok ? json(status, { ...((await again.json()) as JsonValue), ignored: wrong }) : response
    }),
  )

/** The response to an empty batch does not show that the server has batches: its tester says so. */
const hasBatches = (target: Target): Target => ({
  ...target,
  capabilities: { ...target.capabilities, batch: true },
})

/** Whether the sender sees what only superusers see, and holds no project API key that may see it, too. */
async function isSuperuser(request: Request, { prefix, reference }: FaultTools): Promise<boolean> {
  const authorization = tokenIn(request)
  if (authorization === '' || isApiKey(authorization)) return false
  const url = new URL(`${prefix}/collections/conf_locked/records`, request.url)
  return (await reference.fetch(new Request(url, { headers: { authorization } }))).ok
}

variation(
  'batch entries that are not objects are ignored',
  { because: 'batch.response', near: batches },
  rewriteBody('batch', ({ requests, ...rest }) => ({
    ...rest,
    requests: Array.isArray(requests) ? requests.filter(isJsonObject) : requests,
  })),
)
for (const status of [401, 403, 404, 409, 422])
  variation(
    `a batch without permission is rejected with ${status}`,
    { because: 'batch.response', near: batches, target: hasBatches },
    tamperStatus('batch', 400, status),
  )
/** Checks that need a client that may send batches. */
const sent = [
  'operation.batch',
  'batch.succeeds-together',
  'batch.all-or-nothing',
  'batch.failure-refused',
  'batch.mixes-methods',
  'batch.order',
  'batch.body',
  'batch.url',
  'batch.delete-without-body',
  'derived.batch',
  ...batches,
]
for (const status of [401, 403, 404])
  variation(
    `guests cannot send batches (${status})`,
    { because: 'rules.access', near: sent },
    on('batch', async (request, next) => (tokenIn(request) === '' ? fieldRejection(status) : next(request))),
  )
variation(
  'only superusers send batches',
  {
    because: 'rules.access',
    near: [...sent, 'api-key.batch-scope'],
  },
  on('batch', async (request, next, _match, tools) =>
    (await isSuperuser(request, tools)) ? next(request) : fieldRejection(403),
  ),
)
variation(
  'superusers send no batches',
  {
    because: 'rules.access',
    near: [...batches, 'api-key.batch-scope'],
    declares: { 'batch.caller': 'no batch of a superuser is accepted' },
  },
  on('batch', async (request, next, _match, tools) =>
    (await isSuperuser(request, tools)) ? fieldRejection(403) : next(request),
  ),
)
variation(
  'signed-in users send no batches',
  {
    because: 'rules.access',
    near: batches,
  },
  on('batch', async (request, next, _match, tools) => {
    const probe = new Request(new URL(`${tools.prefix}/collections/conf_members/auth-refresh`, request.url), {
      method: 'POST',
      headers: { authorization: tokenIn(request) },
    })
    const isMember = tokenIn(request) !== '' && (await tools.reference.fetch(probe)).ok
    return isMember ? fieldRejection(403) : next(request)
  }),
)
