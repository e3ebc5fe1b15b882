/** What is served: a whole state as it was exported, back to it by a reset, and a log that does not grow forever. */

import { once } from 'node:events'
import { type AddressInfo, connect, createServer } from 'node:net'
import { request } from 'undici'
import { afterEach, describe, expect, it, onTestFinished, vi } from 'vitest'
import { turn } from '../reference/environment/timers.ts'
import { createReference } from '../reference/reference.ts'
import { servedSuperuser as superuser } from '../scripts/support/served-superuser.ts'
import { createControl } from './control.ts'
import { mintToken } from './mint-token.ts'
import { readShape } from './read-shape.ts'
import { type Serving, startServing } from './serving.ts'

const tables = [
  { name: 'users', type: 'auth' as const, fields: [] },
  {
    name: 'posts',
    listRule: '',
    createRule: '',
    fields: [
      { name: 'title', type: 'text' as const },
      { name: 'paper', type: 'file' as const },
    ],
  },
]

let serving: Serving | undefined
afterEach(() => serving?.close())

async function serve(content: unknown) {
  const started = await startServing({
    data: readShape(content),
    seed: 7,
    superuser,
    handlers: [createControl],
  })
  serving = started
  return {
    ...started,
    reference: started.reference,
    posts: (init?: RequestInit) => fetch(`${started.url}/api/v1/collections/posts/records`, init),
  }
}

async function total(response: Promise<Response> | Response): Promise<unknown> {
  return ((await (await response).json()) as { totalItems?: unknown }).totalItems
}

async function exported() {
  const reference = createReference({
    tables,
    seed: 7,
    superusers: [{ email: 'root@example.com', password: 'root-secret' }],
    apiKeys: [{ tables: ['users'], actions: ['list'] }],
  })
  await reference.make('posts', 3, { paper: new File(['text'], 'paper.txt') })
  const [user] = await reference.make('users')
  const token = await reference.tokenFor('users', user?.id ?? '')
  const state = JSON.parse(JSON.stringify(await reference.exportState())) as Record<string, unknown>
  return { reference, token, state }
}

describe('a whole state', () => {
  it('goes on where it was exported: records, accounts, tokens, keys and files', async () => {
    const { reference, token, state } = await exported()
    const { posts, url, reference: served } = await serve(state)
    const list = 'http://x/api/v1/collections/posts/records'
    expect(await (await posts()).text()).toBe(await (await reference.fetch(list)).text())
    const sendRequest = (path: string, authorization: string, method = 'GET') =>
      fetch(`${url}/api/v1/collections/${path}`, { method, headers: { authorization } })
    expect((await sendRequest('users/auth-refresh', token, 'POST')).status).toBe(200)
    const key = reference.apiKeys.initial[0]?.key ?? ''
    expect(await total(sendRequest('users/records', key))).toBe(1)
    const { token: ours } = await mintToken(served, { table: '_superusers', email: superuser.email })
    expect(await total(sendRequest('_superusers/records', ours))).toBe(2)
    const files = (await served.exportState()).files
    expect(JSON.stringify(files)).toBe(JSON.stringify(state.files))
  })

  it('takes new records although the seed is the same, and a reset brings it back', async () => {
    const { state } = await exported()
    const { posts, url } = await serve(state)
    const headers = { 'content-type': 'application/json' }
    expect((await posts({ method: 'POST', headers, body: '{"title":"new"}' })).status).toBe(200)
    expect(await total(posts())).toBe(4)
    expect((await fetch(`${url}/_conformance/reset`, { method: 'POST' })).status).toBe(204)
    expect(await total(posts())).toBe(3)
  })

  it.each<[string, (state: Record<string, unknown>) => object, RegExp]>([
    [
      'another version',
      (state) => ({ ...state, version: 2 }),
      /"version" of the state must be 1; found 2\. Pass what exportState/,
    ],
    ['no memory', ({ memory: _, ...rest }) => rest, /The state has no "memory"/],
    [
      'records that are none',
      (state) => ({ ...state, records: { x: [1] } }),
      /"records\.x\.0" of the state must be an object; found a number/,
    ],
    [
      'files that are none',
      (state) => ({ ...state, files: { x: { y: 1 } } }),
      /"files\.x\.y" of the state must be an object; found a number/,
    ],
    ['tables without names', (state) => ({ ...state, tables: [{}] }), /Table definition 0 has no "name"/],
    [
      'records of no table',
      (state) => ({ ...state, records: { x: [{ id: 'a' }] } }),
      /table "x" that it does/,
    ],
  ])('with %s is rejected', async (_name, edit, message) => {
    const { state } = await exported()
    await expect(serve(edit(state))).rejects.toThrow(message)
  })
})

it('keeps the last requests only, however long it runs', async () => {
  const { posts, exchanges, reference, settled } = await serve({ tables })
  for (let turn = 0; turn < 600; turn++) await (await posts()).text()
  await settled()
  expect(exchanges.list().map(({ id }) => id)).toEqual(Array.from({ length: 500 }, (_, at) => at + 101))
  expect(reference.requests.length).toBeLessThanOrEqual(40)
})

it('records requests when someone looks, and not before', async () => {
  const { posts, exchanges, settled } = await serve({ tables })
  const seen = () => exchanges.list().map(({ id, findings }) => [id, findings?.length])
  // Afterwards, all that recording needs is loaded: a request that is queued is recorded in the next turn.
  await (await posts()).text()
  await settled()
  expect(seen()).toEqual([[1, 0]])
  exchanges.clear()
  for (let sent = 0; sent < 3; sent++) await (await posts()).text()
  for (let turns = 0; turns < 5; turns++) await turn()
  expect(seen()).toEqual([])
  await settled()
  expect(seen()).toEqual([2, 3, 4].map((id) => [id, 0]))
  await (await posts()).text()
  exchanges.clear()
  await settled()
  expect(seen()).toEqual([])
  const followed: number[] = []
  const unfollow = exchanges.follow(({ id }) => followed.push(id))
  await (await posts()).text()
  await expect.poll(() => followed.length).toBe(1)
  unfollow()
})

describe('settings', () => {
  const reset = (url: string) =>
    fetch(`${url}/api/v1/collections/users/request-password-reset`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ email: 'ann@example.com' }),
    })
  const users = [{ email: 'ann@example.com', password: 'secret1234' }]

  it('limits requests, and sends emails in the name of the application', async () => {
    const served = await serve({
      tables,
      records: { users },
      settings: {
        rateLimits: { enabled: true, rules: [{ label: 'posts:list', duration: 10, maxRequests: 2 }] },
        batch: { enabled: false },
        throttle: { resendSeconds: 0 },
        superuserIPs: ['10.0.0.0/8'],
        mail: { sender: { appName: 'Shop', senderAddress: 'shop@example.com' } },
        oauth2: { pretend: ['google'] },
      },
    })
    const statuses = []
    for (let turn = 0; turn < 3; turn++) statuses.push((await served.posts()).status)
    expect(statuses).toEqual([200, 200, 429])
    const batch = await fetch(`${served.url}/api/v1/batch`, { method: 'POST', body: '{"requests":[]}' })
    expect(batch.status).toBe(403)
    for (let turn = 0; turn < 2; turn++) {
      await reset(served.url)
      const { subject, link } = await served.reference.mail.waitFor({ kind: 'password-reset' })
      expect([subject, link]).toEqual([
        expect.stringContaining('Shop'),
        expect.stringMatching(`^${served.url}/`),
      ])
    }
    const methods = await fetch(`${served.url}/api/v1/collections/users/auth-methods`)
    expect(await methods.text()).toContain('"google"')
    expect(await served.reference.exportState()).not.toHaveProperty('settings')
  })

  it('number ids, turn limits off and name an SMTP server', async () => {
    const limits = { steps: 'Infinity', names: Number.POSITIVE_INFINITY }
    const smtp = { host: '127.0.0.1', port: 1, username: 'u', password: 'p' }
    const served = await serve({
      tables,
      settings: { ids: 'counting', passwordCost: 1, keepRequests: 5, limits, mail: { smtp } },
    })
    await served.reference.records.create('posts', { title: 'a' })
    expect((await served.reference.records.list('posts'))[0]?.id).toMatch(/1$/)
    const fields = 'a,'.repeat(11_000)
    expect((await fetch(`${served.url}/api/v1/collections/posts/records?fields=${fields}`)).status).toBe(200)
  })

  it.each<[object, RegExp]>([
    [{ limits: { steps: 'many' } }, /"limits.steps" is "many": expected a whole number above 0, or Infinity/],
    [{ meta: { appNme: 'Shop' } }, /Did you mean "appName"/],
    [{ mail: { smtp: { host: 'h', port: 1, user: 'u' } } }, /no setting "mail.smtp.user"/],
    [{ mail: { sender: { senderAddress: 'nonsense' } } }, /expected an email address/],
    [{ batch: { maxRequests: -1 } }, /"batch.maxRequests" is -1/],
    [{ throttle: { openOtps: -1 } }, /"throttle.openOtps" is -1/],
    [{ passwordCost: 400 }, /"passwordCost" is 400: expected a whole number from 1 to 20/],
    [{ keepRequests: -1 }, /"keepRequests" is -1/],
    [{ rateLimits: { rules: [{ label: 'a', duration: 1, maxRequests: 1 }] } }, /no valid label/],
  ])('%j is rejected', async (settings, message) => {
    await expect(serve({ tables, settings })).rejects.toThrow(message)
  })

  it('are read as the living family gives them, and go with the state', async () => {
    const settings = {
      meta: { appName: 'Shop', appURL: 'https://shop.example', senderName: 'Shop', hideControls: false },
      batch: { enabled: true, maxRequests: 1, timeout: 3, maxBodySize: 0 },
      rateLimits: {
        enabled: true,
        excludedIPs: [],
        rules: [{ label: 'posts:list', audience: '', duration: 10, maxRequests: 1 }],
      },
      superuserIPs: [],
      smtp: { enabled: false },
      logs: { maxDays: 5 },
    }
    const { url, notices } = await serve({ tables, records: { users }, settings })
    expect(notices).toEqual(['Settings without effect here: smtp, logs.'])
    await reset(url)
    const email = await serving?.reference.mail.waitFor({ kind: 'password-reset' })
    expect(email?.link).toMatch(/^https:\/\/shop\.example\//)
    const state = await (await fetch(`${url}/_conformance/state`)).text()
    await serving?.close()
    const other = await serve(JSON.parse(state))
    expect([(await other.posts()).status, (await other.posts()).status]).toEqual([200, 429])
  })

  it.each<[unknown, RegExp]>([
    [{ ratelimits: {} }, /There is no setting "ratelimits"\. Did you mean "rateLimits"/],
    [{ mail: { sendre: {} } }, /"mail\.sendre"\. Did you mean "sender"/],
    [
      { rateLimits: { rules: [{ label: '/', duration: 1, maxRequest: 1, maxRequests: 1 }] } },
      /"rateLimits\.rules\.maxRequest"\. Did you mean "maxRequests"/,
    ],
    [
      { rateLimits: { rules: [{ label: '/' }] } },
      /"settings\.rateLimits\.rules\.0" has no "duration"\. Add it/,
    ],
    [{ batch: { enabled: 'no' } }, /"settings\.batch\.enabled" must be true or false; found a string/],
    [{ meta: { appName: 1 } }, /"settings\.meta\.appName" must be a string; found a number/],
  ])('rejects %j', (settings, message) => {
    expect(() => readShape({ tables: [], settings })).toThrow(message)
  })

  it('rejects options inside a setting that do not exist', async () => {
    await expect(serve({ tables, settings: { batch: { enable: true } } })).rejects.toThrow(
      /"batch\.enable"\. Did you mean "enabled"/,
    )
  })
})

it('takes a superuser of the data for its own, also as a row of the table', async () => {
  const row = { email: 'Superuser@example.com', password: 'own-secret1' }
  await serve({ tables, records: { _superusers: [row] } })
  const rows = await serving?.reference.records.list('_superusers')
  expect(rows?.map(({ email }) => email)).toEqual([row.email])
})

// Making one, with its stream, took half of the time of a small request.
it('makes no native Response for what a socket sends', async () => {
  const { url } = await serve({ tables, records: { posts: [{ title: 'A' }] } })
  const records = `${url}/api/v1/collections/posts/records`
  const made: unknown[] = []
  const Native = globalThis.Response
  vi.stubGlobal(
    'Response',
    class extends Native {
      constructor(...given: ConstructorParameters<typeof Native>) {
        super(...given)
        made.push(this)
      }
    },
  )
  onTestFinished(() => void vi.unstubAllGlobals())
  const responses = [await request(records), await request(`${records}/none`)]
  expect(responses.map(({ statusCode }) => statusCode)).toEqual([200, 403])
  expect(await responses[0]?.body.json()).toMatchObject({ totalItems: 1 })
  expect(made).toEqual([])
})

it('lets requests wait until its data is loaded', async () => {
  const probe = createServer().listen(0, '127.0.0.1')
  await once(probe, 'listening')
  const { port } = probe.address() as AddressInfo
  probe.close()
  await once(probe, 'close')
  const posts = Array.from({ length: 10_000 }, (_, at) => ({ title: `Post ${at}` }))
  const starting = startServing({ data: readShape({ tables, records: { posts } }), seed: 7, superuser, port })
  let early: Promise<unknown> | undefined
  for (let tries = 0; early === undefined && tries < 100; tries++) {
    await turn()
    const socket = connect(port, '127.0.0.1')
    const [outcome] = await Promise.race([
      once(socket, 'connect').then(() => ['open']),
      once(socket, 'error').then(() => ['closed']),
    ])
    socket.destroy()
    if (outcome === 'open') early = total(fetch(`http://127.0.0.1:${port}/api/v1/collections/posts/records`))
  }
  serving = await starting
  expect(await early).toBe(10_000)
})

it('a handler that cannot be made leaves no socket open', async () => {
  let url = ''
  const failing = (made: Serving) => {
    url = made.url
    throw new Error('of the handler')
  }
  const started = startServing({ data: readShape({ tables }), seed: 7, superuser, handlers: [failing] })
  await expect(started).rejects.toThrow('of the handler')
  await expect(fetch(url, { signal: AbortSignal.timeout(2_000) })).rejects.toThrow('fetch failed')
})
