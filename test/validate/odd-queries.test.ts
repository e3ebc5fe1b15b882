/** Odd query strings: the validator and the reference read the same values from them, and judge by the same. */

import { expect, it } from 'vitest'
import { mayName, queryOf } from '../../exchange/query-of.ts'
import { readQuery } from '../../reference/http/read-query.ts'
import { createReference } from '../../reference/reference.ts'
import { inFull } from '../../scripts/support/in-full.ts'
import { createValidator } from '../../validate/create-validator.ts'
import { splitUrl } from '../../validate/find-operation.ts'
import { fc } from '../support/seeded.ts'

const names = ['fields', 'page', 'perPage', 'sort', 'filter', 'skipTotal', 'expand', '%66ields', '__proto__']
const values = ['id', 'title', '1', '2', 'true', '-title', 'id%2Ctitle', 'title%20%3D%20%22a%22', '*', '']
const oddities = [
  '&',
  ';',
  '=',
  '?',
  '#',
  '+',
  '%',
  '%zz',
  '%3B',
  '%26',
  '%23',
  '%ff',
  '%00',
  '%F0%9F%98%80',
  'é',
  ' ',
]

const pair = fc
  .tuple(fc.constantFrom(...names), fc.constantFrom('=', '=', '=', '', ';', '=='), fc.constantFrom(...values))
  .map((parts) => parts.join(''))
const piece = fc.oneof(
  { weight: 4, arbitrary: pair },
  fc.constantFrom(...oddities),
  fc.string({ maxLength: 4 }),
)
const text = fc
  .array(fc.tuple(piece, fc.constantFrom('&', '&', '&', '&', ';', '')), { maxLength: 6 })
  .map((pieces) => pieces.flat().join(''))

it('gives the same values to the validator and to the reference', () => {
  const read = (url: string) => new Map(Object.entries(readQuery(url)))
  fc.assert(
    fc.property(text, (query) => {
      for (const url of [`http://host/path?${query}`, `/path?${query}`, `http://host/path${query}`])
        expect(queryOf(splitUrl(url)[1])).toEqual(read(url))
    }),
    { numRuns: 5_000 },
  )
})

it('knows of a parameter in every reading of a query', () => {
  for (const query of ['fields=id', 'a;fields=id', 'fields=a;page=1', '%66ields=a;b', 'fields=%zz'])
    expect([query, mayName(queryOf(query), query, 'fields')]).toEqual([query, true])
  for (const query of ['', 'field=id', 'filter=fields%3D1', 'filter=a%3Bfields%3D1'])
    expect([query, mayName(queryOf(query), query, 'fields')]).toEqual([query, false])
})

it('leaves no response of the reference to be judged by another reading', async () => {
  const reference = createReference({
    tables: [
      { name: 'notes', listRule: '', viewRule: '', fields: [{ name: 'title', type: 'text' }] },
      { name: 'members', type: 'auth', otp: { enabled: true }, fields: [] },
    ],
    records: { notes: ['a', 'b', 'c'].map((title, at) => ({ id: `note0000000000${at}`, title })) },
    throttle: { resendSeconds: 0 },
  })
  const validator = createValidator({ profile: 'standard' })
  const json = { 'content-type': 'application/json' }
  const requests = (query: string): [string, RequestInit][] => [
    [`http://host/api/v1/collections/notes/records?${query}`, {}],
    [`http://host/api/v1/collections/notes/records/note00000000001?${query}`, {}],
    [
      `http://host/api/v1/collections/members/request-otp?${query}`,
      { method: 'POST', headers: json, body: '{"email":"ann@example.com"}' },
    ],
  ]
  const statuses = new Map<number, number>()
  const judge = async (query: string) => {
    for (const [url, init] of requests(query)) {
      const request = new Request(url, init)
      const { method } = request
      const response = await reference.fetch(request)
      statuses.set(response.status, (statuses.get(response.status) ?? 0) + 1)
      const { operation, findings } = await validator.validate(response, { method, url: request.url })
      expect([url, operation === undefined, findings.map(String)]).toEqual([url, false, []])
    }
  }
  await judge('fields=a;page=1')
  await fc.assert(fc.asyncProperty(text, judge), { numRuns: inFull ? 400 : 100 })
  expect(statuses.get(200) ?? 0).toBeGreaterThan(inFull ? 300 : 75)
})
