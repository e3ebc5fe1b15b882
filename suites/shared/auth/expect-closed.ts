import { expectThat } from '../../../harness/judging/expect.ts'
import type { CheckContext } from '../../../harness/vocabulary/check.ts'

/** A guest does not see the record of `locked`: the precondition of claims about who may see it. */
export async function expectClosed(
  { api, table }: Pick<CheckContext, 'api' | 'table'>,
  { id }: { id: string },
): Promise<void> {
  const locked = table('locked')
  const { ok, status } = await api.view(locked, id)
  expectThat(
    !ok,
    `a guest sees a record of ${locked.name}, which is closed to all but superusers (role "locked")`,
    'a rejection',
    status,
  )
}
