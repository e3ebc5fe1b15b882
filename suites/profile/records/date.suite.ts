/** The date and autodate fields (standard profile, gap `fields.types`). */

import { check } from '../../../harness/check.ts'
import { expectEqual, expectThat } from '../../../harness/judging/expect.ts'
import { recordOf } from '../../shared/records/record-of.ts'
import { expectCasts } from './casts.ts'
import { expectRejected } from './expect-rejected.ts'

check('date.normalises', (context) =>
  expectCasts(context, 'date', [
    ['2024-05-06 07:08:09.123Z', '2024-05-06 07:08:09.123Z'],
    ['2024-05-06', '2024-05-06 00:00:00.000Z'],
    ['2024-05-06T07:08:09Z', '2024-05-06 07:08:09.000Z'],
    ['2024-05-06T07:08:09', '2024-05-06 07:08:09.000Z'],
    ['2024-05-06T01:08:09+02:00', '2024-05-05 23:08:09.000Z'],
    ['2024-05-06T07:08:09.987654Z', '2024-05-06 07:08:09.987Z'],
    ['2024-05-06 07:08:09', '2024-05-06 07:08:09.000Z'],
    ['Mon, 06 May 2024 07:08:09 GMT', '2024-05-06 07:08:09.000Z'],
  ]),
)

check('date.unreadable', (context) =>
  expectCasts(
    context,
    'date',
    [
      'garbage',
      '2020-13-01',
      '2021-02-30',
      '2020-01-02T03:04',
      '',
      1715000000,
      '1715000000',
      true,
      {},
      ['2024-05-06'],
      null,
    ].map((sent) => [sent, ''] as const),
  ),
)

check('date.min', (context) =>
  expectRejected(context, {
    role: 'constrained',
    field: 'period',
    accepted: ['2020-01-01 00:00:00.000Z'],
    rejected: ['2019-12-31 23:59:59.999Z', '2020-01-01T01:00:00+02:00'],
    code: 'validation_min_greater_equal_than_required',
  }),
)

check('date.max', (context) =>
  expectRejected(context, {
    role: 'constrained',
    field: 'period',
    accepted: ['2030-12-31 00:00:00.000Z'],
    rejected: ['2030-12-31 00:00:00.001Z', '2031-01-01'],
    code: 'validation_max_less_equal_than_required',
  }),
)

check('autodate.ignores-input', async ({ api, table }) => {
  const past = '2001-02-03 04:05:06.789Z'
  const created = recordOf(await api.create(table('everything'), { stamp: past }))
  expectThat(
    typeof created.stamp === 'string' && created.stamp !== past && created.stamp !== '',
    'a client set an autodate field on create',
    'the time of the create',
    created.stamp,
  )
  const updated = recordOf(await api.update(table('everything'), created.id, { stamp: past, created: past }))
  expectThat(
    updated.stamp !== past,
    'a client set an autodate field on update',
    'the time of the update',
    updated.stamp,
  )
  expectEqual(updated.created, created.created, '`created` after an update that sends it')
})

check('autodate.only-update', async ({ api, table }) => {
  const created = recordOf(await api.create(table('constrained'), {}))
  expectEqual(created.touched, '', 'a field that is set only by updates, after a create')
  const updated = recordOf(await api.update(table('constrained'), created.id, {}))
  expectThat(
    String(updated.touched) >= String(created.created),
    'an update did not set its autodate field to the time of the update',
    `${created.created} or later`,
    updated.touched,
  )
})

check('autodate.moves', async ({ api, table }) => {
  const created = recordOf(await api.create(table('everything'), {}))
  for (const body of [{ text: 'x' }, {}]) {
    const before = recordOf(await api.view(table('everything'), created.id))
    // A stamp has milliseconds: wait until the next one has begun.
    await new Promise((resolve) => setTimeout(resolve, 5))
    const after = recordOf(await api.update(table('everything'), created.id, body))
    expectThat(
      String(after.stamp) > String(before.stamp),
      `the autodate field did not change with an update that sends ${JSON.stringify(body)}`,
      `later than ${before.stamp}`,
      after.stamp,
    )
    expectEqual(after.created, before.created, '`created` after an update')
  }
})
