/** Who may reach console and control endpoints. */

import { expect, test } from 'vitest'
import { accessRejection } from './gate.ts'

const host = '127.0.0.1:8090'

test.each<[string, Record<string, string>, string | undefined, boolean, boolean]>([
  // what, headers, address, through the gate of control, through the gate of the console
  ['a program of this machine', { host }, '127.0.0.1', true, true],
  ['the same over IPv6', { host: '[::1]:8090' }, '::1', true, true],
  ['by its other name', { host: 'localhost:8090' }, '127.0.0.1', true, true],
  ['a program of another machine', { host }, '192.0.2.1', false, false],
  ['nobody knows who', { host }, undefined, false, false],
  ['a name made to resolve to us', { host: 'evil.example:8090' }, '127.0.0.1', false, false],
  ['a name that begins like ours', { host: '127.0.0.1.evil.example' }, '127.0.0.1', false, false],
  ['a page of ours', { host, origin: `http://${host}` }, '127.0.0.1', true, true],
  ['a page of another server here', { host, origin: 'http://localhost:5173' }, '127.0.0.1', true, false],
  ['a page of a stranger', { host, origin: 'https://evil.example' }, '127.0.0.1', false, false],
  ['a page of nowhere', { host, origin: 'null' }, '127.0.0.1', false, false],
  ['an extension', { host, origin: 'vscode-webview://localhost' }, '127.0.0.1', false, false],
  ['a file', { host, origin: 'file://' }, '127.0.0.1', false, false],
  ['an image of a stranger', { host, 'sec-fetch-site': 'cross-site' }, '127.0.0.1', false, false],
  ['a page of the same host, other port', { host, 'sec-fetch-site': 'same-site' }, '127.0.0.1', false, false],
  ['an event stream of our page', { host, 'sec-fetch-site': 'same-origin' }, '127.0.0.1', true, true],
  ['an address typed in', { host, 'sec-fetch-site': 'none' }, '127.0.0.1', true, true],
])('%s', (_name, headers, ip, control, console) => {
  const passes = (sameOrigin: boolean) =>
    accessRejection(requestWith(headers), ip, { sameOrigin }) === undefined
  expect([passes(false), passes(true)]).toEqual([control, console])
})

/** A Request of the fetch API may not carry all of these. */
function requestWith(headers: Record<string, string>): Request {
  return { headers: { get: (name: string) => headers[name] ?? null } } as unknown as Request
}
