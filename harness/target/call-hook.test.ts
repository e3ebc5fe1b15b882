import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { type AddressInfo, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join, relative, resolve } from 'node:path'
import { afterEach, describe, expect, onTestFinished, test } from 'vitest'
import { startTestServer } from '../../test/support/test-server.ts'
import { UntestableError } from '../judging/expect.ts'
import { callHook, callHookForCheck, hooksIn, loadHooks, probeHook } from './call-hook.ts'
import { type Hook, type HookServer, serveHooks } from './hook-server.ts'
import { offerHooks } from './offer-hooks.ts'

let server: HookServer | undefined
let folder: string | undefined

afterEach(async () => {
  await server?.close()
  server = undefined
  if (folder !== undefined) rmSync(folder, { recursive: true })
  folder = undefined
})

function moduleWith(text: string): string {
  folder = mkdtempSync(join(tmpdir(), 'hook-'))
  const file = join(folder, 'hook.mjs')
  writeFileSync(file, text)
  return file
}

describe('hooks', () => {
  test('an address accepts and returns JSON', async () => {
    server = await serveHooks({ clock: ({ advance }) => ({ moved: advance }) })
    expect(await callHook({ hooks: server.hooks }, 'clock', { advance: 3 })).toEqual({ moved: 3 })
  })

  test('guessing the port is not enough to reach a hook', async () => {
    server = await serveHooks({ createApiKey: () => ({ key: 'secret' }) })
    const { origin } = new URL(server.hooks.createApiKey ?? '')
    expect((await fetch(`${origin}/createApiKey`, { method: 'POST' })).status).toBe(404)
    expect((await fetch(server.hooks.createApiKey ?? '')).status).toBe(404)
  })

  test.each([
    ['its name', 'export const clock = ({ advance }) => advance + 1'],
    ['the default', 'export default ({ advance }) => advance + 1'],
  ])('a module exports it under %s', async (_, text) => {
    expect(await callHook({ hooks: { clock: moduleWith(text) } }, 'clock', { advance: 1 })).toBe(2)
  })

  test('an error names the hook and where it is defined', async () => {
    server = await serveHooks({
      clock: () => {
        throw new Error('the clock is stuck')
      },
    })
    await expect(callHook({ hooks: server.hooks }, 'clock', {})).rejects.toThrow(
      /"clock" failed: 500.*stuck/s,
    )
    await expect(
      callHook({ hooks: { clock: moduleWith('export const x = 1') } }, 'clock', {}),
    ).rejects.toThrow(/neither "clock" nor a default function/)
    await expect(callHook({}, 'mailbox', {})).rejects.toThrow(/"mailbox" is missing/)
  })

  test('probing calls none of them', async () => {
    let called = 0
    const hooks = { clock: () => called++ }
    server = await serveHooks(hooks)
    const offered = offerHooks(hooks)
    const places = [server.hooks.clock ?? '', offered.hooks.clock ?? '']
    for (const place of places) await probeHook(place)
    await Promise.all([server.close(), offered.close()])
    for (const place of places) await expect(probeHook(place)).rejects.toThrow()
    expect(called).toBe(0)
  })
})

describe('a result of another form is named', () => {
  const key = 'a-secret-key'
  test.each<[string, unknown, RegExp]>([
    ['mailbox', { mails: [] }, /\{ count, mails \}`: .*returned an object with mails \(a list\)$/],
    ['mailbox', { count: 1, mails: [{ to: ['a@example.com'] }] }, /count \(a number\), mails \(a list\)$/],
    ['mailbox', [], /returned a list$/],
    ['provider', undefined, /\{ code, state, error \}`: strings; it returned nothing$/],
    ['provider', { code: 5 }, /returned an object with code \(a number\)$/],
    ['createApiKey', key, /\{ id, key \}`: .*; it returned a string$/],
    ['createApiKey', { id: { name: 1 }, key }, /id \(an object with name \(a number\)\), key \(a string\)$/],
  ])('%s', async (name, value, fact) => {
    server = await serveHooks({ [name]: () => value })
    const called = callHookForCheck({ hooks: server.hooks }, name, { to: 'a@example.com' })
    await expect(called).rejects.toThrow(UntestableError)
    await expect(called).rejects.toThrow(fact)
    await expect(called).rejects.not.toThrow(key)
  })

  test.each<[string, unknown, object]>([
    ['mailbox', { count: 0 }, { to: '' }],
    ['mailbox', { count: 1, mails: [{ number: 1, text: 'Your code is 1234' }] }, { to: 'a@example.com' }],
    ['provider', { error: 'access_denied' }, {}],
    ['createApiKey', { id: 18, key }, {}],
    ['createApiKey', { key }, {}],
    ['deleteRecords', 'done', {}],
  ])('and these are not: %s', async (name, value, input) => {
    server = await serveHooks({ [name]: () => value })
    expect(await callHook({ hooks: server.hooks }, name, { ...input })).toEqual(value)
  })
})

test.each([
  ['that does not exist', undefined, new RegExp(`there is no file ${resolve('nofile.mjs')}$`)],
  ['that throws', 'throw new Error("half done")', /half done/],
  ['without the hook', 'export const clok = () => {}', /exports neither "clock" nor a default function/],
])('a module %s is a mistake in the target file', async (_, text, fact) => {
  const clock = text === undefined ? './nofile.mjs' : moduleWith(text)
  await expect(loadHooks({ hooks: { clock } })).rejects.toMatchObject({
    name: 'ConfigurationError',
    fact: expect.stringMatching(fact),
    place: 'hooks.clock',
  })
})

test('a path in a target file is relative to the file, and otherwise to the working directory', () => {
  const file = moduleWith('')
  const target = join(folder ?? '', 'target.yaml')
  expect(hooksIn(target, { clock: './hook.mjs' })).toEqual({ clock: file })
  expect(hooksIn(target, { clock: relative(process.cwd(), file) })).toEqual({ clock: file })
  expect(hooksIn(target, { clock: 'nofile.mjs' })).toEqual({ clock: join(folder ?? '', 'nofile.mjs') })
  expect(hooksIn(target, { mailbox: 'http://127.0.0.1:1/' })).toEqual({ mailbox: 'http://127.0.0.1:1/' })
})

test('loading the modules of hooks calls none of them, and connects to no address', async () => {
  const clock = moduleWith('export const clock = () => { throw new Error("called") }')
  await expect(loadHooks({ hooks: { clock, mailbox: 'http://127.0.0.1:1/' } })).resolves.toBeUndefined()
})

/** A hook that closes a connection without a response where `breaks` says so. */
async function breakingHook(breaks: (request: { count: number; onConnection: number }) => boolean) {
  let count = 0
  const bySocket = new WeakMap<object, number>()
  const listener = await startTestServer((request, response) => {
    const onConnection = (bySocket.get(request.socket) ?? 0) + 1
    bySocket.set(request.socket, onConnection)
    count += 1
    if (breaks({ count, onConnection })) request.socket.resetAndDestroy()
    else response.end('{"count":0,"mails":[]}')
  })
  onTestFinished(() => listener.close())
  return { url: listener.url, count: () => count }
}

test('a hook that closes connections after a response is called over new ones', async () => {
  const { url } = await breakingHook(({ onConnection }) => onConnection > 1)
  for (let call = 0; call < 3; call++)
    expect(await callHook({ hooks: { clock: url } }, 'clock', { advance: 1 })).toBeDefined()
})

test('emails are requested again if the connection to the mailbox breaks', async () => {
  const { url, count } = await breakingHook((request) => request.count < 3)
  expect(await callHook({ hooks: { mailbox: url } }, 'mailbox', { to: '', after: 0, wait: 0 })).toEqual({
    count: 0,
    mails: [],
  })
  expect(count()).toBe(3)
})

test('a connection that breaks is not the failure of the server under test', async () => {
  const { url, count } = await breakingHook(() => true)
  await expect(callHook({ hooks: { clock: url } }, 'clock', { advance: 1 })).rejects.toMatchObject({
    fact: `the hook "clock" failed: no response from ${url} (ECONNRESET)`,
    next: 'check the program that offers the hook; the server under test is not the cause',
  })
  // A second call could move the clock twice.
  expect(count()).toBe(1)
  server = await serveHooks({ clock: () => null })
  await server.close()
  await expect(callHook({ hooks: server.hooks }, 'clock', { advance: 1 })).rejects.toMatchObject({
    next: 'the suite offers this hook itself, so neither the server nor the target file is the cause: run again, with less load on this machine',
  })
})

test('a hook at an IPv6 address is reachable', async ({ skip }) => {
  const listener = createServer()
  const listening = await new Promise<boolean>((resolve) => {
    listener.once('error', () => resolve(false))
    listener.listen(0, '::1', () => resolve(true))
  })
  if (!listening) skip('this machine has no IPv6')
  const { port } = listener.address() as AddressInfo
  await expect(probeHook(`http://[::1]:${port}/hook`)).resolves.toBeUndefined()
  listener.close()
})

test.each([
  [
    'an address',
    async (hooks: Record<string, Hook>) => {
      server = await serveHooks(hooks)
      return server.hooks
    },
  ],
  ['another thread', async (hooks: Record<string, Hook>) => offerHooks(hooks).hooks],
  [
    'a module',
    async () => ({
      createApiKey: moduleWith('export const createApiKey = () => { throw new Error("no such table") }'),
    }),
  ],
])('a hook at %s that rejects a request keeps only the check from being judged', async (_, offer) => {
  const hooks = await offer({
    createApiKey: () => {
      throw new Error('no such table')
    },
  })
  const called = callHookForCheck({ hooks }, 'createApiKey', { tables: ['*'], actions: ['list', 'view'] })
  await expect(called).rejects.toBeInstanceOf(UntestableError)
  await expect(called).rejects.toThrow(
    /^the hook "createApiKey" failed for list, view on \*: .*no such table/,
  )
})

test.each([
  ['that no one offers', 'http://127.0.0.1:1/'],
  ['that does not exist', './nofile.mjs'],
])('a hook %s ends the run', async (_, clock) => {
  const called = callHookForCheck({ hooks: { clock } }, 'clock', { advance: 1 })
  await expect(called).rejects.toMatchObject({ name: 'ConfigurationError' })
})
