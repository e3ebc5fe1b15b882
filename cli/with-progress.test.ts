/** `init` and `doctor` on a slow server: what they do is on stderr, and stdout has the result only. */

import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { commandInProcess } from '../test/support/command-in-process.ts'
import { withProgress } from './with-progress.ts'

/** Milliseconds. */
const slowness = 800
const server = createServer((_, response) => {
  const list = { page: 1, perPage: 30, totalItems: 0, totalPages: 0, items: [] }
  setTimeout(() => {
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(list))
  }, slowness)
})
let baseUrl = ''

beforeAll(async () => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
})
afterAll(() => {
  server.closeAllConnections()
  server.close()
})

it.each([
  ['init', ['--output', '-']],
  ['doctor', []],
])('%s says every second what it does', async (command, more) => {
  const { out, err } = await commandInProcess([command, '--base-url', baseUrl, '--read-only', ...more])
  const lines = err.split('\n').filter((line) => / {2}\d+ s$/.test(line))
  expect(lines.length).toBeGreaterThan(0)
  expect(lines.every((line) => /^[a-z][a-z ]+ {2}\d+ s$/.test(line))).toBe(true)
  expect(out).not.toMatch(/ {2}\d+ s$/m)
})

it('says nothing about what is done immediately, and passes on what went wrong', async () => {
  expect(await withProgress('adding', async () => 2)).toBe(2)
  await expect(withProgress('failing', () => Promise.reject(new Error('no')))).rejects.toThrow('no')
})
