/** Realtime as the official client opens it, inside the process and over a socket. */

import type { RecordModel, RecordSubscription } from 'pocketbase'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { type ClientWorld, startWorld, superuser } from './client-world.ts'

type Heard = RecordSubscription<RecordModel>

/** What a subscription heard, and when it has heard so much. */
function listener() {
  const heard: Heard[] = []
  return {
    heard,
    hear: (event: Heard) => void heard.push(event),
    count: (count: number) => vi.waitFor(() => expect(heard.length).toBeGreaterThanOrEqual(count)),
    short: () => heard.map(({ action, record }) => `${action} ${record.title ?? record.text ?? record.id}`),
  }
}

describe.each(['inside the process', 'over a socket'] as const)('realtime %s', (way) => {
  let world: ClientWorld
  beforeEach(async () => {
    world = await startWorld(way)
  })
  afterEach(() => world.close())

  /** When everything that was written is sent, and read: a record that every client may see comes last. */
  async function settled(client: ReturnType<ClientWorld['client']>) {
    const { heard, hear, count } = listener()
    const stop = await client.collection('rooms').subscribe('*', hear)
    await world.reference.records.create('rooms', { title: 'last' })
    await count(1)
    expect(heard.at(-1)?.record.title).toBe('last')
    await stop()
  }

  test('reports creates, updates and deletes of a table, in their order', async () => {
    const client = world.client()
    const rooms = listener()
    await client.collection('rooms').subscribe('*', rooms.hear)
    expect(client.realtime.isConnected).toBe(true)
    const room = await client.collection('rooms').create({ title: 'a' })
    const updated = await client.collection('rooms').update(room.id, { title: 'b' })
    await client.collection('rooms').delete(room.id)
    await rooms.count(3)
    expect(rooms.short()).toEqual(['create a', 'update b', 'delete b'])
    expect(rooms.heard.map(({ record }) => record)).toEqual([room, updated, updated])
  })

  test('reports one record by its id, by the name or the id of its table', async () => {
    const client = world.client()
    const [one, other] = [
      await client.collection('rooms').create({}),
      await client.collection('rooms').create({}),
    ]
    const [byName, byId] = [listener(), listener()]
    await client.collection('rooms').subscribe(one.id, byName.hear)
    await client.collection('chat_rooms_00001').subscribe(one.id, byId.hear)
    await client.collection('rooms').update(other.id, { title: 'other' })
    await client.collection('rooms').update(one.id, { title: 'one' })
    await Promise.all([byName.count(1), byId.count(1)])
    expect([byName.short(), byId.short()]).toEqual([['update one'], ['update one']])
  })

  test('ends with unsubscribe: one listener, one topic, or all; the last one disconnects', async () => {
    const client = world.client()
    const [first, second, third] = [listener(), listener(), listener()]
    const stopFirst = await client.collection('rooms').subscribe('*', first.hear)
    await client.collection('rooms').subscribe('*', second.hear)
    await client.collection('users').subscribe('*', third.hear)
    await stopFirst()
    await client.collection('rooms').create({ title: 'a' })
    await second.count(1)
    await client.collection('rooms').unsubscribe('*')
    await client.collection('rooms').create({ title: 'b' })
    const { id } = await world.signedIn('ann')
    await third.count(1)
    expect([first.short(), second.short(), third.short()]).toEqual([[], ['create a'], [`create ${id}`]])
    const left = vi.fn()
    client.realtime.onDisconnect = left
    await client.realtime.unsubscribe()
    expect(client.realtime.isConnected).toBe(false)
    expect(left).toHaveBeenCalledWith([])
  })

  test('reports a batch once it is committed, and nothing that was rolled back', async () => {
    const client = world.client()
    const rooms = listener()
    await client.collection('rooms').subscribe('*', rooms.hear)
    const broken = client.createBatch()
    broken.collection('rooms').create({ title: 'never' })
    broken.collection('rooms').delete('nothere00000000')
    await expect(broken.send()).rejects.toMatchObject({ status: 400 })
    const batch = client.createBatch()
    batch.collection('rooms').create({ id: 'room00000000001', title: 'a' })
    batch.collection('rooms').update('room00000000001', { title: 'b' })
    batch.collection('rooms').upsert({ id: 'room00000000001', title: 'c' })
    batch.collection('rooms').upsert({ id: 'room00000000002', title: 'd' })
    batch.collection('rooms').delete('room00000000001')
    await batch.send()
    await rooms.count(5)
    expect(rooms.short()).toEqual(['create a', 'update b', 'update c', 'create d', 'delete c'])
  })

  test('reports records that are deleted with another, and those that lose a reference', async () => {
    const { client, id } = await world.signedIn('ann')
    const room = await client.collection('rooms').create({ title: 'a', members: [id] })
    await client.collection('messages').create({ room: room.id, text: 'hello' })
    const [rooms, messages] = [listener(), listener()]
    await client.collection('rooms').subscribe('*', rooms.hear)
    await client.collection('messages').subscribe('*', messages.hear)
    await client.collection('rooms').delete(room.id)
    await Promise.all([rooms.count(1), messages.count(1)])
    expect([rooms.short(), messages.short()]).toEqual([['delete a'], ['delete hello']])
    const other = await client.collection('rooms').create({ title: 'b', members: [id] })
    await client.collection('users').delete(id)
    await rooms.count(3)
    expect(rooms.heard[2]).toMatchObject({ action: 'update', record: { id: other.id, members: [] } })
  })

  test('respects rules for each listener, and each change', async () => {
    const [ann, bob, guest] = [await world.signedIn('ann'), await world.signedIn('bob'), world.client()]
    const heard = [ann.client, bob.client, guest].map((client) => ({ client, ...listener() }))
    for (const { client, hear } of heard) await client.collection('messages').subscribe('*', hear)
    const room = await ann.client.collection('rooms').create({ members: [ann.id] })
    const message = await ann.client.collection('messages').create({ room: room.id, text: 'for ann' })
    await ann.client.collection('rooms').update(room.id, { 'members+': bob.id })
    await ann.client.collection('messages').update(message.id, { text: 'for both' })
    await ann.client.collection('rooms').update(room.id, { 'members-': ann.id })
    await ann.client.collection('messages').update(message.id, { text: 'for bob' })
    await settled(guest)
    await vi.waitFor(() =>
      expect(heard.map(({ short }) => short())).toEqual([
        ['create for ann', 'update for both'],
        ['update for both', 'update for bob'],
        [],
      ]),
    )
  })

  test('shows hidden fields to superusers, and email addresses to their owners', async () => {
    const [ann, bob, root] = [await world.signedIn('ann'), await world.signedIn('bob'), world.client()]
    await root.collection('_superusers').authWithPassword(superuser.email, superuser.password)
    const heard = [ann.client, bob.client, root].map((client) => ({ client, ...listener() }))
    for (const { client, hear } of heard) {
      await client.collection('users').subscribe('*', hear)
      await client.collection('rooms').subscribe('*', hear)
    }
    await ann.client.collection('users').update(ann.id, { nick: 'Ann' })
    await root.collection('rooms').create({ secret: 'hidden' })
    for (const { count } of heard) await count(2)
    expect(heard.map(({ heard: [user, room] }) => [user?.record.email, room?.record.secret])).toEqual([
      [ann.email, undefined],
      [undefined, undefined],
      [ann.email, 'hidden'],
    ])
    expect(heard[2]?.heard[0]?.record).not.toHaveProperty('tokenKey')
  })

  test('takes expand, fields, filter and headers as options of a subscription', async () => {
    const { client, id } = await world.signedIn('ann')
    const all = listener()
    await client.collection('rooms').subscribe('*', all.hear, {
      expand: 'members',
      fields: 'title,expand.members.nick',
      filter: 'title ~ "yes"',
    })
    const plain = listener()
    await client.collection('rooms').subscribe('*', plain.hear)
    const wrong = listener()
    await client.collection('rooms').subscribe('*', wrong.hear, { filter: 'no such' })
    const room = await client.collection('rooms').create({ title: 'yes', members: [id] })
    await client.collection('rooms').update(room.id, { title: 'no' })
    await client.collection('rooms').delete(room.id)
    await plain.count(3)
    expect(all.heard).toEqual([
      { action: 'create', record: { title: 'yes', expand: { members: [{ nick: 'ann' }] } } },
    ])
    expect([plain.heard.length, wrong.heard.length]).toEqual([3, 0])
  })

  test('follows its session: what ends it makes the connection a guest’s', async () => {
    const ann = await world.signedIn('ann')
    const room = await ann.client.collection('rooms').create({ members: [ann.id] })
    const [messages, rooms] = [listener(), listener()]
    await ann.client.collection('messages').subscribe('*', messages.hear)
    await ann.client.collection('rooms').subscribe('*', rooms.hear)
    await world.reference.records.create('messages', { room: room.id, text: 'seen' })
    await messages.count(1)
    await world.reference.records.update('users', ann.id, { password: 'password2' })
    await world.reference.records.create('messages', { room: room.id, text: 'unseen' })
    await world.reference.records.create('rooms', { title: 'last' })
    await rooms.count(1)
    expect(messages.short()).toEqual(['create seen'])
    await ann.client.collection('users').authWithPassword(ann.email, 'password2')
    const stop = await ann.client.collection('users').subscribe('*', () => {})
    await world.reference.records.create('messages', { room: room.id, text: 'seen again' })
    await messages.count(2)
    expect(messages.short()).toEqual(['create seen', 'create seen again'])
    await stop()
  })

  test('tells apart two sessions of one account after one has ended', async () => {
    const old = await world.signedIn('ann')
    const room = await old.client.collection('rooms').create({ members: [old.id] })
    const [before, after] = [listener(), listener()]
    await old.client.collection('messages').subscribe('*', before.hear)
    await world.reference.records.update('users', old.id, { password: 'password2' })
    const client = world.client()
    await client.collection('users').authWithPassword(old.email, 'password2')
    await client.collection('messages').subscribe('*', after.hear)
    await world.reference.records.create('messages', { room: room.id, text: 'hello' })
    await settled(client)
    expect([before.short(), after.short()]).toEqual([[], ['create hello']])
  })

  test('lets a guest sign in, and no one change into someone else', async () => {
    const [ann, bob] = [await world.signedIn('ann'), await world.signedIn('bob')]
    const client = world.client()
    const room = await client.collection('rooms').create({ members: [ann.id] })
    const messages = listener()
    await client.collection('messages').subscribe('*', messages.hear)
    client.authStore.save(ann.client.authStore.token, ann.client.authStore.record)
    await client.collection('rooms').subscribe('*', () => {})
    await world.reference.records.create('messages', { room: room.id, text: 'to ann' })
    await messages.count(1)
    // A topic that was rejected is not sent a second time, so that each takes another one.
    for (const [token, topic] of [
      [bob.client.authStore.token, bob.id],
      ['', ann.id],
    ] as const) {
      client.authStore.save(token)
      await expect(client.collection('users').subscribe(topic, () => {})).rejects.toMatchObject({
        status: 403,
        message: "The current and the previous request authorization don't match.",
      })
    }
  })

  test('is opened again after faults that break it', async () => {
    const client = world.client()
    const rooms = listener()
    await client.collection('rooms').subscribe('*', rooms.hear)
    for (const drop of [{ afterBytes: 100 }, 'response'] as const) {
      const fault = world.reference.fault({ match: 'GET /realtime', drop, times: 1 })
      world.reference.realtime.disconnect()
      await vi.waitFor(() => expect(fault.hits).toBe(1), { timeout: 5_000 })
      await vi.waitFor(() => expect(client.realtime.isConnected).toBe(true), { timeout: 5_000 })
      await vi.waitFor(() => expect(world.reference.realtime.connections).toBe(1), { timeout: 5_000 })
    }
    await client.collection('rooms').create({ title: 'after' })
    await rooms.count(1)
    expect(rooms.short()).toEqual(['create after'])
  })

  test('is opened again by the client when the server ends it, with the same subscriptions', async () => {
    const client = world.client()
    const [rooms, connected] = [listener(), vi.fn()]
    await client.realtime.subscribe('PB_CONNECT', connected)
    await client.collection('rooms').subscribe('*', rooms.hear)
    const before = client.realtime.clientId
    world.reference.realtime.disconnect()
    await vi.waitFor(() => expect(connected).toHaveBeenCalledTimes(2), { timeout: 5_000 })
    expect(client.realtime.clientId).not.toBe(before)
    await client.collection('rooms').create({ title: 'after' })
    await rooms.count(1)
    expect(rooms.short()).toEqual(['create after'])
  })
})
