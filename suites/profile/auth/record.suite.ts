/** The auth record of a new account (standard profile, gap `states.transitions`). */

import { check } from '../../../harness/check.ts'
import { expectEqual, expectSuccess } from '../../../harness/judging/expect.ts'
import { PASSWORD, signUp } from '../../shared/auth/accounts.ts'
import { recordIn } from '../../shared/auth/session-in.ts'
import { byPassword } from '../../shared/auth/sessions.ts'

check('auth-record.starts-unverified', async (context) => {
  const { response, email } = await signUp(context)
  expectSuccess(response, 'a sign-up')
  const session = await byPassword(context, { table: context.table('members'), email, password: PASSWORD })
  expectEqual(recordIn(session, 'a sign-in').verified, false, '`verified` at the first sign-in')
})
