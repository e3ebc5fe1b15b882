/**
 * Batches: writes of every kind, including kinds that no batch may contain.
 *
 * @module
 */

import fc, { type Arbitrary } from 'fast-check'
import type { TableDefinition } from '../../../spec/table-definition.ts'
import { fillBlank } from '../blanks.ts'
import { fuzzIds } from '../world/ids.ts'
import { recordEntries, someSpoiled } from './entries.ts'
import type { JsonEntry } from './json.ts'
import { oddJson, oddStrings } from './odd-strings.ts'

const prefix = '/api/v1/collections'
const oddUrls = [
  '/api/v1/batch',
  '/api/v1/collections/conf_members/auth-with-password',
  'http://127.0.0.1/api/v1/collections/conf_plain/records',
  '//conf_plain/records',
  '/api/v1/collections/conf_plain/records?fields=id;page=1',
  '/api/v1/collections/conf_plain/records?expand=%zz',
  '/api/v1/collections/conf_plain/../conf_locked/records',
  '',
  'x'.repeat(2001),
]

function write(table: TableDefinition): Arbitrary<unknown> {
  const url = `${prefix}/${table.name}/records`
  const id = fc.constantFrom(...fuzzIds(table.name), ...fuzzIds(table.name), fillBlank('created'))
  const query = fc.constantFrom('', '', '', '?fields=id', '?expand=parent', '?sure=yes')
  const bodies = (creating: boolean) =>
    someSpoiled(recordEntries(table, creating, 0.4)).map((entries) => Object.fromEntries(entries))
  const create = fc.record({
    method: fc.constant('POST'),
    url: query.map((text) => url + text),
    body: bodies(true),
  })
  const update = fc.record({
    method: fc.constant('PATCH'),
    url: fc.tuple(id, query).map(([each, text]) => `${url}/${each}${text}`),
    body: bodies(false),
  })
  const put = fc.record({ method: fc.constant('PUT'), url: fc.constant(url), body: bodies(true) })
  const remove = fc.record({ method: fc.constant('DELETE'), url: id.map((each) => `${url}/${each}`) })
  return fc.oneof(
    { weight: 4, arbitrary: create },
    { weight: 3, arbitrary: update },
    { weight: 1, arbitrary: put },
    { weight: 1, arbitrary: remove },
  )
}

const oddWrites: Arbitrary<unknown> = fc.oneof(
  fc.record({
    method: fc.constantFrom('GET', 'post', 'HEAD', 'CONNECT', ''),
    url: fc.constantFrom(...oddUrls),
  }),
  fc.record({
    method: fc.constant('POST'),
    url: fc.oneof(fc.constantFrom(...oddUrls), oddStrings),
    body: oddJson,
  }),
  fc.record({
    method: fc.constant('POST'),
    url: fc.constant(`${prefix}/conf_plain/records`),
    headers: fc.oneof(oddJson, fc.constant({ Authorization: fillBlank('superuser'), 'x\0': '\r\n' })),
    body: fc.constant({ title: 'x' }),
  }),
  oddJson,
)

/** The one entry that a batch has, `requests`, and sometimes another one. */
export function fuzzedEntries(tables: readonly TableDefinition[]): Arbitrary<JsonEntry[]> {
  const good = fc.oneof(...tables.map(write))
  const some = fc.array(good, { minLength: 1, maxLength: 4 })
  const odd = fc.array(fc.oneof({ weight: 2, arbitrary: good }, { weight: 1, arbitrary: oddWrites }), {
    maxLength: 6,
  })
  const many = fc.tuple(good, fc.integer({ min: 48, max: 53 })).map(([one, count]) => Array(count).fill(one))
  const requests = fc.oneof(
    { weight: 12, arbitrary: some },
    { weight: 4, arbitrary: odd },
    { weight: 1, arbitrary: many },
  )
  return requests.map((each): JsonEntry[] => [['requests', each]])
}
