import { expect, test } from 'vitest'
import type { Exchange } from '../../exchange/exchange.ts'
import type { OperationId } from '../../spec/vocabulary.ts'
import { neededSetUp } from './needed-set-up.ts'

let number = 0

function exchange(
  operation: OperationId | undefined,
  [method = 'GET', url = '', sent = '']: readonly string[],
  [status, received = '']: readonly [number, string?],
): Exchange {
  number += 1
  const message = (body: string) => ({ headers: {}, body, bytes: body.length })
  return {
    number,
    ...(operation !== undefined && { operation }),
    actor: 'guest',
    request: { ...message(sent), method, url },
    response: { ...message(received), status },
    ms: 1,
  }
}

const records = '/api/v1/collections/notes/records'
const create = (id: string, title: string) =>
  exchange('createRecord', ['POST', records, `{"title":"${title}"}`], [200, `{"id":"${id}"}`])
const list = (query: string, ...ids: string[]) =>
  exchange('listRecords', ['GET', records + query], [200, `{"items":[${ids.map((id) => `{"id":"${id}"}`)}]}`])

const one = create('id-of-the-first', 'pile-1')
const two = create('id-of-the-second', 'pile-2')

test('records that nothing later mentions are left out, and so is what was only read', () => {
  const inside = [list('?filter=title+%3D+%22pile-2%22', 'id-of-the-second')]
  expect(neededSetUp([one, two, list('', 'id-of-the-first', 'id-of-the-second')], inside)).toEqual([two])
})

test('what a needed write mentions is needed as well', () => {
  const child = exchange(
    'createRecord',
    ['POST', records, '{"parent":"id-of-the-first"}'],
    [200, '{"id":"id-of-the-child"}'],
  )
  const inside = [exchange('viewRecord', ['GET', `${records}/id-of-the-child`], [404])]
  expect(neededSetUp([one, two, child], inside)).toEqual([one, child])
})

test('changes and deletes are needed where their record is', () => {
  const change = exchange('updateRecord', ['PATCH', `${records}/id-of-the-first`, '{}'], [200, '{}'])
  const removal = exchange('deleteRecord', ['DELETE', `${records}/id-of-the-second`], [204])
  const inside = [exchange('viewRecord', ['GET', `${records}/id-of-the-first`], [200])]
  expect(neededSetUp([one, two, change, removal], inside)).toEqual([one, change])
})

test('what was deleted is not there: the delete is shown where the create is', () => {
  const removal = exchange('deleteRecord', ['DELETE', `${records}/id-of-the-second`], [204])
  const inside = [list('?filter=title+%7E+%22pile%22&x=pile-1pile-2', 'id-of-the-first')]
  expect(neededSetUp([one, two, removal], inside)).toEqual([one, two, removal])
})

test('so is a record that refers to one that is shown', () => {
  const child = exchange(
    'createRecord',
    ['POST', '/others', '{"parent":"id-of-the-first"}'],
    [200, '{"id":"c"}'],
  )
  expect(neededSetUp([one, child], [list('?filter=title+%3D+%22pile-1%22')])).toEqual([one, child])
})

test('the address of an entry of a batch is not a value', () => {
  const body = JSON.stringify({ requests: [{ method: 'POST', url: records, body: { title: 'of a batch' } }] })
  const batch = exchange('batch', ['POST', '/api/v1/batch', body], [200, '[]'])
  expect(neededSetUp([one], [batch, list('?perPage=1')])).toEqual([one])
})

test('a list of the whole table depends on all of its records', () => {
  expect(neededSetUp([one, two], [list('?perPage=1')])).toEqual([one, two])
  const other = exchange('listRecords', ['GET', '/api/v1/collections/others/records'], [200, '{}'])
  expect(neededSetUp([one, two], [other])).toEqual([])
})

test('whatever is not about single records is kept, and so is what failed', () => {
  const signIn = exchange('authWithPassword', ['POST', '/sign-in', '{}'], [200, '{}'])
  const failed = exchange('createRecord', ['POST', records, '{}'], [400])
  const unknown = exchange(undefined, ['GET', '/%zz'], [200])
  expect(neededSetUp([signIn, failed, unknown], [])).toEqual([signIn, failed, unknown])
})
