/** An extended session after its original expiry time (document 4.2). */

import { check } from '../../../harness/check.ts'
import { expectSuccess } from '../../../harness/judging/expect.ts'
import { aged } from '../../shared/auth/aged-parts.ts'

check('refresh.outlives', async (context) => {
  expectSuccess(await aged(context, 'refreshed'), 'the token of a refresh after the session has ended')
})
