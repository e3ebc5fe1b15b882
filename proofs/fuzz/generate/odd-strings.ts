/**
 * Values that programs get wrong.
 *
 * @module
 */

import fc, { type Arbitrary } from 'fast-check'

const strings = [
  '',
  ' ',
  '\0',
  'a\0b',
  'null',
  'true',
  'NaN',
  '__proto__',
  'constructor',
  'toString',
  '..',
  '../../..',
  '%00',
  '%2e%2e%2f',
  '%',
  '%zz',
  "'",
  '"',
  '\\',
  '\r\n',
  'a\r\nX-Injected: 1',
  '\ud800',
  '\udc00x',
  '\u202eabc',
  '\ufeff',
  '\u2028',
  'e\u0301',
  'İ',
  'ß',
  '👩‍👧‍👦',
  '<script>alert(1)</script>',
  '{RECORD:email}',
  '@request.auth.id',
  "' || 1=1 //",
  '2024-02-30 25:61:61.999Z',
  '0000-00-00 00:00:00.000Z',
  '99999-01-01',
  '1e999',
  '-0',
  '0x10',
  '9'.repeat(400),
  'a'.repeat(256),
  'ü'.repeat(3000),
  'a@b',
  'a@example.com\r\nBcc: b@example.com',
  'http://[::1',
  'javascript:alert(1)',
]

/** Strings of a megabyte and more are rare: each costs as much as a thousand others. */
export const oddStrings: Arbitrary<string> = fc.oneof(
  { weight: 600, arbitrary: fc.constantFrom(...strings) },
  { weight: 200, arbitrary: fc.string({ unit: 'binary', maxLength: 12 }) },
  { weight: 100, arbitrary: fc.string({ unit: 'grapheme', maxLength: 12 }) },
  {
    weight: 80,
    arbitrary: fc
      .tuple(fc.constantFrom('a', '9', '%', '"', '(', '\ud800', '🐘'), fc.integer({ min: 1, max: 6000 }))
      .map(([sign, count]) => sign.repeat(count)),
  },
  { weight: 1, arbitrary: fc.constantFrom('a', '%', '🐘', '9').map((sign) => sign.repeat(1 << 20)) },
)

/** Stands for a token that `JSON.stringify` would not write. `json.ts` turns it into the token. */
const rawToken = (text: string) => `\uE002${text}\uE003`

const rawNumbers = [
  '1e999',
  '-1e999',
  '-0',
  '1E400',
  '0.1e-400',
  '123456789012345678901234567890',
  '1.0',
  '1e2',
]

const oddNumbers: Arbitrary<unknown> = fc.oneof(
  fc.constantFrom<unknown>(
    -1,
    2 ** 31,
    2 ** 32,
    2 ** 53 - 1,
    2 ** 53,
    2 ** 53 + 2,
    -(2 ** 53) - 2,
    1e21,
    1.7976931348623157e308,
    5e-324,
    0.1,
  ),
  fc.double({ noNaN: true, noDefaultInfinity: true }),
  fc.constantFrom(...rawNumbers).map(rawToken),
  fc.integer({ min: 250, max: 2000 }).map((digits) => rawToken('9'.repeat(digits))),
)

/** Any JSON value, mostly of an unexpected type. */
export const oddJson: Arbitrary<unknown> = fc.oneof(
  { weight: 4, arbitrary: fc.constantFrom<unknown>(null, true, false, 0, 1, '', [], {}, [null], [[]], [{}]) },
  { weight: 4, arbitrary: oddStrings },
  { weight: 3, arbitrary: oddNumbers },
  { weight: 2, arbitrary: fc.array(fc.oneof(oddStrings, oddNumbers), { maxLength: 4 }) },
  {
    weight: 2,
    arbitrary: fc
      .array(fc.tuple(fc.constantFrom('a', '__proto__', 'constructor', 'id', 'lon', '0', ''), oddStrings), {
        maxLength: 3,
      })
      .map((entries) => Object.fromEntries(entries)),
  },
  { weight: 1, arbitrary: fc.integer({ min: 1, max: 400 }).map(nested) },
)

function nested(depth: number): unknown {
  let value: unknown = 1
  for (let level = 0; level < depth; level++) value = level % 2 === 0 ? [value] : { a: value }
  return value
}
