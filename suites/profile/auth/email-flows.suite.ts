/** What the flows of verification and password reset have in common (standard profile, gap `mail.flows`). */

import { check } from '../../../harness/check.ts'
import { expectEqual, expectStatus, expectThat } from '../../../harness/judging/expect.ts'
import type { CheckContext } from '../../../harness/vocabulary/check.ts'
import { newAccount, newEmail, OTHER_PASSWORD } from '../../shared/auth/accounts.ts'
import { flowToken } from '../../shared/auth/email-flows.ts'
import { mailsTogether } from '../../shared/auth/mailed.ts'
import { post } from '../../shared/auth/post.ts'
import { requestFlow } from '../../shared/auth/request-flows.ts'
import { signedIn } from '../../shared/auth/sessions.ts'
import { fieldErrorCodes } from '../../shared/records/field-errors.ts'
import { tableById } from '../../shared/records/table-by-id.ts'
import { expectAlike } from './expect-alike.ts'

const MISMATCH = 'validation_token_collection_mismatch'

check('email-flow.no-auth-table', async ({ api, table }) => {
  const flows = ['verification', 'password-reset', 'email-change']
  for (const action of flows.flatMap((flow) => [`request-${flow}`, `confirm-${flow}`]))
    for (const name of [table('plain').name, 'conf_missing'])
      for (const body of [{}, { email: 'x', token: 'y' }]) {
        // Whose address it will be is checked first.
        const status = action === 'request-email-change' && name !== 'conf_missing' ? 401 : 404
        expectStatus(await post(api, name, action, body), status, `${action} of ${name}`)
      }
})

for (const flow of ['verification', 'password-reset'] as const) {
  const rest = (token: string | undefined) =>
    flow === 'verification' ? { token } : { token, password: OTHER_PASSWORD, passwordConfirm: OTHER_PASSWORD }
  const confirm = ({ api, table }: CheckContext, token: string | undefined, role = 'members') =>
    post(api, table(role), `confirm-${flow}`, rest(token))

  check(`${flow}.request-status`, async (context) => {
    const me = await signedIn(context)
    for (const api of [context.api, me.api]) {
      const response = await requestFlow({ api }, flow, me)
      expectStatus(response, 204, 'a request for an email')
      expectEqual(response.text, '', 'the body of the response to a request for an email')
    }
  })

  check(`${flow}.request-invalid`, async (context) => {
    const account = await newAccount(context)
    const send = (email: unknown) => post(context.api, account.table, `request-${flow}`, { email })
    for (const [email, code] of [
      [undefined, 'validation_required'],
      ['', 'validation_required'],
      ['no address', 'validation_is_email'],
    ] as const) {
      await context.rejects({
        control: () => send(account.email),
        attempt: () => send(email),
        status: 400,
        data: { email: code },
      })
    }
  })

  check(`enumeration.${flow}`, async (context) => {
    const account = await newAccount(context)
    const known = await requestFlow(context, flow, account)
    const email = newEmail(context)
    const unknown = await requestFlow(context, flow, { ...account, email })
    const again = await requestFlow(context, flow, { ...account, email })
    expectThat(known.ok, 'a request for an email is rejected', 'a 2xx status', known.status)
    expectAlike(unknown, again, known, 'the response for an unknown address')
  })

  check(`${flow}.unknown-silent`, async (context) => {
    const account = await newAccount(context)
    const email = newEmail(context)
    expectStatus(
      await requestFlow(context, flow, { ...account, email }),
      204,
      'a request for an unknown address',
    )
    await flowToken(context, flow, account)
    expectThat(
      await context.mail.silent({ to: email }),
      'an email was sent to an unknown address',
      'none',
      email,
    )
  })

  check(`${flow}.throttled`, async (context) => {
    const [account, other] = [await signedIn(context), await newAccount(context)]
    // The session of the account, the identifier of its table and another request at the same time make no difference.
    const byId = { table: tableById(account.table, account.record), email: account.email }
    await mailsTogether(
      context,
      { to: account.email, send: () => requestFlow({ api: account.api }, flow, byId) },
      { to: other.email, send: () => requestFlow(context, flow, other) },
    )
    const after = await context.mail.count()
    expectStatus(await requestFlow(context, flow, account), 204, 'an immediate second request')
    expectThat(
      await context.mail.silent({ to: account.email, after }),
      'an immediate second request sends an email',
      'none',
      account.email,
    )
  })

  check(`${flow}.token-missing`, async (context) => {
    for (const token of [undefined, '']) {
      const response = await confirm(context, token)
      expectStatus(response, 400, 'a confirmation without a token')
      expectEqual(
        fieldErrorCodes(response),
        { token: 'validation_required' },
        'the error codes of a confirmation without a token',
      )
    }
  })

  check(`${flow}.other-table`, async (context) => {
    const me = await signedIn(context, 'staff')
    // The owner requests it, and gets the email as a guest would.
    const token = await flowToken({ ...context, api: me.api }, flow, me)
    const response = await confirm(context, token)
    expectStatus(response, 400, 'a confirmation with a token of another table')
    expectEqual(fieldErrorCodes(response).token, MISMATCH, 'data.token.code for a token of another table')
    expectStatus(
      await confirm(context, token, 'staff'),
      204,
      'a confirmation with the token in its own table',
    )
  })
}
