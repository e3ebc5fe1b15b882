/** Defects of impersonation. */

import { session, tokenIn } from './combinators/auth.ts'
import { all, asSuperuser, on, rewriteBody, tamper, tamperStatus } from './combinators/combinators.ts'
import { fieldRejection } from './combinators/field.ts'
import { fault } from './fault.ts'

const IMPERSONATE = 'impersonate'
fault(
  'everybody impersonates',
  {
    trips: [
      'impersonate.superuser-only',
      'impersonate.guest',
      'impersonate.api-key-refused',
      'api-key.no-record',
      'access.denial-no-effect',
      'access.matrix',
    ],
  },
  asSuperuser(IMPERSONATE),
)
fault(
  'an impersonation is worth nothing',
  { trips: ['impersonate.acts-as-record', 'impersonate.static', 'impersonate.ends'] },
  tamper(IMPERSONATE, (body) => ({ ...body, token: 'nothing' })),
)
fault(
  'who is missing is impersonated',
  { trips: ['impersonate.missing-record', 'impersonate.missing'] },
  on(IMPERSONATE, async (request, next) => {
    const response = await next(request)
    return response.status === 404 ? session('nobody') : response
  }),
)
fault(
  'the duration is ignored',
  { trips: ['impersonate.duration', 'impersonate.duration-invalid'] },
  rewriteBody(IMPERSONATE, () => ({})),
)
fault('an impersonation answers 201', { trips: ['impersonate.status'] }, tamperStatus(IMPERSONATE, 200, 201))
fault(
  'an impersonation asks for conditions',
  { trips: ['impersonate.no-conditions'] },
  on(IMPERSONATE, async (request, next, { table }) =>
    table === 'conf_sealed' || table === 'conf_mfa' ? fieldRejection(403) : next(request),
  ),
)
fault(
  'signed-in guests of a table are refused with 404',
  { trips: ['impersonate.guest'] },
  all(tamperStatus(IMPERSONATE, 403, 404), tamperStatus(IMPERSONATE, 401, 404)),
)
fault(
  'an impersonation gives the token of the superuser',
  { trips: ['impersonate.no-more-than-record', 'impersonate.ends'] },
  tamper(IMPERSONATE, (body, request) => ({ ...body, token: tokenIn(request) })),
)
