import { describe, expect, it } from 'vitest'
import type { Exchange } from '../../exchange/exchange.ts'
import type { OperationId } from '../../spec/vocabulary.ts'
import { sampleFinding, sampleReport } from '../../test/support/sample-report.ts'
import { findingEntry } from './entry.ts'
import { screenLimits } from './limits.ts'
import { outline } from './outline.ts'
import { sameCauses } from './same-cause.ts'

function answered(operation: OperationId, status: number, body: string): { exchanges: Exchange[] } {
  const message = { headers: {}, body, bytes: body.length }
  const request = { ...message, method: 'POST', url: 'http://h/', body: '' }
  return {
    exchanges: [{ number: 1, operation, actor: 'guest', ms: 1, request, response: { ...message, status } }],
  }
}

describe('a failure has the same cause as another one', () => {
  it('whose requirement its response violates', () => {
    const first = sampleFinding('list.total-pages', 'fail', { exchanges: [] })
    const second = sampleFinding('derived.record-links', 'fail', {
      exchanges: [],
      breaks: 'list.total-pages',
    })
    const causes = sameCauses([second, first])
    const text = 'list.total-pages: the response violates it, and that requirement fails too'
    expect([...causes]).toEqual([['derived.record-links', { requirement: 'list.total-pages', text }]])
    expect(findingEntry(second, screenLimits, text).facts).toContainEqual({ label: 'same as', text })
  })

  it.each([
    ['a server error', 500, '{"message":"id k3v9x1m5q8w2z7b"}', '{"message":"id 0wmpz1000"}'],
    ['a page', 404, '<h1>Cannot POST /notes/1</h1>', '<h1>Cannot POST /notes/2</h1>'],
  ])('that gets the same response, which no request should get: %s', (_name, status, one, other) => {
    const causes = sameCauses([
      sampleFinding('derived.record-links', 'fail', answered('createRecord', status, one)),
      sampleFinding('table.by-id-writes', 'fail', answered('createRecord', status, other)),
    ])
    const text = 'table.by-id-writes, which fails with the same response to createRecord'
    expect([...causes]).toEqual([['derived.record-links', { requirement: 'table.by-id-writes', text }]])
  })

  it('that the same body violates, which is not JSON', () => {
    const page = answered('createRecord', 501, '<h1>Not implemented</h1>')
    const causes = sameCauses(
      ['wire.json-bodies', 'wire.json-errors'].map((id) => sampleFinding(id, 'fail', page)),
    )
    const text = 'wire.json-bodies, which the same response violates'
    expect([...causes]).toEqual([['wire.json-errors', { requirement: 'wire.json-bodies', text }]])
  })
})

it.each([
  ['the other one of the same cause', 'list.total-pages'],
  ['what is about one thing', undefined],
])('fixes %s first', (_name, breaks) => {
  const findings = [
    sampleFinding('derived.record-links', 'fail', { exchanges: [], breaks }),
    sampleFinding('list.total-pages', 'fail', { exchanges: [] }),
  ]
  const alike = breaks === undefined ? '' : ', 1 other with the same cause'
  expect(outline({ ...sampleReport(), findings }, screenLimits).first?.text).toBe(
    `Fix first: list.total-pages${alike}`,
  )
})

describe('nothing is said about another cause', () => {
  const page = answered('createRecord', 404, '<h1>Cannot POST</h1>')
  it.each<[string, ReturnType<typeof sampleFinding>]>([
    ['the other requirement holds', sampleFinding('table.by-id-writes', 'pass', page)],
    [
      'the response is to another operation',
      sampleFinding('table.by-id-writes', 'fail', answered('deleteRecord', 404, '<h1>Cannot POST</h1>')),
    ],
    [
      'the response says something else',
      sampleFinding('table.by-id-writes', 'fail', answered('createRecord', 404, '<h1>Not found</h1>')),
    ],
    ['the other is derived too', sampleFinding('derived.batch', 'fail', page)],
  ])('where %s', (_name, other) => {
    const finding = sampleFinding('derived.record-links', 'fail', { ...page, breaks: 'wire.json-bodies' })
    expect(sameCauses([finding, other]).size).toBe(0)
  })

  it('where any request may get the response', () => {
    const rejected = answered('createRecord', 404, '{"message":"not found"}')
    const two = ['derived.record-links', 'table.by-id-writes'].map((id) =>
      sampleFinding(id, 'fail', rejected),
    )
    expect(sameCauses(two).size).toBe(0)
  })
})
