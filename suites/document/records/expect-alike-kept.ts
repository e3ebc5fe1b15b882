import type { ApiResponse } from '../../../harness/vocabulary/api.ts'
import type { CheckContext } from '../../../harness/vocabulary/check.ts'
import { recordOf } from '../../shared/records/record-of.ts'
import { takesSameText } from '../../shared/records/takes-same-text.ts'
import { expectNone } from './commands.ts'
import { differsAtAll } from './table-model.ts'

/**
 * A write to one of two records that are alike but for their ids leaves the other one as it is. Nothing is expected where
 * titles must be unique.
 *
 * @param what as in `after an update of a record that is alike`
 */
export async function expectAlikeKept(
  context: CheckContext,
  what: string,
  write: (id: string) => Promise<ApiResponse>,
): Promise<void> {
  if (!(await takesSameText(context, 'plain'))) return
  const { api, makeMany, table, unique } = context
  const title = unique('alike')
  const [one, other] = await makeMany(table('plain'), [{ title }, { title }])
  if (one === undefined || other === undefined) return
  const before = recordOf(await api.view(table('plain'), other.id))
  if (!(await write(one.id)).ok) return
  const after = recordOf(
    await api.view(table('plain'), other.id),
    `a view after ${what} of a record that is alike`,
  )
  expectNone(differsAtAll(after, before), `after ${what} of a record that is alike`)
}
