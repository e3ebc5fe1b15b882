import { NO_RECORD } from '../../../harness/support/no-record.ts'
import type { CheckContext } from '../../../harness/vocabulary/check.ts'
import { otherCallers } from '../../shared/auth/sessions.ts'
import { subRequests } from '../../shared/batch/entries.ts'
import { expectNoneTitled } from './expect-none-titled.ts'

/** A batch that fails writes nothing, with any token: a superuser may write by another path of a server. */
export async function expectCallersTogether(context: CheckContext): Promise<void> {
  const { table, unique } = context
  const plain = table('plain')
  for (const { who, api } of await otherCallers(context)) {
    const { create, update } = subRequests(api)
    const title = unique('caller')
    await api.batch([create(plain, { title }), update(plain, NO_RECORD, { title: unique('missing') })])
    // As a guest: who may list the table is left open.
    await expectNoneTitled(context, title, `that a failed batch of ${who} created`)
  }
}
