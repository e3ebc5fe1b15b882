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
    `where there is nothing the response is ${status}`,
    { because: '7', near },
    nowhere(() => json(status, { error: 'nothing here' })),
  )
variation(
  'where there is nothing the path is shown',
  { because: '7', near },
  nowhere(({ url }) => json(404, { error: `no ${new URL(url).pathname}`, at: Date.now() })),
)
variation(
  'where there is nothing there is a page for everyone',
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
    `${operation} responds with 404 to a proof that it does not know`,
    { because: '7', near: [existenceOf(operation)] },
    on(operation, async (request, next) => {
      const response = await next(request)
      return response.ok ? response : json(404, { error: 'no such proof' })
    }),
  )
variation(
  'a provider that is not known is not found',
  { because: '7', near: ['operation.auth-with-oauth2'] },
  on('authWithOAuth2', async (request, next) => {
    const response = await next(request)
    return response.ok ? response : json(404, { error: 'no such provider' })
  }),
)
variation(
  'whoever may not update or delete a record learns of no such path',
  {
    because: '5 item 1',
    near: ['operation.update-record', 'operation.delete-record'],
    declares: {
      'operation.update-record': 'nobody is there who may',
      'operation.delete-record': 'nobody is there who may',
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
