import { expect, it } from 'vitest'
import { exampleLines } from './example-lines.ts'

const request = { method: 'GET', path: '/api/v1/collections/notes/records?perPage=1' }

it('repeats the request if only the response differs', () => {
  const lines = exampleLines({
    conforming: { request, response: { status: 200, body: '{"totalPages":13}' } },
    failing: {
      defect: 'totals are those of the page',
      problem: 'unexpected value for totalPages: expected 13, received 1',
      response: { status: 200, body: '{"totalPages":1}' },
    },
  })
  expect(lines.join('\n')).toMatchInlineSnapshot(`
    "a conforming exchange
      > GET /api/v1/collections/notes/records?perPage=1
      < 200
      < {"totalPages":13}

    a failing exchange: unexpected value for totalPages: expected 13, received 1
      > GET /api/v1/collections/notes/records?perPage=1
      < 200
      < {"totalPages":1}"
  `)
})

it('shows headers, each line of a body, and a connection that ended', () => {
  const sent = { method: 'POST', path: '/batch', headers: { authorization: '$TOKEN_USER' }, body: 'a\nb' }
  const lines = exampleLines({
    conforming: { request, response: { status: 204 } },
    failing: { defect: 'hangs up', problem: 'there was no response', request: sent },
  })
  expect(lines.slice(4)).toEqual([
    'a failing exchange: there was no response',
    '  > POST /batch',
    '  > authorization: $TOKEN_USER',
    '  > a',
    '  > b',
    '  < no response',
  ])
})

it('does not repeat an exchange that shows no difference', () => {
  const response = { status: 204 }
  const failing = { defect: 'notifies everyone', problem: 'an email was sent to the old address', response }
  expect(exampleLines({ conforming: { request, response }, failing }).slice(4)).toEqual([
    'a failing exchange: an email was sent to the old address',
    '  the same request and response: an email, a value that is cut, or another response is wrong',
  ])
})

it('says that there is none, and why', () => {
  expect(exampleLines({ missing: 'its check sends nothing' })).toEqual([
    'no conforming exchange: its check sends nothing',
    '',
    'no failing exchange: its check sends nothing',
  ])
  expect(exampleLines(undefined)[0]).toBe('no conforming exchange: none was recorded')
})

it('escapes what a terminal would obey', () => {
  const response = { status: 200, body: '\u001b[2J' }
  expect(exampleLines({ conforming: { request, response } })[3]).toBe('  < \\x1b[2J')
})
