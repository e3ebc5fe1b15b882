/** Missing endpoints, as servers report them: the path is unknown, or the method. */

import { existenceOf } from '../../spec/capability-operations.ts'
import { operations } from '../../spec/openapi.ts'
import type { OperationId } from '../../spec/vocabulary.ts'
import { all, swallow, tamper } from './combinators/combinators.ts'
import { without } from './combinators/without.ts'
import { fault } from './fault.ts'

/** The second half of a flow: it is certainly missing only if the first half is missing, too. */
const secondHalves: Partial<Record<OperationId, { first: OperationId; flow: string }>> = {
  authWithOtp: { first: 'requestOtp', flow: 'otp.sign-in' },
  confirmVerification: { first: 'requestVerification', flow: 'verification.confirms' },
  confirmPasswordReset: { first: 'requestPasswordReset', flow: 'password-reset.confirms' },
  confirmEmailChange: { first: 'requestEmailChange', flow: 'email-change.confirms' },
}

for (const { id } of operations()) {
  const half = secondHalves[id]
  if (id === 'authWithOAuth2') continue
  fault(`${id} is missing`, { trips: [half?.flow ?? existenceOf(id)] }, without([id]))
  if (half !== undefined)
    fault(
      `${half.first} and ${id} are missing`,
      { trips: [existenceOf(half.first), existenceOf(id)] },
      without([half.first, id]),
    )
}
fault('authWithOAuth2 is missing', { trips: ['oauth2.sign-in'] }, without(['authWithOAuth2']))
fault(
  'authWithOAuth2 is missing, and no provider is reported',
  { trips: ['operation.auth-with-oauth2'] },
  all(
    without(['authWithOAuth2']),
    tamper('listAuthMethods', () => ({ password: { enabled: true } })),
  ),
)

for (const id of ['updateRecord', 'deleteRecord', 'batch'] as const)
  fault(`${id} is not allowed`, { trips: [existenceOf(id)] }, swallow(id, 405, { message: 'Not allowed.' }))
fault(
  'authRefresh is not implemented',
  { trips: ['operation.auth-refresh'] },
  swallow('authRefresh', 501, { message: 'Not implemented.' }),
)
