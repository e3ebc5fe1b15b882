/** The relation and password fields (standard profile, gap `fields.types`). */

import { check } from '../../../harness/check.ts'
import { BlockedError, expectEqual, expectThat } from '../../../harness/judging/expect.ts'
import { NO_RECORD } from '../../../harness/support/no-record.ts'
import type { CheckContext } from '../../../harness/vocabulary/check.ts'
import { hashIn } from '../../shared/hash-in.ts'
import { listOf, recordOf } from '../../shared/records/record-of.ts'
import { expectCasts } from './casts.ts'
import { expectRejected } from './expect-rejected.ts'

async function relatedIds({ makeMany, table, unique }: CheckContext, count: number): Promise<string[]> {
  const bodies = Array.from({ length: count }, () => ({ name: unique('related') }))
  return (await makeMany(table('related'), bodies)).map(({ id }) => id)
}

check('relation.casts', async (context) => {
  const [a = '', b = ''] = await relatedIds(context, 2)
  await expectCasts(context, 'relations', [
    [
      [b, a],
      [b, a],
    ],
    [
      [a, '', b, null, a],
      [a, b],
    ],
    [a, [a]],
    [null, []],
  ])
  await expectCasts(context, 'relation', [
    [[a, b], b],
    [a, a],
    ['', ''],
  ])
})

check('relation.unknown-record', async (context) => {
  const [a] = await relatedIds(context, 1)
  const code = 'validation_missing_rel_records'
  await expectRejected(context, {
    role: 'everything',
    field: 'relation',
    accepted: [a],
    rejected: [NO_RECORD],
    code,
  })
  await expectRejected(context, {
    role: 'everything',
    field: 'relations',
    accepted: [[a]],
    rejected: [[a, NO_RECORD]],
    code,
  })
})

check('relation.min-select', async (context) => {
  const [a, b] = await relatedIds(context, 2)
  await expectRejected(context, {
    role: 'constrained',
    field: 'pair',
    accepted: [[a, b], []],
    rejected: [[a], [b, b]],
    code: 'validation_not_enough_values',
  })
})

check('relation.too-many', async (context) => {
  const ids = await relatedIds(context, 4)
  await expectRejected(context, {
    role: 'constrained',
    field: 'pair',
    accepted: [ids.slice(0, 3)],
    rejected: [ids],
    code: 'validation_too_many_values',
  })
})

check('password.never-shown', async ({ api, table, unique }) => {
  const everything = table('everything')
  const secret = unique('secret')
  const other = unique('other')
  const created = await api.create(everything, { password: secret })
  const { id } = recordOf(created)
  const batched = await api.batch([
    { method: 'PATCH', url: api.path.record(everything, id), body: { password: other } },
    { method: 'POST', url: api.path.records(everything), body: { password: other } },
  ])
  const listed = await api.list(everything, { perPage: 5, filter: `id = "${id}"` })
  const viewed = await api.view(everything, id)
  const updated = await api.update(everything, id, { password: secret })
  const responses = [created, batched, listed, viewed, updated]
  for (const response of responses) {
    expectThat(
      !response.text.includes(secret) && !response.text.includes(other),
      'a response contains a password',
      'no password',
      response.text,
    )
    expectThat(
      !/\$2[aby]?\$|\$scrypt|\$argon2/.test(response.text) && hashIn(response.text) === undefined,
      'a response contains a password hash',
      'no hash',
      response.text,
    )
  }
  expectEqual(recordOf(viewed).password ?? '', '', 'a password field in a view')
  // Only now: a value of this form is not a password, whatever else the target does.
  if (!responses.every(({ ok }) => ok) || listOf(listed).items.length !== 1)
    throw new BlockedError('not every response about a record with a password shows the record')
})

const pin = { role: 'constrained', field: 'pin' }

check('password.min', (context) =>
  expectRejected(context, {
    ...pin,
    accepted: ['1234', ''],
    rejected: ['123'],
    code: 'validation_min_text_constraint',
  }),
)

check('password.max', (context) =>
  expectRejected(context, {
    ...pin,
    accepted: ['12345678'],
    rejected: ['123456789'],
    code: 'validation_max_text_constraint',
  }),
)

check('password.bytes', async ({ api, table, rejects }) => {
  const create = (letters: number) => () => api.create(table('everything'), { password: 'é'.repeat(letters) })
  await rejects({ control: create(36), attempt: create(37), status: 400 })
})

check('password.pattern', (context) =>
  expectRejected(context, {
    ...pin,
    accepted: ['2468'],
    rejected: ['12ab', 'abcd'],
    code: 'validation_invalid_format',
  }),
)
