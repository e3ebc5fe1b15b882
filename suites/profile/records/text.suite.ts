/** The text field (standard profile, gap `fields.types`). */

import { check } from '../../../harness/check.ts'
import { expectEqual, expectThat } from '../../../harness/judging/expect.ts'
import { recordOf } from '../../shared/records/record-of.ts'
import { expectCasts } from './casts.ts'
import { expectRejected } from './expect-rejected.ts'

check('text.casts', (context) =>
  expectCasts(context, 'text', [
    ['  as it is\n', '  as it is\n'],
    ['żółć 🦉', 'żółć 🦉'],
    [12, '12'],
    [2.5, '2.5'],
    [true, 'true'],
    [false, 'false'],
    [{ a: 1 }, ''],
    [['a'], ''],
    [null, ''],
  ]),
)

const short = { role: 'constrained', field: 'short' }

check('text.min', (context) =>
  expectRejected(context, {
    ...short,
    accepted: ['ab'],
    rejected: ['a'],
    code: 'validation_min_text_constraint',
  }),
)

check('text.max', async (context) => {
  await expectRejected(context, {
    ...short,
    accepted: ['abcde'],
    rejected: ['abcdef'],
    code: 'validation_max_text_constraint',
  })
  const { api, table, rejects } = context
  // Five characters of two bytes each: they pass `max` and fail the pattern only.
  await rejects({
    control: () => api.create(table('constrained'), { short: 'abcde' }),
    attempt: () => api.create(table('constrained'), { short: 'äöüäö' }),
    status: 400,
    data: { short: 'validation_invalid_format' },
  })
})

check('text.default-max', (context) =>
  expectRejected(context, {
    role: 'everything',
    field: 'text',
    accepted: ['x'.repeat(5000)],
    rejected: ['x'.repeat(5001)],
    code: 'validation_max_text_constraint',
  }),
)

check('text.pattern', (context) =>
  expectRejected(context, {
    ...short,
    accepted: ['abc'],
    rejected: ['ABC', 'a1', 'a b'],
    code: 'validation_invalid_format',
  }),
)

check('text.empty-unconstrained', async ({ api, table }) => {
  const record = recordOf(await api.create(table('constrained'), { short: '' }))
  expectEqual(record.short, '', 'an empty string in a field with min and pattern')
})

check('text.autogenerate', async ({ api, table }) => {
  const absent = recordOf(await api.create(table('constrained'), {}))
  const empty = recordOf(await api.create(table('constrained'), { auto: '' }))
  const given = recordOf(await api.create(table('constrained'), { auto: 'given' }))
  for (const { auto } of [absent, empty]) {
    expectThat(
      /^[a-z]{8}$/.test(String(auto)),
      'the generated string does not match its pattern',
      '[a-z]{8}',
      auto,
    )
  }
  expectThat(
    absent.auto !== empty.auto,
    'two generated strings are the same',
    'a different string each time',
    absent.auto,
  )
  expectEqual(given.auto, 'given', 'a string that was sent for a field that can generate one')
})

check('text.autogenerate-modifier', async ({ api, table }) => {
  const created = recordOf(await api.create(table('constrained'), { 'auto:autogenerate': 'pre-' }))
  expectThat(
    /^pre-[a-z]{8}$/.test(String(created.auto)),
    'a create does not generate a string after the prefix that was sent',
    'pre-[a-z]{8}',
    created.auto,
  )
  const updated = recordOf(await api.update(table('constrained'), created.id, { 'auto:autogenerate': 'x' }))
  expectThat(
    /^x[a-z]{8}$/.test(String(updated.auto)),
    'an update does not generate a string after the prefix that was sent',
    'x[a-z]{8}',
    updated.auto,
  )
})
