/** Page sizes: their bounds, their default, and what becomes of one that a server does not give. */

import { countOf } from '../../spec/count-of.ts'
import { all, on, rewriteQuery } from '../faults/combinators/combinators.ts'
import { fieldRejection } from '../faults/combinators/field.ts'
import { rejectsQuery } from '../faults/combinators/query.ts'
import { nearReading, sizing, walking } from './near.ts'
import { variation, variationsOf } from './variation.ts'

variationsOf('page-sizes')

const LIST = 'listRecords'
const bounds = { because: '8', near: sizing }

/** Gives another page size than the requested one; the response reports it. */
const gives = (size: (asked: number) => number) =>
  rewriteQuery(LIST, (query) => {
    const asked = query.get('perPage')
    if (asked !== null) query.set('perPage', String(size(Number(asked))))
  })

/** Page size of a list for which none is asked. */
const usually = (size: number) =>
  rewriteQuery(LIST, (query) => {
    if (!query.has('perPage')) query.set('perPage', String(size))
  })

variation(
  'page sizes below 10 are raised to 10',
  bounds,
  gives((asked) => Math.max(10, asked)),
)
variation(
  'page sizes below 5 are raised to 5',
  bounds,
  gives((asked) => Math.max(5, asked)),
)
variation(
  'page sizes below 20 are raised to 20, the default',
  { because: '8', near: walking },
  all(
    gives((asked) => Math.max(20, asked)),
    usually(20),
  ),
)
variation(
  'page sizes above 3 are lowered to 3',
  { because: '8', near: [...sizing, ...nearReading] },
  all(
    gives((asked) => Math.min(3, asked)),
    usually(3),
  ),
)
for (const most of [1, 2])
  variation(
    `page sizes above ${most} are lowered to ${most}`,
    {
      because: '8',
      near: ['list.full-pages', 'list.totals-agree', ...nearReading, 'batch.succeeds-together'],
    },
    all(
      gives((asked) => Math.min(most, asked)),
      usually(most),
    ),
  )
variation(
  'page sizes above 20 are lowered to 20',
  { because: '8', near: [...walking, ...nearReading] },
  gives((asked) => Math.min(20, asked)),
)
variation(
  'page sizes above 100 are lowered to 100',
  { because: '8', near: ['record.id-unique', 'create.listed', 'delete.unlisted', 'update.only-one'] },
  gives((asked) => Math.min(100, asked)),
)
variation('page sizes below 5 are rejected', bounds, rejectsQuery('perPage', /^[0-4]$/))
variation('page sizes below 10 are rejected with 422', bounds, rejectsQuery('perPage', /^\d$/, 422))
variation(
  'a page size of 1 is rejected with 404',
  { because: '8', near: ['list.shape', ...walking] },
  rejectsQuery('perPage', /^1$/, 404),
)
variation(
  'page sizes above 10 are rejected with 422',
  { because: '8', near: [...walking, ...nearReading] },
  rejectsQuery('perPage', /^(1[1-9]|[2-9]\d|\d{3,})$/, 422),
)
variation(
  'page sizes above 20 are rejected',
  { because: '8', near: [...walking, ...nearReading] },
  rejectsQuery('perPage', /^(2[1-9]|[3-9]\d|\d{3,})$/),
)
variation(
  'page sizes above 100 are rejected with 413',
  { because: '8', near: ['record.id-unique', 'create.listed', 'delete.unlisted'] },
  rejectsQuery('perPage', /^(?!100$)\d{3,}$/, 413),
)
variation(
  'page sizes above 10 are rejected with 403',
  { because: '8', near: ['record.id-unique', 'create.listed', 'delete.unlisted'] },
  rejectsQuery('perPage', /^(1[1-9]|[2-9]\d|\d{3,})$/, 403),
)
variation(
  'page sizes are rounded up to 10, 25, 50 or 100',
  bounds,
  gives((asked) => [10, 25, 50].find((each) => each >= asked) ?? 100),
)
variation(
  'page sizes are rounded up to even numbers',
  bounds,
  gives((asked) => asked + (asked % 2)),
)
variation(
  'page sizes other than 5, 10 and 25 are rejected',
  bounds,
  rejectsQuery('perPage', /^(?!(?:5|10|25)$)/),
)
variation(
  'every page holds 10 records',
  bounds,
  all(
    gives(() => 10),
    usually(10),
  ),
)
variation(
  'every page holds 30 records',
  { because: '8', near: walking },
  gives(() => 30),
)
variation(
  'every page holds 1 record',
  { because: '8', near: [...walking, ...nearReading] },
  all(
    gives(() => 1),
    usually(1),
  ),
)
for (const size of [1, 2, 5, 10, 100, 1000])
  variation(
    `the default page size is ${countOf(size, 'record')}`,
    { because: 'list.paging', near: ['list.shape', 'list.per-page', 'list.total-items', ...nearReading] },
    usually(size),
  )
variation(
  'a page size of 0 returns 500 records',
  { because: 'list.paging', near: ['list.shape', 'list.per-page', 'record.id-unique'] },
  rewriteQuery(LIST, (query) => {
    if (!query.has('perPage') || query.get('perPage') === '0') query.set('perPage', '500')
  }),
)

const whole = 'whether a record is listed needs the whole list, whose end no page shows'
variation(
  'no page begins after the 40th record of a table that holds 60 records of others',
  {
    because: '8',
    near: [
      'record.id',
      'record.id-unique',
      'table.by-id',
      'view.no-effect',
      'create.listed',
      'delete.unlisted',
      'delete.only-one',
    ],
    declares: {
      'record.id': whole,
      'record.id-unique': whole,
      'table.by-id': whole,
      'view.no-effect': whole,
      'create.listed': whole,
      'delete.unlisted': whole,
      'delete.only-one': whole,
    },
  },
  all(
    gives((asked) => Math.min(10, asked)),
    usually(10),
    (tools) => {
      let filled: Promise<unknown> | undefined
      const fill = async () => {
        for (let at = 0; at < 60; at += 1)
          await tools.reference.records.create('conf_plain', { title: `of others ${at}` })
      }
      return on(LIST, async (request, next) => {
        filled ??= fill()
        await filled
        const query = new URL(request.url).searchParams
        const before = (Number(query.get('page') ?? 1) - 1) * Number(query.get('perPage'))
        return before > 40 ? fieldRejection(400) : next(request)
      })(tools)
    },
  ),
)
