import { BlockedError } from '../../../harness/judging/expect.ts'
import type { Api, WireRecord } from '../../../harness/vocabulary/api.ts'
import type { CheckContext } from '../../../harness/vocabulary/check.ts'
import { newEmail, PASSWORD, passwordBody } from '../../shared/auth/accounts.ts'

/** A new record of the `members` table and the client that speaks as it. */
export interface Member {
  record: WireRecord
  email: string
  api: Api
}

/** Makes a member and signs it in by password. Blocked where the sign-in fails: that is another check's finding. */
export async function signedInMember(
  context: CheckContext,
  fields: Record<string, unknown> = {},
): Promise<Member> {
  const members = context.table('members')
  const email = newEmail(context)
  const record = await context.make(members, {
    email,
    ...passwordBody(context, PASSWORD),
    ...fields,
  })
  const response = await context.api.authWithPassword(members, { identity: email, password: PASSWORD })
  const token = (response.body as { token?: unknown } | undefined)?.token
  if (!response.ok || typeof token !== 'string')
    throw new BlockedError(`A new member could not sign in: ${response.status}.`)
  return { record, email, api: context.api.withToken(token, 'member') }
}
