/** What a request without a usable response means: for its record, for the check, and for the run. */

import { afterEach, beforeEach, expect, it, type Mock, vi } from 'vitest'
import { TargetLostError } from '../errors.ts'
import { BrokenConnectionError, ExpectationError } from '../judging/expect.ts'
import { createSession } from '../session/create-session.ts'
import type { Session } from '../vocabulary/session.ts'
import { OversizedError, type WireResponse } from './exchange-bytes.ts'
import { sendRecorded } from './send.ts'

/** What the server does with the request, and with each probe after it. */
let serve: (path: string) => Partial<WireResponse> | Error
let session: Session
let onNoResponse: Mock<() => void>

beforeEach(() => {
  serve = () => ({})
  onNoResponse = vi.fn<() => void>()
  session = createSession(
    { baseUrl: 'http://127.0.0.1:9', binding: {}, capabilities: {}, tables: {}, credentials: {} },
    {
      requirements: new Map(),
      pause: async () => {},
      exchange: ({ path }) => {
        const result = serve(path)
        const whole = { status: 200, headers: {}, bytes: Buffer.from(''), ms: 1 }
        const response =
          result instanceof Error ? Promise.reject(result) : Promise.resolve({ ...whole, ...result })
        return { response, giveUp() {} }
      },
    },
    { seed: 1 },
  )
})
afterEach(() => session.close())

const path = '/api/collections/plain/records/abc?expand=x'
const send = () =>
  sendRecorded(session, {
    operation: undefined,
    actor: 'guest',
    request: { method: 'DELETE', path, headers: {} },
    shown: '',
    position: 4,
    onNoResponse,
  })
const failure = () => send().then(Object, (error: unknown) => error)
const broken = (code: string) => Object.assign(new Error('it broke'), { code })
/** Fails the request; probes get a response. */
const failing = (error: Error) => (to: string) => (to === path ? error : {})

it('returns a response with its record', async () => {
  serve = () => ({ status: 404, bytes: Buffer.from('{"a":1}') })
  const { status, ok, body, exchange } = await send()
  expect({ status, ok, body }).toEqual({ status: 404, ok: false, body: { a: 1 } })
  expect(exchange).toBe(session.recorder.last)
  expect(onNoResponse).not.toHaveBeenCalled()
})

it.each<[string, boolean, string]>([
  ['ECONNRESET', true, 'the connection was reset'],
  ['UND_ERR_SOCKET', true, 'the connection was closed'],
  ['ECONNREFUSED', false, 'the connection was refused'],
])('%s: the server may have received the request: %s', async (code, sent, words) => {
  serve = failing(broken(code))
  const error = await failure()
  expect(error).toBeInstanceOf(BrokenConnectionError)
  expect(error).toMatchObject({ sent, words, position: 4, confirmed: false })
  // The record of another run has another id.
  expect(error).toMatchObject({ kind: 'DELETE /api/collections/plain/records/{id}' })
  expect(onNoResponse).toHaveBeenCalledTimes(sent ? 1 : 0)
  // The request, and the probe that shows that the target still responds.
  expect([session.connections.broken, session.count.requests, session.losses]).toEqual([1, 2, []])
})

it('knows what the server always drops', async () => {
  serve = failing(broken('ECONNRESET'))
  session.connections.dropped.add('DELETE /api/collections/plain/records/{id}')
  expect(await failure()).toMatchObject({ confirmed: true })
})

it('loses the target if no probe gets a response', async () => {
  await send()
  const before = session.recorder.last
  serve = () => broken('ECONNRESET')
  const error = await failure()
  expect(error).toBeInstanceOf(TargetLostError)
  expect(error).toMatchObject({ before, exchange: session.recorder.last })
  expect([session.losses, session.connections.broken]).toEqual([[error], 0])
  expect(onNoResponse).toHaveBeenCalledOnce()
})

it.each<[string, Error | Partial<WireResponse>, RegExp]>([
  ['no HTTP', broken('HPE_INVALID_CONSTANT'), /is not HTTP/],
  ['too large', new OversizedError(), /larger than 64 MiB/],
  ['no gzip', { headers: { 'content-encoding': 'gzip' }, bytes: Buffer.from('plain') }, /cannot be decoded/],
  ['too deep', { bytes: Buffer.from('['.repeat(2_000) + ']'.repeat(2_000)) }, /too deep to parse/],
])(
  'blames a response that is %s on the server, and notes that it may have written',
  async (_, what, message) => {
    serve = what instanceof Error ? failing(what) : () => what
    const error = await failure()
    expect(error).toBeInstanceOf(ExpectationError)
    expect(error).not.toBeInstanceOf(BrokenConnectionError)
    expect((error as Error).message).toMatch(message)
    expect(onNoResponse).toHaveBeenCalledOnce()
    expect(session.connections.broken).toBe(0)
  },
)

it('judges no response of a target that had to be restarted', async () => {
  const judged = vi.spyOn(session.traffic, 'judge')
  await send()
  await session.revive()
  await send()
  expect(judged).toHaveBeenCalledOnce()
})
