/** Endpoints that are not there, as servers say it: the path is unknown, or the method. */

import { existenceOf } from '../spec/capabilities.ts'
import { operations } from '../spec/openapi.ts'
import { rewritePath, swallow } from './combinators/combinators.ts'
import { fault } from './fault.ts'

for (const { id, path } of operations()) {
  const trips = [existenceOf(id)]
  const last = path.replace('/{id}', '').split('/').at(-1) ?? ''
  fault(
    `${id} is at no path`,
    { trips },
    rewritePath(id, (to) => to.replace(`/${last}`, '/some-other-endpoint')),
  )
}

for (const id of ['updateRecord', 'deleteRecord', 'batch'] as const)
  fault(`${id} is not allowed`, { trips: [existenceOf(id)] }, swallow(id, 405, { message: 'Not allowed.' }))
fault(
  'authRefresh is not implemented',
  { trips: ['operation.auth-refresh'] },
  swallow('authRefresh', 501, { message: 'Not implemented.' }),
)
