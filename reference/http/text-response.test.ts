/** Held against the platform's response of the same text: nobody can tell them apart. */

import { describe, expect, it } from 'vitest'
import { textResponse } from './text-response.ts'

const init = { status: 201, headers: { 'Content-Type': 'application/json', 'X-Other': 'ä' } }
const text = '{"a":"ä 😀"}\n'
const both = () => [textResponse(text, init), new Response(text, init)] as const

const ways: [string, (response: Response) => unknown][] = [
  ['text', (response) => response.text()],
  ['JSON', (response) => response.json()],
  ['bytes', async (response) => [...new Uint8Array(await response.arrayBuffer())]],
  [
    'a blob',
    async (response) => {
      const blob = await response.blob()
      return [blob.type, blob.size, await blob.text()]
    },
  ],
  ['a form, which it is not', (response) => response.formData()],
  [
    'a stream',
    async (response) => {
      const pieces: Uint8Array[] = []
      for await (const piece of response.body ?? []) pieces.push(piece)
      return Buffer.concat(pieces).toString()
    },
  ],
  [
    'nothing but its body',
    (response) => {
      const { body } = response
      return [body === response.body, body?.locked]
    },
  ],
  ['a response made of its body', (response) => new Response(response.body, response).text()],
  ['a clone', (response) => response.clone().json()],
  ['a clone of a clone', (response) => response.clone().clone().text()],
  ['a clone, once the body was asked for', (response) => response.body && response.clone().text()],
]

// Younger than the oldest Node that this runs on.
if ('bytes' in Response.prototype)
  ways.push(['bytes at once', (response) => (response as unknown as { bytes(): unknown }).bytes()])

/** What came of it, with the kind of error that it was. */
async function outcome(response: Response, way: (response: Response) => unknown) {
  const came = await Promise.resolve()
    .then(() => way(response))
    .catch((error: Error) => error.name)
  return { came, used: response.bodyUsed, locked: response.body?.locked }
}

describe.each(ways)('read as %s', (_, way) => {
  it('gives the same', async () => {
    const [ours, platform] = both()
    expect(ours.bodyUsed).toBe(false)
    expect(await outcome(ours, way)).toEqual(await outcome(platform, way))
  })

  it.each(ways)('and then as %s, too', async (_, next) => {
    const [ours, platform] = both()
    await outcome(platform, way)
    await Promise.resolve(way(ours)).catch(() => {})
    expect((await outcome(ours, next)).came).toEqual((await outcome(platform, next)).came)
  })
})

it('has its status, its headers, and says what it is', () => {
  const [ours, platform] = both()
  ours.headers.set('x-late', '1')
  platform.headers.set('x-late', '1')
  expect(ours).toBeInstanceOf(Response)
  expect([ours.status, ours.ok, ours.type, ours.url, ours.redirected]).toEqual([
    201,
    true,
    'default',
    '',
    false,
  ])
  expect([...ours.headers]).toEqual([...platform.headers])
  expect([...ours.clone().headers]).toEqual([...platform.clone().headers])
})

it('leaves nothing of the body to the platform, whose own is empty', () => {
  const ofHead = ['constructor', 'type', 'url', 'redirected', 'status', 'ok', 'statusText', 'headers']
  const members = Object.getOwnPropertyNames(Response.prototype).filter((name) => !ofHead.includes(name))
  const ours = Object.getOwnPropertyNames(Object.getPrototypeOf(textResponse('', {})))
  expect(ours).toEqual(expect.arrayContaining(members))
})
