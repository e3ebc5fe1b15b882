/** The events that a page receives while requests arrive, also for a page that does not read. */

import { afterEach, expect, it } from 'vitest'
import type { LoggedExchange } from '../../exchange/logged-exchange.ts'
import { servedSuperuser as superuser } from '../../scripts/support/served-superuser.ts'
import { readShape } from '../read-shape.ts'
import { type Serving, startServing } from '../serving.ts'
import { eventStream } from './event-stream.ts'

let serving: Serving | undefined
afterEach(() => serving?.close())

const exchange: Omit<LoggedExchange, 'id'> = {
  at: '2030-01-01T00:00:00.000Z',
  method: 'GET',
  path: `/${'x'.repeat(1_000)}`,
  caller: 'anonymous',
  status: 200,
  duration: 1,
  request: { headers: {} },
  response: { headers: {} },
}

/** The events of a stream up to the first that matches. */
async function until(reader: ReadableStreamDefaultReader<Uint8Array>, wanted: RegExp): Promise<string> {
  let text = ''
  // Only in what is new: the text may have a megabyte.
  for (let from = 0; !wanted.test(text.slice(from)); ) {
    const { value, done } = await reader.read()
    if (done) throw new Error(`The stream ended: ${text.slice(0, 500)}`)
    from = Math.max(0, text.length - 100)
    text += Buffer.from(value).toString()
  }
  return text
}

it('leaves out what a page does not read, tells it to reload, and continues', async () => {
  serving = await startServing({ data: readShape({ posts: [] }), seed: 7, superuser })
  const { exchanges } = serving
  const { body } = eventStream(serving)
  const reader = (body as ReadableStream<Uint8Array>).getReader()
  for (let turn = 0; turn < 20_000; turn += 1) exchanges.add(exchange)
  exchanges.missed()
  const text = await until(reader, /event: behind/)
  expect(text.length).toBeLessThan(1.2 * 1024 * 1024)
  expect(text.match(/event: request/g)?.length).toBeGreaterThan(500)
  expect(await until(reader, /event: missed/)).toContain('data: 1')
  exchanges.add(exchange)
  expect(await until(reader, /event: request/)).toContain('"id":20001')
  await reader.cancel()
})
