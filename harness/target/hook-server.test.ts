import { expect, it, onTestFinished } from 'vitest'
import { listening } from '../../test/support/listening.ts'
import { serveHooks } from './hook-server.ts'

it('listens for hooks, and does not listen without them', async () => {
  const before = await listening()
  const none = await serveHooks({})
  expect(none.hooks).toEqual({})
  expect(await listening()).toBe(before)
  await none.close()
  const one = await serveHooks({ clock: () => null })
  expect(await listening()).toBe(before + 1)
  await one.close()
  expect(await listening()).toBe(before)
})

it.each(['constructor', 'toString', '__proto__', 'nope'])('has no hook %j', async (name) => {
  const { hooks, close } = await serveHooks({ clock: () => null })
  onTestFinished(close)
  const response = await fetch((hooks.clock ?? '').replace(/clock$/, name), { method: 'POST', body: '{}' })
  expect([response.status, await response.json()]).toEqual([404, { error: `unknown hook "${name}"` }])
})
