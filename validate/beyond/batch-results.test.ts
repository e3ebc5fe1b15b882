/**
 * The results of a batch, compared with its sub-requests.
 */

import { describe, expect, it } from 'vitest'
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

  const at = (index: number) => results[index] as JsonBody
  it.each<[string, unknown, string]>([
    ['too few results', results.slice(1), 'batch.entry $'],
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
