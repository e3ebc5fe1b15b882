import { expectEqual } from '../../../harness/judging/expect.ts'
import type { Body } from '../../../harness/vocabulary/api.ts'
import type { CheckContext } from '../../../harness/vocabulary/check.ts'
import { subRequests } from '../../shared/batch/entries.ts'
import { recordsWith } from '../../shared/lists/shared-records.ts'
import { sameShown } from '../records/same-value.ts'

/** A create in a batch stores what a single create stores of the same values. What that is, is left open. */
export async function expectSameCreated(context: CheckContext, values: Body): Promise<void> {
  const { api, table, unique } = context
  const everything = table('everything')
  const [one, other] = [unique('single'), unique('batched')]
  const single = await api.create(everything, { ...values, text: one })
  const batch = await api.batch([subRequests(api).create(everything, { ...values, text: other })])
  if (!single.ok || !batch.ok) return
  const [alone] = await recordsWith(context, everything, 'text', one)
  const [batched] = await recordsWith(context, everything, 'text', other)
  if (alone === undefined || batched === undefined) return
  for (const [field, sent] of Object.entries(values)) {
    // The server may set a value itself, a number of its own for each record for example.
    if (field === 'text' || !sameShown(field, alone[field], sent)) continue
    if (!sameShown(field, batched[field], alone[field]))
      expectEqual(batched[field], alone[field], `${field} of a record that a batch created`)
  }
}
