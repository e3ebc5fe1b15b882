/** How a server responds where it has nothing, and where it does not know what was named (sections 4 and 7). */

import type { Target } from '../../harness/vocabulary/target.ts'
import { existenceOf } from '../../spec/capability-operations.ts'
import { operations } from '../../spec/openapi.ts'
import { json, on, rewritePath } from '../faults/combinators/combinators.ts'
import type { Middleware } from '../faults/fault.ts'
import { variation, variationsOf } from './variation.ts'

variationsOf('operations')

const near = operations().map(({ id }) => existenceOf(id))

/** Another response at paths at which there is nothing. */
const nowhere =
  (response: (request: Request) => Response): (() => Middleware) =>
  () =>
  async (request, next) =>
    /no-such-endpoint|nor-is-this-one/.test(request.url) ? response(request) : next(request)

for (const status of [400, 401, 403, 405, 410, 501])
  variation(
    `an unknown path returns ${status}`,
    { because: '7', near },
    nowhere(() => json(status, { error: 'nothing here' })),
  )
variation(
  'the response for an unknown path contains the path',
  { because: '7', near },
  nowhere(({ url }) => json(404, { error: `no ${new URL(url).pathname}`, at: Date.now() })),
)
variation(
  'every unknown path returns the same page',
  { because: '7', near },
  nowhere(() => json(200, { hello: 'there' })),
)
for (const operation of [
  'confirmVerification',
  'confirmPasswordReset',
  'confirmEmailChange',
  'authWithOtp',
] as const)
  variation(
    `${operation} returns 404 for an unknown proof`,
    { because: '7', near: [existenceOf(operation)] },
    on(operation, async (request, next) => {
      const response = await next(request)
      return response.ok ? response : json(404, { error: 'no such proof' })
    }),
  )
variation(
  'an unknown provider returns 404',
  { because: '7', near: ['operation.auth-with-oauth2'] },
  on('authWithOAuth2', async (request, next) => {
    const response = await next(request)
    return response.ok ? response : json(404, { error: 'no such provider' })
  }),
)
variation(
  'an update or delete without permission returns 404 for the path',
  {
    because: '5 item 1',
    near: ['operation.update-record', 'operation.delete-record'],
    declares: {
      'operation.update-record': 'no one has permission',
      'operation.delete-record': 'no one has permission',
    },
    target: withoutSuperuser,
    alone: 'the table "plain" is one that lets everyone write',
  },
  rewritePath(['updateRecord', 'deleteRecord'], (to) => to.replace('/records/', '/no-such-endpoint/')),
)

function withoutSuperuser({ credentials, ...target }: Target): Target {
  const { superuser: _superuser, ...others } = credentials
  return { ...target, credentials: others }
}
