import type { ApiResponse, Body } from '../../../harness/vocabulary/api.ts'
import type { CheckContext } from '../../../harness/vocabulary/check.ts'
import { recordOf } from '../../shared/records/record-of.ts'
import { takesSameText } from '../../shared/records/takes-same-text.ts'
import { unlessPrevented } from '../../shared/unless-prevented.ts'
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
  const title = context.unique('alike')
  await expectOtherKept(context, 'plain', { title }, what, write)
}

/** The same for an update of a number that two records have, where a table has one. */
export async function expectAlikeNumberKept(context: CheckContext): Promise<void> {
  const { api, hasTable, table, unique } = context
  if (!hasTable('everything')) return
  const bodies = { text: unique('alike'), number: 7_340_513 }
  await expectOtherKept(context, 'everything', bodies, 'an update of the number', (id) =>
    api.update(table('everything'), id, { number: 7_340_514 }),
  )
}

async function expectOtherKept(
  { api, makeMany, table }: CheckContext,
  role: string,
  body: Body,
  what: string,
  write: (id: string) => Promise<ApiResponse>,
): Promise<void> {
  const [one, other] = (await unlessPrevented(() => makeMany(table(role), [body, body]))) ?? []
  if (one === undefined || other === undefined) return
  const before = recordOf(await api.view(table(role), other.id))
  if (!(await write(one.id)).ok) return
  const after = recordOf(
    await api.view(table(role), other.id),
    `a view after ${what} of a record that is alike`,
  )
  expectNone(differsAtAll(after, before), `after ${what} of a record that is alike`)
}
