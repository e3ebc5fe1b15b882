import { expect, it } from 'vitest'
import { socketAddress } from './socket-address.ts'

it.each([
  ['http://127.0.0.1:8090/api', '127.0.0.1', 8090],
  ['http://example.com', 'example.com', 80],
  ['https://example.com', 'example.com', 443],
  ['http://[::1]:3000', '::1', 3000],
])('the URL %s connects to %s, port %i', (url, host, port) => {
  expect(socketAddress(new URL(url))).toEqual({ host, port })
})
