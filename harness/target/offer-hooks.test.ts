/** Hooks that one thread of this process offers to the others. */

import { once } from 'node:events'
import { Worker } from 'node:worker_threads'
import { afterEach, expect, it, vi } from 'vitest'
import { callHook } from './call-hook.ts'
import type { HookServer } from './hook-server.ts'
import { callOffered, endOffered, knockAt, offerHooks } from './offer-hooks.ts'

let offered: HookServer | undefined

afterEach(async () => {
  vi.useRealTimers()
  await offered?.close()
  offered = undefined
})

it('hooks accept and return JSON, concurrently', async () => {
  offered = offerHooks({
    clock: async ({ advance }) => {
      await new Promise((resolve) => setTimeout(resolve, Number(advance)))
      return { moved: advance, at: new Date(0), left: undefined }
    },
    nothing: () => undefined,
  })
  const { hooks } = offered
  const asked = [20, 1, 10].map((advance) => callHook({ hooks }, 'clock', { advance }))
  expect(await Promise.all(asked)).toEqual(
    [20, 1, 10].map((moved) => ({ moved, at: '1970-01-01T00:00:00.000Z' })),
  )
  expect(await callHook({ hooks }, 'nothing', {})).toBe(null)
})

it('hooks report why they fail', async () => {
  offered = offerHooks({
    clock: () => {
      throw new Error('the clock is stuck')
    },
  })
  const { hooks } = offered
  await expect(callHook({ hooks }, 'clock', {})).rejects.toThrow(/"clock" failed: the clock is stuck/)
  await expect(callOffered(hooks.clock?.replace('/clock', '/toString') ?? '', {})).rejects.toThrow(
    'unknown hook "toString"',
  )
})

it.each<[string, (server: HookServer) => Promise<void> | void]>([
  ['they are closed', ({ close }) => close()],
  [
    'their thread has ended without a word',
    ({ hooks }) => {
      endOffered(hooks)
    },
  ],
])('are not waited for when %s', async (_, end) => {
  let asked = () => {}
  let goOn = () => {}
  const waits = new Promise<void>((resolve) => {
    goOn = resolve
  })
  const heard = new Promise<void>((resolve) => {
    asked = resolve
  })
  offered = offerHooks({
    clock: () => {
      asked()
      return waits
    },
  })
  const hook = offered.hooks.clock ?? ''
  const open = callOffered(hook, {})
  await heard
  const rejected = expect(open).rejects.toThrow('the hook has stopped responding')
  await end(offered)
  await rejected
  await expect(callOffered(hook, {})).rejects.toThrow('the hook has stopped responding')
  // Only a late response is lost.
  goOn()
  await new Promise((resolve) => setTimeout(resolve, 20))
})

it('hooks are awaited as long as a response is possible', async () => {
  offered = offerHooks({ clock: () => new Promise(() => {}) })
  await expect(callOffered(offered.hooks.clock ?? '', {}, 50)).rejects.toThrow('no response within 0.05 s')
})

it('hooks are awaited for their own waiting time plus half a minute', async () => {
  offered = offerHooks({ mailbox: () => new Promise(() => {}) })
  const hook = offered.hooks.mailbox ?? ''
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  const given: string[] = []
  for (const wait of [60_000, 0, -5, 'long', Number.POSITIVE_INFINITY, undefined])
    callOffered(hook, { to: 'a@example.com', after: 0, wait }).catch(({ message }) => given.push(message))
  await vi.advanceTimersByTimeAsync(30_000)
  expect(given).toEqual(Array(5).fill('no response within 30 s'))
  await vi.advanceTimersByTimeAsync(59_999)
  expect(given).toHaveLength(5)
  await vi.advanceTimersByTimeAsync(1)
  expect(given[5]).toBe('no response within 90 s')
})

it('hooks whose thread has ended also reject new callers, until they are silenced', async () => {
  const places = ['one', 'other'].map((name) => `channel:conformance-hooks-ended-${name}`)
  const silence = endOffered({ clock: `${places[0]}/clock`, restart: `${places[0]}/restart` })
  await expect(callOffered(`${places[0]}/clock`, {}, 2_000)).rejects.toThrow(
    'the hook has stopped responding',
  )
  silence()
  const silenceOther = endOffered({ clock: `${places[1]}/clock`, elsewhere: 'http://127.0.0.1:9/clock' })
  silenceOther()
  await expect(callOffered(`${places[1]}/clock`, {}, 50)).rejects.toThrow('no response within 0.05 s')
})

it('hooks respond to a probe', async () => {
  offered = offerHooks({ clock: () => Promise.reject(new Error('asked')) })
  await knockAt(offered.hooks.clock ?? '')
  await offered.close()
  await expect(knockAt(offered.hooks.clock ?? '')).rejects.toThrow('the hook has stopped responding')
})

it('hooks respond to another thread, and do not keep a caller alive', async () => {
  offered = offerHooks({ clock: ({ advance }) => Number(advance) + 1 })
  const asker = new Worker(
    `const { parentPort, workerData } = require('node:worker_threads')
    import(workerData.loader)
      .then(({ register }) => (register(), import(workerData.module)))
      .then(({ callOffered }) => callOffered(workerData.hook, { advance: 1 }))
      .then((answer) => parentPort.postMessage(answer))`,
    {
      eval: true,
      workerData: {
        loader: import.meta.resolve('tsx/esm/api'),
        module: new URL('./offer-hooks.ts', import.meta.url).href,
        hook: offered.hooks.clock,
      },
    },
  )
  const ended = once(asker, 'exit')
  expect(await once(asker, 'message')).toEqual([2])
  expect(await ended).toEqual([0])
})
