import { expect, it } from 'vitest'
import { bareHost } from './bare-host.ts'

it.each([
  ['[::1]', '::1'],
  ['127.0.0.1', '127.0.0.1'],
  ['example.com', 'example.com'],
])('the host of a URL %s is connected to as %s', (hostname, host) => {
  expect(bareHost(hostname)).toBe(host)
})
