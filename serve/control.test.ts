/** The control endpoints: who may use them, what is too large, and what else a test needs. */

import { describe, expect, it } from 'vitest'
import { startControlled } from '../test/support/controlled-server.ts'
import { createControl } from './control.ts'
import { repeatRequest } from './repeat-request.ts'

describe('what is too large', () => {
  it('is not read to its end, also in chunks', async () => {
    const { started } = await startControlled()
    let sent = 0
    const endless = new ReadableStream({
      pull(controller) {
        sent += 1024 * 1024
        controller.enqueue(new Uint8Array(1024 * 1024).fill(0x20))
        if (sent >= 300 * 1024 * 1024) controller.close()
      },
    })
    const request = new Request(`${started.url}/_conformance/token`, {
      method: 'POST',
      headers: { host: new URL(started.url).host },
      body: endless,
      duplex: 'half',
    } as RequestInit)
    const response = await createControl(started)(request, '127.0.0.1')
    expect(response?.status).toBe(413)
    expect(await response?.json()).toMatchObject({ message: expect.stringContaining('16 MiB') })
    expect(sent).toBeLessThan(20 * 1024 * 1024)
  })

  it('is not echoed, nor compared with what there is', async () => {
    const { get } = await startControlled()
    const { status, body } = await get('state'.repeat(100_000))
    expect(status).toBe(404)
    expect(body.message.length).toBeLessThan(500)
  })
})

it('waits for emails, filters them, and plans faults', async () => {
  const { api, post, get } = await startControlled()
  const waiting = get('mail?to=ann@example.com&kind=password-reset&wait=5000')
  await api('users/request-password-reset', { email: 'ann@example.com' })
  expect((await waiting).body.mails).toMatchObject([{ to: 'ann@example.com', token: expect.any(String) }])
  expect((await get('mail?kind=otp')).body.mails).toEqual([])
  expect((await get('mail?kind=otp&wait=50')).status).toBe(408)
  await post('fault', { match: 'POST /collections/posts/*', status: 429, times: 1 })
  expect((await api('posts/records', { title: 'x' })).status).toBe(429)
  expect((await api('posts/records', { title: 'x' })).status).toBe(200)
  await post('fault', { status: 503, after: 1 })
  expect((await api('posts/records')).status).toBe(200)
  expect((await api('posts/records')).status).toBe(503)
  await post('fault', { clear: true })
  expect((await api('posts/records')).status).toBe(200)
  await post('fault', { drop: true, times: 1 })
  await expect(api('posts/records')).rejects.toThrow()
  expect(await post('fault', { stauts: 1 })).toMatchObject({
    status: 400,
    body: { message: expect.stringMatching(/"status"/) },
  })
  expect((await post('fault', {})).status).toBe(400)
})

it('lets pages of this machine in, strangers out, and says what there is', async () => {
  const { post, get, send, started } = await startControlled()
  expect((await post('reset', {}, { origin: 'https://evil.example' })).status).toBe(403)
  const page = { origin: 'http://localhost:5173' }
  expect((await post('reset', {}, page)).status).toBe(204)
  const preflight = await fetch(`${started.url}/_conformance/clock`, {
    method: 'OPTIONS',
    headers: { ...page, 'access-control-request-headers': 'content-type' },
  })
  expect(preflight.headers.get('access-control-allow-origin')).toBe('http://localhost:5173')
  expect(preflight.headers.get('access-control-allow-headers')).toBe('content-type')
  expect(preflight.headers.get('access-control-allow-methods')).toBe('DELETE, GET, POST')
  expect(preflight.headers.get('vary')).toBe('Origin')
  const { headers } = await fetch(`${started.url}/_conformance/clock`)
  expect([headers.get('cache-control'), headers.get('x-content-type-options')]).toEqual([
    'no-store',
    'nosniff',
  ])
  const { operations } = (await get('')).body
  expect(operations).toContainEqual({
    method: 'POST',
    path: 'restore',
    body: { id: { says: expect.any(String) } },
    returns: '`{ id }`',
  })
  expect((await send('/_conformance')).body.operations).toEqual(operations)
  expect((await get('mail?kidn=otp')).body.message).toBe(
    'Unknown parameter "kidn". Did you mean "kind"? Use to, kind, wait.',
  )
  expect((await get('mail?kind=otpx')).body.message).toBe(
    '"kind" must be one of verification, password-reset, email-change, otp, login-alert, not "otpx". Did you mean "otp"?',
  )
  for (const wait of ['soon', '-1', '1.5', '60001'])
    expect((await get(`mail?wait=${wait}`)).body.message).toBe(
      `"wait" must be a whole number from 0 to 60000, not "${wait}".`,
    )
  expect((await get('mail?to=&kind=&wait=')).status).toBe(200)
  expect((await get('mail?__proto__=x')).body.message).toMatch(/Unknown parameter "__proto__"/)
  expect((await get('mail?wait=&wait=9')).body.message).toMatch(/"wait" is given twice/)
  expect((await get('mial')).body.message).toMatch(/Did you mean "GET mail"/)
  expect((await send('/_conformance/clock', { method: 'POST', body: '[' })).body.message).toMatch(/not JSON/)
  expect((await send('/_conformance/clock', { method: 'POST', body: '[]' })).body.message).toMatch(
    /JSON object/,
  )
})

describe('what else a test needs', () => {
  it('makes records with invented values', async () => {
    const { get, post } = await startControlled()
    const { records } = (await post('make/posts', { count: 3, values: { title: 'same' } })).body
    expect(records).toMatchObject([{ title: 'same' }, { title: 'same' }, { title: 'same' }])
    expect((await get('records/posts')).body.records).toHaveLength(4)
  })

  it('ends realtime connections', async () => {
    const { started, get, send } = await startControlled()
    const stream = await fetch(`${started.url}/api/v1/realtime`)
    expect((await get('realtime')).body).toEqual({ connections: 1 })
    expect((await send('/_conformance/realtime', { method: 'DELETE' })).status).toBe(204)
    expect(await stream.text()).toContain('PB_CONNECT')
    expect((await get('realtime')).body).toEqual({ connections: 0 })
  })

  it('takes back a state of more than 16 MiB', async () => {
    const { started, get, post } = await startControlled()
    const tables = [
      { name: 'papers', createRule: '', fields: [{ name: 'paper', type: 'file', maxSize: 20_000_000 }] },
    ]
    await post('tables', tables)
    const form = new FormData()
    form.append('paper', new File([new Uint8Array(14_000_000)], 'paper.bin'))
    const uploaded = await fetch(`${started.url}/api/v1/collections/papers/records`, {
      method: 'POST',
      body: form,
    })
    expect(uploaded.status).toBe(200)
    const { body: state } = await get('state')
    expect(JSON.stringify(state).length).toBeGreaterThan(16 * 1024 * 1024)
    expect(await post('state', state)).toMatchObject({ status: 200, body: { records: { papers: 1 } } })
  })

  it('says what to know about added records', async () => {
    const { post } = await startControlled()
    const password = '$2a$10$abcdefghijklmnopqrstuuabcdefghijklmnopqrstuvwxyz01234567'
    const { notices } = (await post('records/users', [{ email: 'b@example.com', password }])).body
    expect(notices).toEqual([expect.stringContaining('looks like a hash')])
  })
})

it('returns the id of the repeated request, whatever the same requests of others', async () => {
  const { started, api } = await startControlled()
  await api('posts/records', { title: 'first' })
  await started.settled()
  const [first] = started.exchanges.list()
  const { reference } = started
  const path = '/api/v1/collections/posts/records'
  const json = { 'content-type': 'application/json' }
  const fetchAmongOthers: typeof reference.fetch = (...given) => {
    void reference.fetch(path, { method: 'POST', headers: json, body: '{"title":"other"}' })
    return reference.fetch(...given)
  }
  const busy = Object.create(reference, { fetch: { value: fetchAmongOthers } }) as typeof reference
  const serving = Object.create(started, { reference: { value: busy } }) as typeof started
  const { id = 0 } = await repeatRequest(serving, first?.id ?? 0)
  expect(started.exchanges.get(id)?.request.body).toContain('first')
})
