import { expectEqual } from '../../../harness/judging/expect.ts'
import type { CheckContext } from '../../../harness/vocabulary/check.ts'
import { recordOf } from '../../shared/records/record-of.ts'

/** What is sent to a field, and what it must read as afterwards. */
export type Cast = readonly [sent: unknown, stored: unknown]

/** Sends each value to one field of the table with all field types and reads it back: in the response and by a view. */
export async function expectCasts(
  { api, table }: CheckContext,
  field: string,
  casts: readonly Cast[],
): Promise<void> {
  const everything = table('everything')
  for (const [sent, stored] of casts) {
    const what = `${field} sent as ${JSON.stringify(sent)}`
    const created = recordOf(await api.create(everything, { [field]: sent }), what)
    expectEqual(created[field], stored, `${what}, in the response to create,`)
    const viewed = recordOf(await api.view(everything, created.id))
    expectEqual(viewed[field], stored, `${what}, in a view,`)
  }
}
