import { expectEqual } from '../../../harness/judging/expect.ts'
import { NO_RECORD } from '../../../harness/support/no-record.ts'
import type { Api } from '../../../harness/vocabulary/api.ts'
import type { CheckContext } from '../../../harness/vocabulary/check.ts'
import { signedInIfPossible } from '../../shared/auth/sessions.ts'
import { subRequests } from '../../shared/batch/entries.ts'
import { recordsWith } from '../../shared/lists/shared-records.ts'

/** A batch that fails writes nothing, with any token: a superuser may write by another path of a server. */
export async function expectCallersTogether(context: CheckContext): Promise<void> {
  const me = await signedInIfPossible(context)
  if (me !== undefined) await expectTogetherAs(context, me.api, 'a signed-in user')
  if (context.knows('superuser')) await expectTogetherAs(context, context.api.as('superuser'), 'a superuser')
}

async function expectTogetherAs(context: CheckContext, api: Api, who: string): Promise<void> {
  const { table, unique } = context
  const plain = table('plain')
  const { create, update } = subRequests(api)
  const title = unique('caller')
  await api.batch([create(plain, { title }), update(plain, NO_RECORD, { title: unique('missing') })])
  // As a guest: who may list the table is left open.
  const { length: written } = await recordsWith(context, plain, 'title', title)
  expectEqual(written, 0, `the number of records that a failed batch of ${who} created`)
}
