/** Views at the same time are not mixed up (document 4.1). */

import { check } from '../../harness/check.ts'
import { expectEqual } from '../../harness/judging/expect.ts'
import { recordOf } from './record-of.ts'

const AT_ONCE = 6

check('view.own-answer', async ({ api, table, makeMany, unique, needsAtOnce }) => {
  needsAtOnce()
  const bodies = Array.from({ length: AT_ONCE }, (_, n) => ({ title: unique(`title${n}`) }))
  const made = await makeMany(table('plain'), bodies)
  const replies = await Promise.all(made.map(({ id }) => api.view(table('plain'), id)))
  expectEqual(
    replies.map((reply) => recordOf(reply).id),
    made.map(({ id }) => id),
    'the ids in views at the same time',
  )
})
