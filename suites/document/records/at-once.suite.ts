/** Concurrent requests do not affect each other (document 4.1). */

import { check } from '../../../harness/check.ts'
import { BlockedError, expectEqual } from '../../../harness/judging/expect.ts'
import type { Body, Query } from '../../../harness/vocabulary/api.ts'
import type { TableRef } from '../../../harness/vocabulary/target.ts'
import { equals, expectFilters, idsOf } from '../../shared/lists/shared-records.ts'
import { listOf, recordOf } from '../../shared/records/record-of.ts'
import { expectNone } from './commands.ts'
import { differsAfterUpdate } from './table-model.ts'
import { lackingFields, unmappedFields } from './unknown-fields.ts'

const AT_ONCE = 6

check('view.own-answer', async ({ api, table, makeMany, unique, needsAtOnce }) => {
  needsAtOnce()
  const bodies = Array.from({ length: AT_ONCE }, (_, n) => ({ title: unique(`title${n}`) }))
  const made = await makeMany(table('plain'), bodies)
  const responses = await Promise.all(made.map(({ id }) => api.view(table('plain'), id)))
  expectEqual(
    responses.map((response) => recordOf(response).id),
    made.map(({ id }) => id),
    'the ids in concurrent views',
  )
})

check('list.own-answer', async (context) => {
  const { api, hasTable, makeMany, table, unique, needsAtOnce } = context
  needsAtOnce()
  const asked: { of: TableRef; query: Query; id: string | undefined }[] = []
  for (const [role, field] of [
    ['plain', 'title'],
    ['related', 'name'],
  ] as const) {
    if (!hasTable(role)) continue
    const of = table(role)
    await expectFilters(context, of, field)
    const values = Array.from({ length: AT_ONCE }, (_, n) => unique(`${field}${n}`))
    const made = await makeMany(
      of,
      values.map((value) => ({ [field]: value })),
    )
    for (const [at, value] of values.entries())
      asked.push({ of, query: { filter: equals(context, of, field, value) }, id: made[at]?.id })
  }
  const listed = await Promise.all(
    asked.map(async (each) => ({ ...each, list: await api.list(each.of, each.query) })),
  )
  for (const { of, query, id, list } of listed) {
    const found = idsOf(listOf(list).items)
    if (String(found) === id) continue
    // Another check judges whether a filter selects the matching records.
    const alone = await api.list(of, query)
    if (!alone.ok || String(idsOf(listOf(alone).items)) !== id)
      throw new BlockedError('a list does not contain what its filter selects, not even alone')
    expectEqual(found, [id], 'the ids in one of several concurrent lists, filtered by the text of one record')
  }
})

/** Number of rounds of concurrent updates of different fields: which of them overlap varies from round to round. */
const rounds = 3

check('update.fields-at-once', async (context) => {
  const { api, make, table, unique, needsAtOnce } = context
  needsAtOnce()
  const everything = table('everything')
  const { id } = await make(everything, { text: unique('at-once') })
  let before = recordOf(await api.view(everything, id))
  let accepted = 0
  const lacking = await lackingFields(context)
  const isThere = (body: Body) => Object.keys(body).every((field) => !lacking.includes(field))
  const updatesOf = (round: number): Body[] => [
    { email: `round${round}@example.com` },
    { number: round },
    { bool: round % 2 === 1 },
    { select: 'abc'[round % 3] },
  ]
  const fields = updatesOf(1).flatMap((body) => Object.keys(body))
  if (!updatesOf(1).some(isThere)) throw unmappedFields(everything, fields)
  for (let round = 1; round <= rounds; round += 1) {
    const updates = updatesOf(round).filter(isThere)
    // One may be rejected; none may undo another.
    const responses = await Promise.allSettled(updates.map((body) => api.update(everything, id, body)))
    const sent = updates.filter((_, at) => {
      const outcome = responses[at]
      if (outcome?.status === 'rejected') throw outcome.reason
      return outcome?.value.ok
    })
    accepted += sent.length
    const after = recordOf(await api.view(everything, id))
    const what = 'after concurrent updates of different fields'
    expectNone(differsAfterUpdate(after, before, Object.assign({}, ...sent)), what)
    before = after
  }
  if (accepted === 0) throw new BlockedError('none of the updates was accepted')
})
