/** Keys with a modifier: `field+`, `+field`, `field-` (standard profile, gap `fields.types`). */

import { check } from '../../../harness/check.ts'
import { expectEqual, expectThat, objectBody } from '../../../harness/judging/expect.ts'
import type { Body } from '../../../harness/vocabulary/api.ts'
import type { CheckContext } from '../../../harness/vocabulary/check.ts'
import { recordOf } from '../../shared/records/record-of.ts'

/** Sends each body to one and the same record, and compares a field after each. */
async function expectSteps(
  { api, table }: CheckContext,
  field: string,
  start: Body,
  steps: readonly (readonly [body: Body, becomes: unknown])[],
): Promise<void> {
  const { id } = recordOf(await api.create(table('everything'), start))
  for (const [body, becomes] of steps) {
    const what = `${field} after ${JSON.stringify(body)}`
    expectEqual(recordOf(await api.update(table('everything'), id, body), what)[field], becomes, what)
  }
  const viewed = recordOf(await api.view(table('everything'), id))
  expectEqual(viewed[field], steps.at(-1)?.[1], `${field} in a view at the end`)
}

async function threeRelated({ makeMany, table, unique }: CheckContext): Promise<[string, string, string]> {
  const [a, b, c] = await makeMany(
    table('related'),
    [1, 2, 3].map((n) => ({ name: unique(`related${n}`) })),
  )
  return [a?.id ?? '', b?.id ?? '', c?.id ?? '']
}

check('modifier.number', async (context) => {
  await expectSteps(context, 'number', { number: 10 }, [
    [{ 'number+': 5 }, 15],
    [{ 'number-': 2.5 }, 12.5],
    [{ 'number+': '7' }, 19.5],
    [{ 'number+': 'abc' }, 19.5],
    [{ 'number-': null }, 19.5],
  ])
  const { api, table } = context
  const { id } = recordOf(await api.create(table('everything'), { number: 10 }))
  await Promise.all([1, 2].map(() => api.update(table('everything'), id, { 'number+': 1 })))
  const { number } = recordOf(await api.view(table('everything'), id))
  // One of two concurrent ones may get lost; none is done twice.
  expectThat(
    number === 11 || number === 12,
    'two concurrent `number+` of 1 do not add 1 or 2 to 10',
    '11 or 12',
    number,
  )
})

check('modifier.append', async (context) => {
  await expectSteps(context, 'selects', { selects: ['b'] }, [
    [{ 'selects+': 'a' }, ['b', 'a']],
    [{ 'selects+': ['b', 'c'] }, ['b', 'a', 'c']],
  ])
  const [a, b, c] = await threeRelated(context)
  await expectSteps(context, 'relations', { relations: [b] }, [[{ 'relations+': [a, b, c] }, [b, a, c]]])
})

check('modifier.prepend', async (context) => {
  await expectSteps(context, 'selects', { selects: ['b'] }, [
    [{ '+selects': 'a' }, ['a', 'b']],
    [{ '+selects': ['c', 'd'] }, ['c', 'd', 'a', 'b']],
  ])
  const [a, b] = await threeRelated(context)
  await expectSteps(context, 'relations', { relations: [b] }, [[{ '+relations': a }, [a, b]]])
})

check('modifier.remove', async (context) => {
  await expectSteps(context, 'selects', { selects: ['a', 'b', 'c'] }, [
    [{ 'selects-': 'b' }, ['a', 'c']],
    [{ 'selects-': ['d', 'c'] }, ['a']],
  ])
  const [a, b, c] = await threeRelated(context)
  await expectSteps(context, 'relations', { relations: [a, b, c] }, [[{ 'relations-': [c, a] }, [b]]])
})

check('modifier.single', async (context) => {
  await expectSteps(context, 'select', { select: 'a' }, [
    [{ 'select+': 'b' }, 'b'],
    [{ '+select': 'c' }, 'b'],
    [{ 'select-': 'b' }, ''],
    [{ '+select': 'c' }, 'c'],
  ])
  const [a, b] = await threeRelated(context)
  await expectSteps(context, 'relation', { relation: a }, [
    [{ 'relation+': b }, b],
    [{ '+relation': a }, b],
    [{ 'relation-': a }, b],
    [{ 'relation-': b }, ''],
  ])
})

check('modifier.on-create', async ({ api, table }) => {
  const record = recordOf(await api.create(table('everything'), { 'number-': 4, 'selects+': ['a', 'b'] }))
  expectEqual(record.number, -4, 'number after `number-` on create')
  expectEqual(record.selects, ['a', 'b'], 'selects after `selects+` on create')
})

check('modifier.shorter-first', (context) =>
  expectSteps(context, 'number', { number: 100 }, [
    [{ 'number+': 2, number: 1 }, 3],
    [{ 'number-': 5, 'number+': 1, number: 10 }, 6],
  ]),
)

check('modifier.result-validated', async ({ api, table, rejects }) => {
  const { id } = recordOf(await api.create(table('constrained'), { range: 8, two: ['a'] }))
  await rejects({
    control: () => api.update(table('constrained'), id, { 'range+': 1, 'two+': 'b' }),
    attempt: () => api.update(table('constrained'), id, { 'range+': 2, 'two+': 'c' }),
    status: 400,
    data: { range: 'validation_max_number_constraint', two: 'validation_too_many_values' },
  })
  const viewed = recordOf(await api.view(table('constrained'), id))
  expectEqual([viewed.range, viewed.two], [9, ['a', 'b']], 'range and two after a rejected update')
})

check('modifier.unknown', async ({ api, table }) => {
  const before = recordOf(await api.create(table('everything'), { text: 'x', number: 3, bool: true }))
  const response = await api.update(table('everything'), before.id, {
    'text+': 'y',
    '+number': 9,
    'bool-': true,
    'number*': 2,
  })
  const { text, number, bool } = recordOf(response)
  expectEqual(
    [text, number, bool],
    ['x', 3, true],
    'text, number and bool after modifiers that they do not support',
  )
  expectThat(
    !Object.keys(objectBody(response)).includes('text+'),
    'a response shows a modifier as a field',
    'no key "text+"',
    objectBody(response),
  )
})
