import { expect, test } from 'vitest'
import { createReference } from '../reference.ts'
import type { FaultOptions } from './fault-options.ts'

const records = '/api/v1/collections/notes/records'
const make = () =>
  createReference({ tables: [{ name: 'notes', listRule: '', createRule: '', deleteRule: '' }] })

test.each([204, 205, 304])('a fault responds with %i, which has no body', async (status) => {
  const reference = make()
  reference.fault({ status, headers: { 'x-odd': '1' } })
  const response = await reference.fetch(records)
  expect([response.status, response.headers.get('x-odd'), await response.text()]).toEqual([status, '1', ''])
})

test.each<[FaultOptions['match'], number[]]>([
  ['HEAD /collections/*', [503, 200]],
  ['/collections/*/records', [503, 503]],
  [{ path: '/collections/*/records', method: 'GET' }, [200, 503]],
  [{ path: '/collections/*' }, [503, 503]],
  [{ path: '/collections' }, [200, 200]],
])('the requests of a fault can be those of %j', async (match, statuses) => {
  const reference = make()
  reference.fault({ match, status: 503 })
  const sent = ['HEAD', 'GET'].map(async (method) => (await reference.fetch(records, { method })).status)
  expect(await Promise.all(sent)).toEqual(statuses)
})

test('a fault responds with its status, body and headers together', async () => {
  const reference = make()
  reference.fault({ status: 503, body: { a: 1 }, headers: { 'x-odd': '1' } })
  const response = await reference.fetch(records)
  expect([response.status, response.headers.get('x-odd'), await response.json()]).toEqual([
    503,
    '1',
    { a: 1 },
  ])
})

test('what arrives before a connection breaks off is the beginning of the body', async () => {
  const reference = make()
  const whole = await (await reference.fetch(records)).text()
  reference.fault({ drop: { afterBytes: 5 } })
  const reader = (await reference.fetch(records)).body?.getReader()
  const first = await reader?.read()
  expect(Buffer.from(first?.value ?? []).toString()).toBe(whole.slice(0, 5))
  await expect(reader?.read()).rejects.toThrow()
})

test('what is sent with a token that counts as expired is logged like everything else', async () => {
  const reference = make()
  reference.fault({ expired: true })
  const headers = { 'content-type': 'application/json' }
  await reference.fetch(records, { method: 'POST', headers, body: '{"a":1}' })
  expect(reference.requests.last()?.requestText).toBe('{"a":1}')
})

test.each(['in the process', 'over a socket'])(
  'a token counts as expired %s, whatever has a body',
  async (way) => {
    const reference = make()
    const { url } = way === 'over a socket' ? await reference.listen() : { url: '' }
    const call = way === 'over a socket' ? fetch : reference.fetch
    reference.fault({ expired: true })
    const headers = { 'content-type': 'application/json', authorization: 'none' }
    const made = await call(`${url}${records}`, { method: 'POST', headers, body: '{}' })
    const { id } = (await made.json()) as { id: string }
    const gone = await call(`${url}${records}/${id}`, { method: 'DELETE', headers })
    const listed = await call(`${url}${records}`, { headers })
    await reference.close()
    expect([made.status, gone.status, listed.status]).toEqual([200, 204, 200])
  },
)

test.each(['in the process', 'over a socket'])(
  'a response without a body is broken off, too, %s',
  async (way) => {
    const reference = make()
    const made = await reference.fetch(records, {
      method: 'POST',
      body: '{}',
      headers: { 'content-type': 'application/json' },
    })
    const { id } = (await made.json()) as { id: string }
    const { url } = way === 'over a socket' ? await reference.listen() : { url: '' }
    const call = way === 'over a socket' ? fetch : reference.fetch
    reference.fault({ drop: { afterBytes: 3 } })
    await expect(call(`${url}${records}/${id}`, { method: 'DELETE' })).rejects.toThrow('fetch failed')
    expect(reference.requests.last()).toMatchObject({ status: undefined, fault: 'drop after 3 bytes' })
    expect(reference.requests.last()?.took).toBeTypeOf('number')
    await reference.close()
  },
)

test.each([
  ['x a', '1', 'A fault cannot send the header "x a": "x a" is an invalid header name.'],
  ['x-a', '中', 'A fault cannot send the header "x-a": Cannot convert argument to a ByteString'],
  ['Trailer', 'x', 'A fault cannot send the header "Trailer": its responses have no trailers.'],
])('a fault whose header %j: %j cannot be sent is rejected immediately', (name, value, message) => {
  const reference = make()
  expect(() => reference.fault({ headers: { [name]: value } })).toThrow(message)
})
