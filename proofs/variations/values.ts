/** Numbers, truth values, dates, choices and JSON: what they take, and how their values look. */

import { isObject } from '../../exchange/json-object.ts'
import type { Target } from '../../harness/vocabulary/target.ts'
import { rejectsEntry } from '../faults/combinators/batch.ts'
import {
  all,
  isJsonObject,
  type JsonValue,
  on,
  parsedBody,
  tamperRecord,
} from '../faults/combinators/combinators.ts'
import { fieldRejection, forgets, rejects, WRITES } from '../faults/combinators/field.ts'
import { keepsField, keepsStrings, showsAs, showsUnsetAs } from './combinators/responses.ts'
import { variation, variationsOf } from './variation.ts'

variationsOf('values')

const values = ['field-types.keep-values', 'update.changes-only-sent', 'update.applies'] as const
const shown = ['field-types.all', ...values] as const
const because = 'fields.types'
const near = values

const rounded = (digits: number) => (value: unknown) =>
  typeof value === 'number' ? Number(value.toFixed(digits)) : value
variation(
  'numbers are shown as strings',
  { because, near: [...shown, 'list.sort-orders', 'list.sort-across-pages', 'list.sort-keeps-set'] },
  all(showsAs('number', String), showsAs('rank', String)),
)
variation(
  'numbers are shown with two decimals',
  { because, near },
  showsAs('number', (value) => Number(value).toFixed(2)),
)
const isRank = ({ rank }: JsonValue) => rank === undefined || (typeof rank === 'number' && rank > 0)
variation(
  'ranks are above zero',
  {
    because,
    near: [
      'list.sort-orders',
      'list.sort-across-pages',
      'list.sort-keeps-set',
      'list.pagination-covers',
      'batch.same-as-single',
    ],
  },
  all(
    rejects(WRITES, (body) => !isRank(body)),
    rejectsEntry(({ body }) => isJsonObject(body) && !isRank(body)),
  ),
)
variation('numbers are stored with two decimals', { because, near }, keepsField('number', rounded(2)))
variation('numbers are stored with six decimals', { because, near }, keepsField('number', rounded(6)))
variation(
  'numbers are stored with seven digits',
  { because, near },
  keepsField('number', (value) => (Number.isInteger(value) ? value : Math.fround(Number(value)))),
)
variation(
  'places are stored with three decimals',
  { because, near: values },
  keepsField('geo', (value) =>
    Object.fromEntries(Object.entries(value ?? {}).map(([key, part]) => [key, Number(part.toFixed(3))])),
  ),
)
variation(
  'only whole numbers are accepted',
  { because, near: shown },
  rejects(WRITES, (body) => 'number' in body && !Number.isInteger(body.number), 422),
)
variation(
  'negative numbers are rejected',
  { because, near },
  rejects(WRITES, (body) => Number(body.number ?? 0) < 0),
)
variation(
  'an unset number is null',
  { because, near: shown },
  all(
    showsAs('number', (value) => (value === 0 ? null : value)),
    rejects(WRITES, (body) => body.number === 0),
  ),
)

variation(
  'a number that was never set is null',
  { because, near: [...shown, 'list.filter-all-pages'] },
  showsUnsetAs('number', null),
)
variation(
  'zero and false are rejected',
  { because, near },
  rejects(WRITES, (body) => Object.values(body).some((value) => value === 0 || value === false)),
)
variation(
  'a bool that was never set is null',
  { because, near: [...shown, 'record.table-fields', 'list.filter-all-pages'] },
  showsUnsetAs('bool', null),
)
variation(
  'a bool that was never set is omitted',
  { because, near: [...shown, 'record.table-fields'] },
  showsUnsetAs('bool', undefined),
)
variation(
  'booleans are accepted as words only',
  {
    because,
    near: shown,
    declares: { 'record.table-fields': 'its check writes booleans, and no such record can be created' },
  },
  rejects(WRITES, (body) => typeof body.bool === 'boolean', 422),
)

/** Ways to write a moment. Each one gives at least the day. */
const momentForms: readonly [words: string, write: (moment: Date) => unknown][] = [
  ['with a T', (moment) => moment.toISOString()],
  ['without milliseconds', (moment) => moment.toISOString().replace(/\.\d+/, '')],
  ['with microseconds', (moment) => moment.toISOString().replace('Z', '000Z')],
  ['with a numeric zone', (moment) => moment.toISOString().replace('Z', '+00:00')],
  [
    'in another zone',
    (moment) => new Date(moment.getTime() + 7_200_000).toISOString().replace('Z', '+02:00'),
  ],
  ['without a zone', (moment) => moment.toISOString().slice(0, 19).replace('T', ' ')],
  ['in milliseconds since 1970', (moment) => moment.getTime()],
  ['in seconds since 1970', (moment) => Math.floor(moment.getTime() / 1000)],
  ['as HTTP dates', (moment) => moment.toUTCString()],
  ['as days', (moment) => moment.toISOString().slice(0, 10)],
  ['in an object', (moment) => ({ $date: moment.toISOString() })],
]
const momentsAs = (field: string, write: (moment: Date) => unknown) =>
  showsAs(field, (value) => (value === '' ? '' : write(new Date(String(value).replace(' ', 'T')))))
for (const [words, write] of momentForms) {
  variation(`dates are shown ${words}`, { because, near: shown }, momentsAs('date', write))
  variation(
    `automatic dates are shown ${words}`,
    { because, near: [...shown, 'list.items-as-viewed'] },
    momentsAs('stamp', write),
  )
}
variation(
  'an automatic date is null until the first update',
  { because, near: [...shown, 'list.items-as-viewed'] },
  showsAs('stamp', (value, { created }) => (value === created ? null : value)),
)
variation(
  'an automatic date that a client sends is rejected',
  { because, near: [...values, 'derived.create-record', 'derived.update-record'] },
  rejects(WRITES, (body) => 'stamp' in body, 422),
)
variation(
  'an unset date is null',
  { because, near: shown },
  showsAs('date', (value) => value || null),
)
variation(
  'dates are accepted with a T only',
  { because, near: shown },
  rejects(WRITES, (body) => 'date' in body && !/T/.test(String(body.date))),
)

const one = (value: unknown) => (value === '' ? [] : [value])
variation('a single select is shown as a list', { because, near: shown }, showsAs('select', one))
variation(
  'an empty select is null',
  { because, near: shown },
  showsAs('select', (value) => value || null),
)
variation(
  'a selected value is shown with its label',
  { because, near },
  showsAs('select', (value) => (value === '' ? null : { value, label: `Choice ${String(value)}` })),
)
variation(
  'selected values are shown in the order of the table',
  { because, near },
  showsAs('selects', (value) => (value as string[]).toSorted()),
)
variation(
  'selected values are shown in one string',
  { because, near },
  showsAs('selects', (value) => (value as string[]).join(',')),
)
variation('selected values are shown in another order each time', { because, near }, (tools) => {
  let turn = 0
  return showsAs('selects', (value) => (turn++ % 2 === 0 ? value : (value as string[]).toReversed()))(tools)
})
variation(
  'selected values are shown as objects',
  { because, near },
  showsAs('selects', (value) => (value as string[]).map((name) => ({ name, color: 'red' }))),
)
variation(
  'an empty list of selected values is null',
  { because, near: shown },
  showsAs('selects', (value) => ((value as string[]).length === 0 ? null : value)),
)
variation(
  'only one selected value is accepted',
  { because, near },
  rejects(WRITES, (body) => Array.isArray(body.selects) && body.selects.length > 1),
)

variation(
  'JSON is shown as a string',
  { because, near: shown },
  showsAs('json', (value) => JSON.stringify(value)),
)
variation(
  'JSON is shown with its keys in reverse order',
  { because, near },
  showsAs('json', (value) =>
    isObject(value) ? Object.fromEntries(Object.entries(value).toReversed()) : value,
  ),
)
/** Changes each value within a JSON value, from the outside in. */
const throughout = (change: (value: unknown) => unknown) =>
  function changed(value: unknown): unknown {
    const now = change(value)
    if (Array.isArray(now)) return now.map(changed)
    if (!isObject(now)) return now
    return Object.fromEntries(Object.entries(now).map(([key, held]) => [key, changed(held)]))
  }
variation(
  'lists in JSON lose null, as in Rails',
  { because, near: shown },
  showsAs(
    'json',
    throughout((value) => (Array.isArray(value) ? value.filter((each) => each !== null) : value)),
  ),
)
variation(
  'empty strings in JSON are null, and others are trimmed, as in Laravel',
  { because, near: shown },
  showsAs(
    'json',
    throughout((value) => (typeof value === 'string' ? value.trim() || null : value)),
  ),
)
variation(
  'JSON null is omitted',
  { because, near: shown },
  showsAs('json', (value) => value ?? undefined),
)
variation(
  'JSON objects whose keys are numbers are rejected',
  { because, near },
  rejects(
    WRITES,
    ({ json }) => isJsonObject(json) && Object.keys(json).some((key) => /^\d+$/.test(key)),
    422,
  ),
)
variation(
  'JSON is accepted as an object or a list only',
  { because, near: shown },
  rejects(WRITES, (body) => 'json' in body && typeof body.json !== 'object'),
)

variation(
  'dates before 1970 are rejected',
  { because, near: values },
  rejects(WRITES, (body) => /^19[0-6]/.test(String(body.date)), 422),
)
variation(
  'JSON that is nested deeply is rejected',
  { because, near: [...values, 'batch.same-as-single'] },
  rejects(WRITES, (body) => /(?:[[{].*){6}/.test(JSON.stringify(body.json ?? 0)), 422),
)
variation(
  'long lists are rejected',
  { because, near: values },
  rejects(
    WRITES,
    (body) => [body.json, body.relations].some((each) => Array.isArray(each) && each.length > 4),
    422,
  ),
)

/** The records of `plain`, by either name of the table. */
const PLAIN = /conf_plain(?:_0001)?\/records$/
variation(
  'records of a table need a value that the suite does not know, which the target file names',
  {
    because: 'fields.types',
    near: [
      'create.json',
      'create.persists',
      'batch.succeeds-together',
      'batch.all-or-nothing',
      'derived.create-record',
      'record.id-unique',
      'table.by-id-writes',
      'wire.json-utf8',
    ],
    target: (target) => {
      const { plain } = target.tables
      if (plain === undefined) return target
      return { ...target, tables: { ...target.tables, plain: { ...plain, values: { kind: 'news' } } } }
    },
  },
  all(
    on('createRecord', async (request, next) => {
      const { pathname } = new URL(request.url)
      const body = PLAIN.test(pathname) ? await parsedBody(request.clone()) : undefined
      return body !== undefined && body.kind !== 'news' ? fieldRejection(400) : next(request)
    }),
    rejectsEntry(
      ({ method, url, body }) =>
        method === 'POST' && PLAIN.test(String(url)) && !(isJsonObject(body) && body.kind === 'news'),
    ),
    tamperRecord(['viewRecord', 'createRecord'], (record) =>
      record.collectionName === 'conf_plain' ? { ...record, kind: 'news' } : record,
    ),
  ),
)
/** The table with all field types is one of the server's own: it may lack some. */
const withOwnTable = (target: Target): Target => ({
  ...target,
  tables: { ...target.tables, everything: { role: 'everything', name: 'conf_everything', existing: true } },
})
variation(
  'a table of its own lacks two of the field types, and ignores unknown keys',
  {
    because: '2.3',
    near: [...values, 'field-types.all', 'batch.same-as-single'],
    declares: { 'field-types.all': 'the table has no such fields' },
    target: withOwnTable,
  },
  all(
    forgets(WRITES, (key) => key === 'relations' || key === 'geo'),
    tamperRecord('*', ({ relations, geo, ...record }) => record),
  ),
)
variation(
  'a table of its own omits fields without a value, and ignores unknown keys',
  {
    because: '2.3',
    near: ['record.table-fields', 'update.fields-at-once', 'field-types.keep-values'],
    target: withOwnTable,
  },
  all(
    showsUnsetAs('bool', undefined),
    showsUnsetAs('number', undefined),
    ...['email', 'url', 'editor', 'date', 'select'].map((field) =>
      showsAs(field, (value) => value || undefined),
    ),
  ),
)
variation(
  'a table of its own has one text field, which is trimmed, composed and at most 4,500 characters long',
  {
    because: '2.3',
    near: [...values, 'field-types.all'],
    declares: { 'field-types.all': 'the table has no such field' },
    target: withOwnTable,
  },
  all(
    rejects(WRITES, (body) => String(body.text ?? '').length > 4_500, 422),
    keepsStrings((text) => text.normalize('NFC').trim()),
    forgets(WRITES, (key) => key === 'editor'),
    tamperRecord('*', ({ editor, ...record }) => record),
  ),
)
