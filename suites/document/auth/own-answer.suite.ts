/** Sign-ins at the same time are not mixed up (document 2.5). */

import { check } from '../../../harness/check.ts'
import { expectEqual } from '../../../harness/judging/expect.ts'
import { byPassword, newAccount, recordIn } from '../../shared/auth/accounts.ts'

const AT_ONCE = 6

check('auth.own-answer', async (context) => {
  context.needsAtOnce()
  const accounts = []
  for (let count = 0; count < AT_ONCE; count += 1) accounts.push(await newAccount(context))
  const replies = await Promise.all(accounts.map((account) => byPassword(context, account)))
  expectEqual(
    replies.map((reply) => recordIn(reply, 'a sign-in').id),
    accounts.map(({ id }) => id),
    'the ids in concurrent sign-ins',
  )
})
