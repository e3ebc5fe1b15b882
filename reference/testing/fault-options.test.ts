import { expect, it } from 'vitest'
import { checkFault, type FaultOptions } from './fault-options.ts'

it.each<FaultOptions>([
  { status: 500 },
  { status: 200, body: null, headers: { 'x-a': 'b' } },
  { headers: { 'x-a': 'b' } },
  { delay: 0 },
  { delay: [1, 1] },
  { drop: true },
  { drop: 'response' },
  { drop: { afterBytes: 0 } },
  { drop: { afterBytes: 3 }, headers: { 'x-a': 'b' } },
  { drop: false, status: 500 },
  { status: 204, headers: { 'x-a': 'b' } },
  { expired: true, times: 1, after: 0 },
  { expired: true, times: Number.POSITIVE_INFINITY },
])('accepts %j', (options) => {
  expect(() => checkFault(options)).not.toThrow()
})

it.each<[unknown, RegExp]>([
  [{}, /does nothing/],
  [{ stauts: 500 }, /Did you mean "status"/],
  [{ status: '500' }, /status "500": expected one from 200 to 599/],
  [{ status: 99 }, /status 99/],
  [{ status: 600 }, /cannot return status 600/],
  [{ headers: [], status: 200 }, /"headers" of a fault must be an object/],
  [{ headers: { 'x-a': 1 } }, /"x-a" of a fault must be a string, not 1/],
  [
    { delay: '100' },
    /"delay" of a fault must be milliseconds, or \[least, most\] of them, at most 2147483647, not "100"/,
  ],
  [{ delay: -5 }, /"delay"/],
  [{ delay: 3e9 }, /"delay"/],
  [{ expired: false, drop: false }, /does nothing/],
  [{ delay: [5, 1] }, /"delay"/],
  [{ delay: [1, 2, 3] }, /"delay"/],
  [{ delay: Number.POSITIVE_INFINITY }, /"delay"/],
  [{ drop: 'yes' }, /"drop" of a fault must be true, "request", "response" or \{ afterBytes \}, not "yes"/],
  [{ drop: {} }, /"drop.afterBytes" of a fault must be a number of bytes/],
  [{ drop: { afterBytes: -1 } }, /a number of bytes, not -1/],
  [{ drop: { afterByte: 1 } }, /Did you mean "afterBytes"/],
  [{ expired: 'yes' }, /"expired" of a fault must be true or false/],
  [{ status: 500, times: '2' }, /cannot happen "2" times/],
  [{ status: 500, times: 1.5 }, /cannot happen 1.5 times/],
  [{ status: 500, drop: 'response' }, /either "status" or "drop"/],
  [{ body: 'x', drop: { afterBytes: 1 } }, /either "body" or "drop"/],
  [{ status: 500, expired: true }, /"expired" has no effect with "status"/],
  [{ headers: { 'x-a': 'b' }, drop: true }, /"headers" have no effect with "drop"/],
  [{ status: 204, body: 'x' }, /status 204 has no body/],
  [{ status: 500, headers: { 'Transfer-Encoding': 'chunked' } }, /"Transfer-Encoding": the server sets it/],
  [{ status: 500, after: -1 }, /cannot let -1 requests pass/],
])('rejects %j', (options, message) => {
  expect(() => checkFault(options as FaultOptions)).toThrow(message)
})
