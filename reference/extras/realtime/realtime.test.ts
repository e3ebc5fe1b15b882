/** The bounds of realtime, and what becomes of connections. What clients hear is in test/extras/. */

import { setTimeout as wait } from 'node:timers/promises'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { type AnyReference, createReference } from '../../reference.ts'
import { servicesOf } from '../../services-of.ts'
import { createRealtime, defaultRealtimeLimits, type RealtimeLimits } from './realtime.ts'

const table = { name: 'posts', listRule: '', fields: [{ name: 'title', type: 'text' }] } as const
const opened: AnyReference[] = []

function makeReference(): AnyReference {
  const reference: AnyReference = createReference({ tables: [table] })
  opened.push(reference)
  return reference
}

afterEach(() => Promise.all(opened.splice(0).map((reference) => reference.close())))

/** Realtime of its own, with other limits. */
function makeRealtime(limits: Partial<RealtimeLimits>) {
  const reference = makeReference()
  const realtime = createRealtime(servicesOf(reference), { ...defaultRealtimeLimits, ...limits })
  const open = (signal = new AbortController().signal) => {
    const connection = realtime.connect('127.0.0.1', signal)
    connection.subscribe(['posts/*'])
    return connection
  }
  return { reference, realtime, open }
}

/** Everything that a stream sends until it ends. */
const all = (stream: ReadableStream<Uint8Array>) => new Response(stream).text()

describe('a stream', () => {
  test('begins with the event that names the connection, in every event’s id', async () => {
    const { reference, realtime, open } = makeRealtime({})
    const { id, stream } = open()
    expect(id).toMatch(/^[a-zA-Z0-9]{40}$/)
    const post = await reference.records.create('posts', { title: 'a' })
    await realtime.idle()
    realtime.disconnect()
    expect(await all(stream.body)).toBe(
      `id:${id}\nevent:PB_CONNECT\ndata:{"clientId":"${id}"}\n\n` +
        `id:${id}\nevent:posts/*\ndata:${JSON.stringify({ record: post, action: 'create' })}\n\n`,
    )
  })

  test('ends when nothing was sent for so long, and after the longest time', async () => {
    const idle = makeRealtime({ idle: 30 })
    await all(idle.open().stream.body)
    const long = makeRealtime({ idle: 60_000, longest: 100 })
    const body = all(long.open().stream.body)
    await long.reference.records.create('posts', {})
    expect((await body).match(/event:/g)).toHaveLength(2)
    expect([idle.realtime.connections, long.realtime.connections]).toEqual([0, 0])
  })

  test('goes on while events come', async () => {
    const { reference, realtime, open } = makeRealtime({ idle: 2_000 })
    open()
    // Longer together than the stream may be idle, and each far shorter: the machine may be busy.
    for (let at = 0; at < 4; at++) {
      await wait(600)
      await reference.records.create('posts', {})
      await realtime.idle()
    }
    expect(realtime.connections).toBe(1)
  })

  test('breaks off when the client reads too slowly, and nothing of it is kept', async () => {
    const { reference, realtime, open } = makeRealtime({ buffered: 2_000 })
    const slow = open()
    const quick = open()
    const read = all(quick.stream.body)
    for (let at = 0; at < 20; at++) {
      await reference.records.create('posts', { title: 'x'.repeat(100) })
      await realtime.idle()
    }
    expect(realtime.connections).toBe(1)
    await expect(all(slow.stream.body)).rejects.toThrow('reads its events too slowly')
    realtime.disconnect()
    expect((await read).match(/event:posts/g)).toHaveLength(20)
  })

  test('is forgotten when the client goes away', async () => {
    const { realtime, open } = makeRealtime({})
    const leaving = new AbortController()
    const aborted = open(leaving.signal)
    const canceled = open()
    expect(realtime.connections).toBe(2)
    leaving.abort()
    expect(await all(aborted.stream.body)).toContain('PB_CONNECT')
    await canceled.stream.body.cancel()
    expect([realtime.connections, realtime.find(aborted.id)]).toEqual([0, undefined])
    aborted.stream.send('late', '{}')
    aborted.stream.end()
  })
})

test('a client that has gone away before its stream is open is not kept', async () => {
  const { realtime, open } = makeRealtime({})
  const { stream } = open(AbortSignal.abort())
  expect(realtime.connections).toBe(0)
  expect(await all(stream.body)).toContain('PB_CONNECT')
})

test('there are so many connections and no more', () => {
  const { realtime, open } = makeRealtime({ connections: 2 })
  open()
  open()
  expect(() => open()).toThrow('There are 2 open realtime connections')
  realtime.disconnect()
  open()
})

test('too many changes at once end the connections instead of piling up', async () => {
  const { reference, realtime, open } = makeRealtime({ waiting: 10 })
  const { stream } = open()
  await Promise.all(Array.from({ length: 50 }, () => reference.records.create('posts', {})))
  await realtime.idle()
  expect(realtime.connections).toBe(0)
  expect((await all(stream.body)).match(/event:PB_CONNECT/g)).toHaveLength(1)
})

test('what is restored was not written: no one hears of it, nor of what was written before', async () => {
  const reference = makeReference()
  const before = reference.snapshot()
  const response = await reference.fetch('/api/v1/realtime')
  const reader = response.body?.getReader()
  const first = new TextDecoder().decode((await reader?.read())?.value)
  const clientId = /"clientId":"(\w+)"/.exec(first)?.[1]
  const subscribe = (subscriptions: unknown) =>
    reference.fetch('/api/v1/realtime', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ clientId, subscriptions }),
    })
  expect((await subscribe(['posts/*'])).status).toBe(204)
  const gone = reference.records.create('posts', { title: 'gone' })
  await gone
  reference.restore(before)
  const kept = await reference.records.create('posts', { title: 'kept' })
  const next = new TextDecoder().decode((await reader?.read())?.value)
  expect(next).toContain(JSON.stringify({ record: kept, action: 'create' }))
  expect(reference.realtime.connections).toBe(1)
})

test('a subscription begins with what is written after it', async () => {
  const { reference, realtime, open } = makeRealtime({})
  const connection = open()
  connection.subscribe([])
  const write = reference.records.create('posts', { title: 'before' })
  await write
  const subscribed = realtime.resubscribe(() => connection.subscribe(['posts/*', 'a\nb', '']))
  await reference.records.create('posts', { title: 'after' })
  await subscribed
  await realtime.idle()
  realtime.disconnect()
  const text = await all(connection.stream.body)
  expect(text).toContain('"after"')
  expect(text).not.toContain('"before"')
})

test('a subscription is not lost with the changes before it', async () => {
  const { reference, realtime, open } = makeRealtime({})
  const connection = open()
  await reference.records.create('posts', { title: 'forgotten' })
  const subscribed = realtime.resubscribe(() => connection.subscribe(['posts/*']))
  realtime.forget()
  await subscribed
  realtime.disconnect()
  expect(await all(connection.stream.body)).not.toContain('forgotten')
})

test('ids of records do not depend on who listens', async () => {
  const ids = async (listen: boolean) => {
    const reference: AnyReference = createReference({ tables: [table], seed: 7 })
    opened.push(reference)
    if (listen) await reference.fetch('/api/v1/realtime')
    return (await reference.records.create('posts', {})).id
  }
  expect(await ids(true)).toBe(await ids(false))
})

test('an error inside is logged, and the next change is sent all the same', async () => {
  const log = vi.fn()
  const reference: AnyReference = createReference({ tables: [table], log })
  opened.push(reference)
  const realtime = createRealtime(servicesOf(reference))
  const connection = realtime.connect('127.0.0.1', new AbortController().signal)
  connection.subscribe(['posts/*'])
  connection.identity = {
    name: 'broken',
    callerIn() {
      connection.subscribe(['posts'])
      connection.identity = { name: 'whole', callerIn: () => ({ kind: 'guest' }) }
      throw new Error('made for this test')
    },
  }
  await reference.records.create('posts', { title: 'lost' })
  await reference.records.create('posts', { title: 'sent' })
  await realtime.idle()
  realtime.disconnect()
  expect(await all(connection.stream.body)).toContain('"sent"')
  expect(log).toHaveBeenCalledExactlyOnceWith(new Error('made for this test'))
})
