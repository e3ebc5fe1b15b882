/** What holds for fields of every type: zero values, null, required, all failures together (gap `fields.types`). */

import { check } from '../../../harness/check.ts'
import { BlockedError, expectEqual, expectThat, objectBody } from '../../../harness/judging/expect.ts'
import type { WireRecord } from '../../../harness/vocabulary/api.ts'
import type { CheckContext } from '../../../harness/vocabulary/check.ts'
import { formOf, textFile } from '../../shared/records/forms.ts'
import { recordOf } from '../../shared/records/record-of.ts'
import { fieldsOf, samples, zeros } from '../../shared/records/samples.ts'

const ZERO = zeros()

function expectZero(record: WireRecord, what: string, fields: readonly string[] = Object.keys(ZERO)): void {
  for (const [field, zero] of Object.entries(ZERO))
    if (fields.includes(field)) expectEqual(record[field], zero, `${field} ${what}`)
}

check('field.zero-values', async ({ api, table, unique }) => {
  // Each record holds one text, by which it is known as the run's own: of the two each leaves out the other.
  for (const set of ['text', 'editor']) {
    const created = recordOf(await api.create(table('everything'), { [set]: unique(set) }))
    const others = Object.keys(ZERO).filter((field) => field !== set)
    expectZero(created, `after a create with ${set} alone`, others)
    expectZero(recordOf(await api.view(table('everything'), created.id)), 'in a view', others)
  }
})

check('field.null-is-zero', async ({ api, table, make, unique }) => {
  const related = await make(table('related'), { name: unique('related') })
  const full = { ...samples(related.id), text: unique('text'), selects: ['a', 'b'], relations: [related.id] }
  const record = recordOf(await api.create(table('everything'), full))
  const nulls = Object.fromEntries(Object.keys(ZERO).map((field) => [field, null]))
  expectZero(recordOf(await api.update(table('everything'), record.id, nulls)), 'after null was sent')
})

/** A body that fills every required field; the file is uploaded, so it is a form with the rest as JSON. */
async function filled(
  context: CheckContext,
  change: Record<string, unknown> = {},
  file = true,
): Promise<FormData> {
  const related = await context.make(context.table('related'), { name: context.unique('related') })
  const marks = { text: context.unique('text'), editor: `<p>${context.unique('editor')}</p>` }
  const body = { ...samples(related.id), ...marks, ...change }
  return formOf([
    ['@jsonPayload', JSON.stringify(body)],
    ...(file ? [['file', textFile('given.txt')] as const] : []),
  ])
}

const REQUIRED = fieldsOf('required').map(({ name }) => name)

check('field.required-absent', async (context) => {
  const { api, table, rejects } = context
  const good = await filled(context)
  const response = await rejects({
    control: () => api.create(table('required'), good),
    // As it is: with a text of the run in it, a field fewer would be missing.
    attempt: () =>
      api.raw({
        method: 'POST',
        path: api.path.records(table('required')),
        headers: { 'content-type': 'application/json' },
        body: '{}',
      }),
    status: 400,
    data: Object.fromEntries(REQUIRED.map((field) => [field, 'validation_required'])),
  })
  expectEqual(
    Object.keys(objectBody(response).data as object).sort(),
    [...REQUIRED].sort(),
    'the fields with errors',
  )
})

check('field.required-zero', async (context) => {
  const { api, table, rejects } = context
  const good = await filled(context)
  const zeros: Record<string, unknown> = { ...ZERO, date: 'unreadable', json: {} }
  for (const field of REQUIRED) {
    const bad =
      field === 'file' ? await filled(context, {}, false) : await filled(context, { [field]: zeros[field] })
    const response = await rejects({
      control: () => api.create(table('required'), good),
      attempt: () => api.create(table('required'), bad),
      status: 400,
      data: { [field]: 'validation_required' },
    })
    expectEqual(Object.keys(objectBody(response).data as object), [field], 'the only field with an error')
  }
})

check('field.all-failures', async ({ api, table, rejects }) => {
  await rejects({
    control: () =>
      api.create(table('constrained'), {
        short: 'abc',
        whole: 2,
        range: 3,
        domain: 'a@example.com',
        two: 'a',
        pin: '1234',
      }),
    attempt: () =>
      api.create(table('constrained'), {
        short: 'A',
        whole: 2.5,
        range: 99,
        domain: 'a@b.org',
        two: 'z',
        pin: '1',
      }),
    status: 400,
    data: {
      short: 'validation_min_text_constraint',
      whole: 'validation_only_int_constraint',
      range: 'validation_max_number_constraint',
      domain: 'validation_email_domain_not_allowed',
      two: 'validation_invalid_value',
      pin: 'validation_min_text_constraint',
    },
  })
})

check('field.whole-record', async (context) => {
  const { api, table, rejects } = context
  const created = await api.create(table('required'), await filled(context))
  if (!created.ok)
    throw new BlockedError(`A record with every required field could not be created: ${created.status}.`)
  const { id } = recordOf(created)
  await rejects({
    control: () => api.update(table('required'), id, { text: 'before' }),
    attempt: () => api.update(table('required'), id, { text: 'after', number: 0 }),
    status: 400,
    data: { number: 'validation_required' },
  })
  const viewed = recordOf(await api.view(table('required'), id))
  const { number } = samples('')
  expectThat(
    viewed.text === 'before' && viewed.number === number,
    'a rejected update changed the record',
    `before, ${number}`,
    [viewed.text, viewed.number],
  )
})
