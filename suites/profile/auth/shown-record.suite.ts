/** The record that a sign-in shows, whole (standard profile, gaps `auth.payloads` and `oauth2.fields`). */

import { check } from '../../../harness/check.ts'
import { expectEqual } from '../../../harness/judging/expect.ts'
import type { Api, ApiResponse } from '../../../harness/vocabulary/api.ts'
import type { CheckContext } from '../../../harness/vocabulary/check.ts'
import type { TableRef } from '../../../harness/vocabulary/target.ts'
import { newAccount, newUsername } from '../../shared/auth/accounts.ts'
import { byOtp, newOtp } from '../../shared/auth/email-flows.ts'
import { byProvider, newProviderPerson } from '../../shared/auth/oauth.ts'
import { givenToken, recordIn } from '../../shared/auth/session-in.ts'
import { byPassword } from '../../shared/auth/sessions.ts'

/** Its account views the record as the response shows it. */
async function expectAsViewed(
  { api }: Pick<CheckContext, 'api'>,
  table: TableRef,
  response: ApiResponse,
  what: string,
): Promise<void> {
  const own: Api = api.withToken(givenToken(response, what), 'user')
  const record = recordIn(response, what)
  expectEqual(record, (await own.view(table, record.id)).body, `the record of ${what}`)
}

check('sign-in.record-as-viewed', async (context) => {
  const { api, unique } = context
  const username = () => newUsername(context, 'nick')
  // Two, so that neither can be mistaken for the other.
  for (const emailVisibility of [true, false]) {
    const fields = { name: unique('name'), username: username(), emailVisibility }
    const me = await newAccount(context, 'members', fields)
    const { table, id } = me
    const response = await byPassword(context, me)
    await expectAsViewed(context, table, response, 'a sign-in')
    const own = api.withToken(givenToken(response, 'a sign-in'), 'user')
    await expectAsViewed(context, table, await own.authRefresh(table), 'a refresh')
    if (context.knows('superuser'))
      await expectAsViewed(
        context,
        table,
        await api.as('superuser').impersonate(table, id),
        'an impersonation',
      )
    if (context.has('otp') && context.has('mail'))
      await expectAsViewed(
        context,
        table,
        await byOtp(context, me, await newOtp(context, me)),
        'a sign-in by code',
      )
  }
  if (context.has('otp') && context.has('mail') && context.hasTable('passwordless')) {
    const other = await newAccount(context, 'passwordless')
    const response = await byOtp(context, other, await newOtp(context, other))
    await expectAsViewed(context, other.table, response, 'a sign-in by code to another table')
  }
  if (!context.hasTable('staff') || !context.hasTable('related')) return
  // Two again, of different teams.
  for (const name of ['one', 'other']) {
    const team = await context.make(context.table('related'), { name: unique(name) })
    const colleague = await newAccount(context, 'staff', { name: unique('name'), team: team.id })
    const response = await byPassword(context, colleague)
    const { table, id } = colleague
    await expectAsViewed(context, table, response, 'a sign-in of a member of a team')
    if (!context.knows('superuser')) continue
    const impersonated = await api.as('superuser').impersonate(table, id)
    await expectAsViewed(context, table, impersonated, 'an impersonation of a member of a team')
  }
})

check('oauth2.record-as-viewed', async (context) => {
  const username = () => newUsername(context, 'nick')
  for (const person of [0, 1].map(() => newProviderPerson(context, { username: username() }))) {
    for (const what of ['a first sign-in through a provider', 'a second sign-in through a provider'])
      await expectAsViewed(context, context.table('oauth'), await byProvider(context, person), what)
  }
})
