/** Where an identity provider redirects to: which connection receives the code. */

import { afterEach, expect, test } from 'vitest'
import { createReference } from '../../reference.ts'

const opened: ReturnType<typeof createReference>[] = []
afterEach(() => Promise.all(opened.splice(0).map((reference) => reference.close())))

/** A connection that waits for a code. */
async function waiting() {
  const reference = createReference()
  opened.push(reference)
  const stream = await reference.fetch('/api/v1/realtime', {}, '10.0.0.1')
  const reader = (stream.body as ReadableStream<Uint8Array>).getReader()
  const read = async () => new TextDecoder().decode((await reader.read()).value)
  const state = String(/"clientId":"(\w+)"/.exec(await read())?.[1])
  const body = JSON.stringify({ clientId: state, subscriptions: ['@oauth2'] })
  const headers = { 'content-type': 'application/json' }
  await reference.fetch('/api/v1/realtime', { method: 'POST', headers, body }, '10.0.0.1')
  const open = async (more: object, ip = '10.0.0.1') => {
    const query = new URLSearchParams({ state, ...more })
    return (await reference.fetch(`/api/v1/oauth2-redirect?${query}`, {}, ip)).text()
  }
  return { state, read, open }
}

const noOne = 'no application waits for it'

test('the code goes to the connection from the same address, once', async () => {
  const { state, read, open } = await waiting()
  expect(await open({ code: 'c' }, '10.0.0.2')).toContain(noOne)
  expect(await open({ code: 'c', state: 'other' })).toContain(noOne)
  expect(await open({ code: 'c' })).toContain('You are signed in.')
  expect(await read()).toContain(`event:@oauth2\ndata:${JSON.stringify({ state, code: 'c' })}\n`)
  expect(await open({ code: 'c' })).toContain(noOne)
})

test.each([
  ['an error', { error: 'access_denied' }, { code: '', error: 'access_denied' }],
  ['nothing', {}, { code: '' }],
])('the application hears of %s instead of a code', async (_name, sent, data) => {
  const { state, read, open } = await waiting()
  expect(await open(sent)).toContain('The sign-in failed. Close this window')
  expect(await read()).toContain(`data:${JSON.stringify({ state, ...data })}\n`)
})
