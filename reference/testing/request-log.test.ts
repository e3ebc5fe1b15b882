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
  const log = createRequestLog('/api')
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
