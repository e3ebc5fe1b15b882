import { expect, it } from 'vitest'
import { nativeResponse, textResponse, unchangedParts } from './text-response.ts'

const parts = {
  status: 201,
  headers: { 'content-type': 'application/json', vary: 'Origin' },
  text: '{"a":1}',
}

it('keeps its parts until something other than its status is read', () => {
  const response = textResponse(parts)
  expect([response.status, response.ok]).toEqual([201, true])
  expect(unchangedParts(response)).toEqual(parts)
  response.headers.set('vary', 'Accept')
  expect(unchangedParts(response)).toBeUndefined()
  expect(nativeResponse(response).headers.get('vary')).toBe('Accept')
})

it.each<[string, (response: Response) => unknown, unknown]>([
  ['headers', (response) => response.headers.get('content-type'), 'application/json'],
  ['statusText', (response) => response.statusText, ''],
  ['bodyUsed', (response) => response.bodyUsed, false],
  ['text', (response) => response.text(), '{"a":1}'],
  ['json', (response) => response.json(), { a: 1 }],
  ['arrayBuffer', async (response) => (await response.arrayBuffer()).byteLength, 7],
  ['clone', (response) => response.clone().text(), '{"a":1}'],
  ['a copy of it', (response) => new Response(null, response).status, 201],
])('is like a native response: %s', async (_, ask, expected) => {
  expect(await ask(textResponse(parts))).toEqual(expected)
  expect(await ask(new Response(parts.text, parts))).toEqual(expected)
})

it('a text response is a Response, and its native one is created once', async () => {
  const response = textResponse({ status: 204, headers: {} })
  expect(response).toBeInstanceOf(Response)
  expect(nativeResponse(response)).toBe(nativeResponse(response))
  expect(nativeResponse(response).body).toBeNull()
  const other = new Response('x')
  expect(nativeResponse(other)).toBe(other)
  expect(unchangedParts(other)).toBeUndefined()
})

it('rejects a second read like a native response', async () => {
  const response = textResponse(parts)
  await response.text()
  await expect(response.text()).rejects.toThrow(TypeError)
})
