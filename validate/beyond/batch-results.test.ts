/**
 * The results of a batch, compared with its sub-requests.
 */

import { describe, expect, it } from 'vitest'
import type { PlainExchange } from '../../exchange/plain-exchange.ts'
import { broken, list, one } from '../../test/validate/broken.ts'
import { type JsonBody, note, plainExchange } from '../../test/validate/exchanges.ts'

describe('a batch', () => {
  const requests = [
    { method: 'POST', url: list, body: { title: 'a' } },
    { method: 'POST', url: list, body: { title: 'b' } },
    { method: 'PATCH', url: one, body: { title: 'c' } },
    { method: 'DELETE', url: one },
  ]
  const results: JsonBody[] = [
    { status: 200, body: note(1, { title: 'a' }) },
    { status: 200, body: note(2, { title: 'b' }) },
    { status: 200, body: note(0, { title: 'c' }) },
    { status: 204, body: null },
  ]
  const batch = (body: unknown, sent: unknown = { requests }) =>
    plainExchange(body, { method: 'POST', url: '/api/v1/batch', sent })

  it('conforms', () => {
    expect(broken(batch(results))).toEqual([])
    expect(broken(batch(results, JSON.stringify({ requests })))).toEqual([])
  })

  it('conforms with short values, whichever query requests them', () => {
    const short = { status: 200, body: { id: 'note0', collectionId: 'no', collectionName: 'x', title: 'c' } }
    const asked = requests.map((each) => ({ ...each, url: `${each.url}?fields=*:excerpt(2)` }))
    const body = [results[0], results[1], short, results[3]]
    expect(broken(batch(body, { requests: asked }))).toEqual([])
    const url = '/api/v1/batch?fields=status,body.*:excerpt(2)'
    expect(broken(plainExchange(body, { method: 'POST', url, sent: { requests } }))).toEqual([])
  })

  /** A batch of one request and its result. */
  const single = (request: JsonBody, body: JsonBody, query = '') =>
    plainExchange([{ status: 200, body }], {
      method: 'POST',
      url: `/api/v1/batch${query}`,
      sent: { requests: [{ method: 'POST', url: list, body: {}, ...request }] },
    })
  const inverted = { created: '2030-01-01 00:00:00.000Z' }
  it.each<[string, PlainExchange]>([
    ['to a table by its identifier', single({ url: list.replace('notes', 'notes_id') }, note())],
    ['to a table in another case', single({ url: list.replace('notes', 'NOTES') }, note())],
    [
      'with an identifier that is cut off',
      single(
        { url: `${list.replace('notes', 'notes_id')}?fields=*,collectionId:excerpt(3)` },
        note(0, { collectionId: 'not' }),
      ),
    ],
    [
      'with times that are cut off',
      single({ url: `${list}?fields=*,updated:excerpt(40)` }, note(0, inverted)),
    ],
    [
      'with values that the batch cuts off, and fields of its own',
      single({ method: 'PATCH', url: `${one}?fields=id` }, { id: 'no' }, '?fields=status,body.id:excerpt(2)'),
    ],
    [
      'whose requests are not known',
      plainExchange([{ status: 200, body: { title: 'a' } }], { method: 'POST', url: '/api/v1/batch' }),
    ],
    [
      'with one result that has few keys',
      batch([results[0], results[1], { status: 200, body: { title: 'c' } }, results[3]], {
        requests: requests.with(2, { method: 'PATCH', url: `${one}?fields=title`, body: { title: 'c' } }),
      }),
    ],
    [
      'with an excerpt, and the whole text in another result',
      batch(
        ['a', 'ab'].map((title, index) => ({ status: 200, body: note(index, { title }) })),
        {
          requests: ['?fields=*,title:excerpt(1)', ''].map((query) => ({
            method: 'POST',
            url: list + query,
            body: { title: 'ab' },
          })),
        },
      ),
    ],
    [
      'with a default for an empty text',
      batch(
        ['new', ''].map((title, index) => ({ status: 200, body: note(index, { title }) })),
        {
          requests: ['', ''].map((title) => ({ method: 'POST', url: list, body: { title } })),
        },
      ),
    ],
  ])('conforms %s', (_name, each) => {
    expect(broken(each)).toEqual([])
  })

  it.each<[string, JsonBody, string]>([
    ['a created record', { body: { id: 'mine' } }, 'batch.entry $[0].body.id'],
    ['a record that PUT creates', { method: 'PUT', body: { id: 'mine' } }, 'batch.entry $[0].body.id'],
    [
      'a record below the prefix of the official client',
      { method: 'PATCH', url: '/api/collections/notes/records/mine' },
      'batch.entry $[0].body.id',
    ],
  ])('finds another id of %s', (_name, request, expected) => {
    expect(broken(single(request, note()))).toContain(expected)
  })

  const at = (index: number) => results[index] as JsonBody
  it.each<[string, unknown, string]>([
    ['too few results', results.slice(1), 'batch.entry $'],
    ['too many results', [...results, at(3)], 'batch.entry $'],
    ['results out of order', [at(1), at(0), at(2), at(3)], 'batch.entry $[0].body'],
    ['a deletion in another place', [at(3), at(0), at(1), at(2)], 'batch.entry $[0].status'],
    ['another record', [at(0), at(1), { status: 200, body: note(7) }, at(3)], 'batch.entry $[2].body.id'],
    [
      'another table',
      [{ status: 200, body: note(1, { collectionName: 'x', collectionId: 'y' }) }, ...results.slice(1)],
      'batch.entry $[0].body.collectionName',
    ],
    ['a status of its own', [{ status: 201, body: note(1) }, ...results.slice(1)], 'batch.entry $[0].status'],
    [
      'times of a record',
      [
        { status: 200, body: note(1, { title: 'a', created: '2030-01-01 00:00:00.000Z' }) },
        ...results.slice(1),
      ],
      'batch.entry $[0].body.updated',
    ],
  ])('%s is found', (_name, body, expected) => {
    expect(broken(batch(body))).toContain(expected)
  })

  it('reads a form as the official client sends it', () => {
    const form = new FormData()
    form.set('@jsonPayload', JSON.stringify({ requests }))
    expect(broken(batch(results.slice(1), form))).toEqual(['batch.entry $'])
    const text = `--x\r\nContent-Disposition: form-data; name="@jsonPayload"\r\n\r\n${JSON.stringify({ requests })}\r\n--x--\r\n`
    expect(broken(batch(results.slice(1), text))).toEqual(['batch.entry $'])
    expect(broken(batch(results, text))).toEqual([])
  })
})
