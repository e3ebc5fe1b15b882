/** What has a time, after that time (standard profile, gap `tokens.lifetime`). */

import { check } from '../../../harness/check.ts'
import { expectStatus } from '../../../harness/judging/expect.ts'
import { aged } from '../../shared/auth/aged-parts.ts'

check('token.expires', async (context) => {
  expectStatus(await aged(context, 'session'), 401, 'a refresh of an expired session')
})

check('otp.expires', async (context) => {
  expectStatus(await aged(context, 'otp'), 400, 'a sign-in with an expired code')
})

check('mfa.expires', async (context) => {
  expectStatus(await aged(context, 'mfa'), 400, 'a second factor with an expired mfaId')
})

for (const flow of ['verification', 'password-reset', 'email-change'] as const) {
  check(`${flow}.expires`, async (context) => {
    expectStatus(await aged(context, flow), 400, 'a confirmation with an expired token')
  })
}
