/** The rest of what the official client documents: files, auth store, batch, auto-cancellation, health, OAuth2. */

import PocketBase, { AsyncAuthStore, ClientResponseError } from 'pocketbase'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { startIdentityProvider } from '../../harness/services/identity-provider.ts'
import { createReference } from '../../reference/reference.ts'
import { type ClientWorld, startWorld, superuser } from './client-world.ts'

describe.each(['inside the process', 'over a socket'] as const)('the official client %s', (way) => {
  let world: ClientWorld
  beforeEach(async () => {
    world = await startWorld(way)
  })
  afterEach(() => world.close())

  const file = (text: string, name: string) => new File([text], name)

  test('downloads files by the address that it makes', async () => {
    const client = world.client()
    const form = new FormData()
    form.append('title', 'a')
    form.append('logo', file('logo', 'My Logo.txt'))
    const room = await client.collection('rooms').create(form)
    const url = client.files.getURL(room, room.logo, { thumb: '100x100', download: true })
    expect(url).toMatch(
      /\/api\/files\/chat_rooms_00001\/\w{15}\/my_logo_\w{10}\.txt\?thumb=100x100&download=true$/,
    )
    const response = await world.fetch(url)
    expect([response.status, await response.text()]).toEqual([200, 'logo'])
    expect(response.headers.get('content-disposition')).toBe(`attachment; filename=${room.logo}`)
    const part = await world.fetch(url, { headers: { range: 'bytes=1-2' } })
    expect([part.status, await part.text()]).toEqual([206, 'og'])
    const again = await world.fetch(url, {
      headers: { 'if-none-match': response.headers.get('etag') ?? '' },
    })
    expect([again.status, await again.text()]).toEqual([304, ''])
    const past = await world.fetch(url, { headers: { range: 'bytes=9-' } })
    expect([past.status, past.headers.get('content-range')]).toEqual([416, 'bytes */4'])
    const head = await world.fetch(url, { method: 'HEAD' })
    expect([head.status, head.headers.get('content-length'), await head.text()]).toEqual([200, '4', ''])
    await client.collection('rooms').update(room.id, { logo: null })
    expect((await world.fetch(url)).status).toBe(404)
  })

  test('downloads protected files with the token of a caller who may view them', async () => {
    const [ann, bob] = [await world.signedIn('ann'), await world.signedIn('bob')]
    const room = await ann.client.collection('rooms').create({ members: [ann.id] })
    const message = await ann.client
      .collection('messages')
      .create({ room: room.id, attachment: file('for ann', 'letter.txt') })
    const status = async (token?: string) =>
      (await world.fetch(ann.client.files.getURL(message, message.attachment, { token }))).status
    expect(await status(await ann.client.files.getToken())).toBe(200)
    expect(await status(await bob.client.files.getToken())).toBe(404)
    expect(await status(ann.client.authStore.token)).toBe(404)
    expect(await status()).toBe(404)
    await expect(world.client().files.getToken()).rejects.toMatchObject({ status: 401 })
  })

  test('checks the health', async () => {
    const client = world.client()
    expect(await client.health.check()).toEqual({ code: 200, message: 'API is healthy.', data: {} })
    await client.collection('_superusers').authWithPassword(superuser.email, superuser.password)
    expect((await client.health.check()).data).toEqual({
      canBackup: false,
      possibleProxyHeader: '',
      realIP: '127.0.0.1',
    })
    expect((await world.fetch(`${world.url}/api/health`, { method: 'HEAD' })).status).toBe(200)
  })

  test('keeps the session in its auth store, in a cookie and in a store of one’s own', async () => {
    const { client, id, email, password } = await world.signedIn('ann')
    expect(client.authStore).toMatchObject({ isValid: true, isSuperuser: false, record: { id, email } })
    const changed = vi.fn()
    const stop = client.authStore.onChange(changed)
    await client.collection('users').authRefresh()
    expect(changed).toHaveBeenCalledWith(client.authStore.token, expect.objectContaining({ id }))
    await client.collection('users').update(id, { nick: 'Ann' })
    expect(client.authStore.record?.nick).toBe('Ann')
    stop()
    const other = world.client()
    other.authStore.loadFromCookie(client.authStore.exportToCookie())
    expect((await other.collection('users').authRefresh()).record.id).toBe(id)
    const saved: string[] = []
    const store = new AsyncAuthStore({ save: async (text) => void saved.push(text), initial: '' })
    const third = new PocketBase(world.url, store)
    third.beforeSend = other.beforeSend
    await third.collection('users').authWithPassword(email, password)
    await vi.waitFor(() => expect(JSON.parse(saved.at(-1) ?? '{}')).toMatchObject({ record: { id } }))
    await client.collection('users').delete(id)
    expect(client.authStore.isValid).toBe(false)
    await expect(other.collection('users').authRefresh()).rejects.toMatchObject({ status: 401 })
  })

  test('sends batches, all or nothing', async () => {
    const client = world.client()
    const batch = client.createBatch()
    batch.collection('rooms').create({ id: 'room00000000001', title: 'a' })
    batch.collection('rooms').update('room00000000001', { logo: file('logo', 'logo.txt') })
    batch.collection('rooms').upsert({ id: 'room00000000002', title: 'b' })
    const [, updated] = await batch.send()
    const url = client.files.getURL(updated?.body, updated?.body.logo)
    expect(await (await world.fetch(url)).text()).toBe('logo')
    const broken = client.createBatch()
    broken.collection('rooms').delete('room00000000001')
    broken.collection('rooms').delete('nothere00000000')
    await expect(broken.send()).rejects.toMatchObject({ status: 400 })
    expect((await world.fetch(url)).status).toBe(200)
  })

  test('cancels what it requests twice, or is told to cancel, and is usable afterwards', async () => {
    const client = world.client().autoCancellation(true)
    const rooms = client.collection('rooms')
    const settled = await Promise.allSettled([rooms.getList(1), rooms.getList(2), rooms.getList(3)])
    expect(settled.map(({ status }) => status)).toEqual(['rejected', 'rejected', 'fulfilled'])
    expect(settled[0]).toMatchObject({ reason: { isAbort: true, status: 0 } })
    const named = rooms.getList(1, 1, { requestKey: 'mine' })
    client.cancelRequest('mine')
    await expect(named).rejects.toBeInstanceOf(ClientResponseError)
    const all = rooms.getFullList()
    client.cancelAllRequests()
    await expect(all).rejects.toMatchObject({ isAbort: true })
    const free = [rooms.getList(1, 1, { requestKey: null }), rooms.getList(1, 1, { requestKey: null })]
    expect(await Promise.all(free)).toHaveLength(2)
  })
})

test('the official client signs in with a popup', async () => {
  const idp = await startIdentityProvider()
  const { clientId, clientSecret, authURL, tokenURL, userInfoURL } = idp
  const provider = { name: 'oidc', clientId, clientSecret, authURL, tokenURL, userInfoURL }
  const reference = createReference({
    prefix: '/api',
    tables: [
      { name: 'users', type: 'auth', createRule: '', oauth2: { enabled: true, providers: [provider] } },
    ],
  })
  const world = await startWorld('over a socket')
  try {
    const { url } = await reference.listen()
    const client = new PocketBase(url)
    const pages: string[] = []
    const open = async (address: string) => {
      const page = await fetch(address)
      pages.push(`${page.status} ${page.headers.get('content-type')} ${await page.text()}`)
    }
    const popup = async (address: string) => {
      const redirectURL = new URL(address).searchParams.get('redirect_uri') ?? ''
      const account = { sub: 'ann-1', email: 'ann@example.com', emailVerified: true, name: 'Ann' }
      const { code, state } = await idp.authorize(address, redirectURL, account)
      await open(`${redirectURL}?${new URLSearchParams({ code, state })}`)
    }
    const { record, meta } = await client
      .collection('users')
      .authWithOAuth2({ provider: 'oidc', urlCallback: popup })
    expect([record.collectionName, meta?.isNew]).toEqual(['users', true])
    expect(pages).toEqual([expect.stringMatching(/^200 text\/html; charset=utf-8 .*You are signed in/)])
    await vi.waitFor(() => expect(reference.realtime.connections).toBe(0))
    await open(`${url}/api/oauth2-redirect?state=unknown&code=x`)
    expect(pages[1]).toContain('no application waits for it')
  } finally {
    await world.close()
    await reference.close()
    await idp.stop()
  }
})
