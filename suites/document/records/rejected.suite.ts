/** What remains of a write whose response is an error (document 4.1). */

import { check } from '../../../harness/check.ts'
import { expectThat, isRejected, UntestableError } from '../../../harness/judging/expect.ts'
import type { ApiResponse, WireRecord } from '../../../harness/vocabulary/api.ts'
import type { CheckContext } from '../../../harness/vocabulary/check.ts'
import type { TableRef } from '../../../harness/vocabulary/target.ts'
import { recordsWith } from '../../shared/lists/shared-records.ts'
import { recordOf } from '../../shared/records/record-of.ts'

/** A write that a server may reject, and whether it was done. */
interface Write {
  what: string
  send(): Promise<ApiResponse>
  isDone(): Promise<boolean>
}

/** Writes to one table; `bad` is what makes a server reject them, next to a string that shows whether they were done. */
function writes(
  context: CheckContext,
  { table, field, bad = {} }: { table: TableRef; field: string; bad?: Record<string, unknown> },
  { id }: WireRecord,
): Write[] {
  const { api, unique } = context
  const root = api.as('superuser')
  const [created, updated] = [unique('created'), unique('updated')]
  const isThere = async () => (await recordsWith(context, table, field, created, root)).length > 0
  return [
    {
      what: 'a create',
      send: () => api.create(table, { ...bad, [field]: created }),
      isDone: isThere,
    },
    {
      what: 'an update',
      send: () => api.update(table, id, { ...bad, [field]: updated }),
      isDone: async () => recordOf(await root.view(table, id))[field] === updated,
    },
  ]
}

check('write.rejected-changes-nothing', async (context) => {
  const { api, table, make, unique } = context
  const [locked, root] = [table('locked'), api.as('superuser')]
  const closed = await make(locked, { title: unique('title') })
  const all = writes(context, { table: locked, field: 'title' }, closed)
  all.push({
    what: 'a delete',
    send: () => api.delete(locked, closed.id),
    isDone: async () => !(await root.view(locked, closed.id)).ok,
  })
  if (context.hasTable('everything')) {
    const everything = table('everything')
    const record = await make(everything, { text: unique('text') })
    const bad = { email: 'no address', select: 'no such choice' }
    all.push(...writes(context, { table: everything, field: 'text', bad }, record))
  }
  let rejected = 0
  for (const { what, send, isDone } of all) {
    const response = await send()
    if (!isRejected(response)) continue
    rejected += 1
    expectThat(
      !(await isDone()),
      `${what} was rejected with ${response.status} but took effect`,
      'no effect',
      'done',
    )
  }
  if (rejected === 0) throw new UntestableError('no write is rejected')
})
