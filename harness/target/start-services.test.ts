/** The services of a run, all or none. */

import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, expect, it } from 'vitest'
import { listening } from '../../test/support/listening.ts'
import { startServices } from './start-services.ts'

let taken: Server | undefined

afterEach(async () => {
  await new Promise((resolve) => (taken === undefined ? resolve(undefined) : taken.close(resolve)))
  taken = undefined
})

it.each([
  ['smtp', 'oidc'],
  ['oidc', 'smtp'],
])('with a port in use for %s do not keep %s running', async (one, other) => {
  taken = createServer().listen(0, '127.0.0.1')
  await once(taken, 'listening')
  const { port } = taken.address() as AddressInfo
  const before = await listening()
  await expect(startServices({ [one]: { port }, [other]: {} })).rejects.toThrow(
    `the ${one} service cannot listen (EADDRINUSE)`,
  )
  expect(await listening()).toBe(before)
})

it('services that cannot be offered are stopped', async () => {
  const before = await listening()
  const stuck = () => Promise.reject(new Error('nobody may ask'))
  await expect(startServices({ smtp: {}, oidc: {} }, {}, stuck)).rejects.toThrow('nobody may ask')
  expect(await listening()).toBe(before)
})

it('services stop when they are closed', async () => {
  const before = await listening()
  const { close, hooks } = await startServices({ smtp: {}, oidc: {} }, { clock: () => null })
  expect(Object.keys(hooks).sort()).toEqual(['clock', 'mailbox', 'provider'])
  expect(await listening()).toBe(before + 3)
  await close()
  expect(await listening()).toBe(before)
})

it('unused services open no socket', async () => {
  const before = await listening()
  const { close, hooks } = await startServices({})
  expect(hooks).toEqual({})
  expect(await listening()).toBe(before)
  await close()
})
