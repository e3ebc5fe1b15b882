/**
 * Random batches over a small pool of ids, so that their entries meet: most are well-formed, some are not.
 *
 * @module
 */

import fc, { type Arbitrary } from 'fast-check'
import { livingValues } from './values.ts'

/** Ids of records that batches make, change and delete. */
export const pool = ['plain0000000001', 'plain0000000002', 'plain0000000003', 'plain0000000004']

/** Tables whose records the batches touch, the ones that point to others first. */
export const touched = [
  'conf_requiring',
  'conf_cascading',
  'conf_loose',
  'conf_plain',
  'conf_unique',
  'conf_ruled',
]

const ids = fc.constantFrom(...pool)
const anyId = fc.oneof(
  { weight: 8, arbitrary: ids },
  { weight: 1, arbitrary: fc.constantFrom('', 'bad id', 'x', 'PLAIN0000000001', 'nothere00000000') },
)
const tables = fc.constantFrom(
  'conf_plain',
  ...touched,
  'conf_locked',
  'CONF_PLAIN',
  'conf_nope',
  'conf_loose_0001',
)
const queries = fc.constantFrom(
  '',
  '',
  '',
  '?fields=id',
  '?expand=parent',
  '?expand=one,many',
  '?sure=yes',
  '?',
)
const others = {
  title: livingValues,
  label: livingValues,
  parent: anyId,
  one: anyId,
  many: fc.array(anyId, { maxLength: 3 }),
  code: fc.constantFrom('a', 'b', 'A', ''),
  grp: fc.constantFrom('g', ''),
  slot: fc.constantFrom(0, 1, 2),
  alias: fc.constantFrom('x', 'y', ''),
  nick: fc.constantFrom('n', 'N', ''),
  level: fc.constantFrom(1, 5),
}
// Ids are always chosen by the batch: those that a server makes differ.
const fields = fc.record({ id: anyId.filter((id) => id !== ''), ...others }, { requiredKeys: ['id'] })
const changes = fc.record({ ...others, 'many+': ids }, { requiredKeys: [] })

const addressed = (method: string, body: Arbitrary<unknown>) =>
  fc.record({
    method: fc.constant(method),
    url: fc
      .tuple(tables, ids, queries)
      .map(([table, id, query]) => `/api/collections/${table}/records/${id}${query}`),
    body,
  })
const posted = (method: string) =>
  fc.record({
    method: fc.constant(method),
    url: fc.tuple(tables, queries).map(([table, query]) => `/api/collections/${table}/records${query}`),
    body: fields,
  })

const methods = ['GET', 'post', '', 'HEAD', 1, null, undefined, 'POST ', 'PUT', 'DELETE']
const urls = [
  ...[
    '/api/collections/conf_plain/records',
    '/api/collections/conf_plain/records/',
    '/api/batch',
    '',
    1,
    null,
  ],
  ...['/api/collections/conf_plain/records/a/b', 'http://x/api/collections/conf_plain/records', undefined],
  ...[
    'api/collections/conf_plain/records',
    '/api/v1/collections/conf_plain/records',
    '/api/collections//records',
  ],
  ...[' /api/collections/conf_plain/records', '/api/collections/conf_plain/records#x'],
  ...['/api/collections/conf%5Fplain/records', '/api/collections/conf_plain/records?fields=%zz'],
  ...['/API/collections/conf_plain/records', '/api/collections/conf_members/auth-with-password'],
]
const headers = [undefined, {}, { 'x-conf': 'open' }, { authorization: 'x' }, [], 'x', { a: 1 }, { a: null }]
const odd = fc.record({
  method: fc.constantFrom<unknown>(...methods),
  url: fc.constantFrom<unknown>(...urls),
  body: fc.oneof(
    { weight: 3, arbitrary: fields },
    { weight: 1, arbitrary: fc.constantFrom<unknown>([], 'x', 1, true) },
  ),
  headers: fc.constantFrom<unknown>(...headers),
})

/** The value of `requests`. */
export const batches: Arbitrary<unknown[]> = fc.array(
  fc.oneof(
    { weight: 6, arbitrary: posted('POST') },
    { weight: 4, arbitrary: posted('PUT') },
    { weight: 4, arbitrary: addressed('PATCH', changes) },
    { weight: 4, arbitrary: addressed('DELETE', fc.constant(undefined)) },
    { weight: 2, arbitrary: odd },
  ),
  { maxLength: 4 },
)
