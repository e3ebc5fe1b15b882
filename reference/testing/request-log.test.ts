import { expect, test } from 'vitest'
import { createReference } from '../reference.ts'
import { createRequestLog } from './request-log.ts'

const MiB = 1024 * 1024
const tables = [
  {
    name: 'notes',
    listRule: '',
    createRule: '',
    fields: [{ name: 'text', type: 'text' as const, max: 10 * MiB }],
  },
]
const url = '/api/v1/collections/notes/records'
const headers = { 'content-type': 'application/json' }

test('the log has how long each request took, in real time', async () => {
  const reference = createReference({ tables })
  reference.fault({ delay: 20 })
  const before = performance.now()
  await reference.fetch(url)
  const took = reference.requests.last()?.took
  expect(took).toBeGreaterThan(15)
  expect(took).toBeLessThanOrEqual(performance.now() - before)
})

test('a failed assertion shows the last ten requests, and says how many there were before', async () => {
  const reference = createReference({ tables })
  const message = () => {
    try {
      reference.requests.assert('batch', { times: 1 })
    } catch (error) {
      return String(error)
    }
    return 'no error'
  }
  for (let turn = 0; turn < 10; turn++) await reference.fetch(url)
  expect(message()).toMatch(/Received:\n {2}GET /)
  await reference.fetch(url)
  expect(message()).toMatch(/Received:\n {2}\(and 1 before\)\n {2}GET /)
})

test('the log holds the newest requests whose bodies are no more than 32 MiB together', async () => {
  const reference = createReference({ tables })
  const body = JSON.stringify({ text: 'x'.repeat(MiB - 1000) })
  for (let turn = 0; turn < 20; turn++)
    await (await reference.fetch(url, { method: 'POST', headers, body })).text()
  const held = [...reference.requests].reduce(
    (sum, { requestText = '', responseText = '' }) => sum + requestText.length + responseText.length,
    0,
  )
  expect(held).toBeLessThanOrEqual(32 * MiB)
  expect(held).toBeGreaterThan(14 * MiB)
  expect(reference.requests.last()).toMatchObject({ number: 20, requestText: body })
})

test('addresses and headers count as well', async () => {
  const reference = createReference({ tables })
  const long = { 'x-long': 'x'.repeat(MiB / 2) }
  for (let turn = 0; turn < 80; turn++)
    await (await reference.fetch(`${url}?text=${'y'.repeat(MiB / 2)}`, { headers: long })).text()
  expect(reference.requests.length).toBeLessThanOrEqual(32)
  expect(reference.requests.length).toBeGreaterThan(14)
  expect(reference.requests.last()?.size).toBeGreaterThan(MiB)
})

test('the log releases a request and its response, which reference their bodies however large', async () => {
  const log = createRequestLog('/api', console.error)
  const begin = () => {
    const request = new Request('http://reference/api/x', { method: 'POST', headers, body: '{}' })
    const response = new Response('{}')
    log.end(log.begin(request, 0), response)
    return [new WeakRef(request), new WeakRef(response)]
  }
  const held = begin()
  const { setFlagsFromString } = await import('node:v8')
  const { runInNewContext } = await import('node:vm')
  setFlagsFromString('--expose-gc')
  const collect = runInNewContext('gc') as () => void
  await new Promise((resolve) => setTimeout(resolve, 10))
  collect()
  expect(held.map((one) => one.deref())).toEqual([undefined, undefined])
  expect(log.last()?.requestHeaders.get('content-type')).toBe('application/json')
})

test('the last requests are explained as text', async () => {
  const reference = createReference({ tables })
  expect(reference.requests.explain()).toBe('')
  await reference.fetch(url)
  await reference.fetch('/api/v1/collections/nots/records')
  const last = `  GET /collections/nots/records 404
    There is no table "nots". Did you mean "notes"? Available: notes.`
  expect(reference.requests.explain()).toBe(
    `The last requests:\n  GET /collections/notes/records 200\n${last}`,
  )
  expect(reference.requests.explain(1)).toBe(`The last requests:\n${last}`)
  expect(reference.requests.explain(0)).toBe('')
})

test('a token that does not count has its fault in the log, whether or not the request was rejected', async () => {
  const reference = createReference({ tables: [...tables, { name: 'members', type: 'auth' }] })
  const [member] = await reference.make('members')
  const faultOf = async (authorization?: string) => {
    await reference.fetch(url, { headers: { ...(authorization && { authorization }) } })
    return reference.requests.last()?.tokenFault
  }
  expect(await faultOf()).toBeUndefined()
  expect(await faultOf(await reference.tokenFor('members', String(member.id)))).toBeUndefined()
  expect(await faultOf('Bearer nonsense')).toBe('the Authorization header holds no token of this server')
  const expired = await reference.tokenFor('members', String(member.id), { duration: -60 })
  expect(await faultOf(`Bearer ${expired}`)).toMatch(/^the token expired at /)
  reference.clock.advance('-1h')
  expect(reference.requests.last()?.tokenFault).toMatch(/^the token expired at /)
})

test.each([
  ['without a fault', {}],
  ['with a fault planned', { delay: 1 }],
])('a listener that throws changes neither the response nor what others receive, %s', async (_, fault) => {
  const errors: unknown[] = []
  const reference = createReference({ tables, log: (error) => errors.push(error) })
  const seen: unknown[] = []
  reference.requests.subscribe(() => {
    throw new Error('of the listener')
  })
  reference.requests.subscribe(({ status }) => seen.push(status))
  if ('delay' in fault) reference.fault(fault)
  const response = await reference.fetch(url, { method: 'POST', headers, body: '{"text":"x"}' })
  expect([response.status, seen, errors]).toEqual([200, [200], [new Error('of the listener')]])
  expect(reference.requests.last()?.status).toBe(200)
  expect(reference.records.count('notes')).toBe(1)
})
