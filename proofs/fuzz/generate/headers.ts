/**
 * Headers: credentials, and what else a client might send.
 *
 * @module
 */

import fc, { type Arbitrary } from 'fast-check'
import { fillBlank } from '../blanks.ts'

export type Header = readonly [name: string, value: string]

const credentials: readonly { weight: number; value: string | undefined }[] = [
  { weight: 8, value: undefined },
  { weight: 8, value: fillBlank('superuser') },
  { weight: 8, value: fillBlank('auth:members') },
  { weight: 3, value: fillBlank('auth:staff') },
  { weight: 3, value: fillBlank('key') },
  { weight: 2, value: fillBlank('narrowKey') },
  { weight: 2, value: fillBlank('session') },
  { weight: 2, value: `Bearer ${fillBlank('auth:members')}` },
  { weight: 1, value: `bearer  ${fillBlank('superuser')}` },
  { weight: 1, value: fillBlank('static:members') },
  { weight: 1, value: fillBlank('expired:members') },
  { weight: 1, value: fillBlank('foreign:members') },
  { weight: 1, value: fillBlank('passwordReset:members') },
  { weight: 1, value: `${fillBlank('auth:members')}x` },
  { weight: 1, value: '' },
  { weight: 1, value: 'garbage' },
  { weight: 1, value: 'Basic cm9vdDpyb290' },
  { weight: 1, value: 'eyJhbGciOiJub25lIn0.eyJpZCI6IngifQ.' },
  { weight: 1, value: 'a.b.c' },
  { weight: 1, value: `rak_${'a'.repeat(15)}_${'A'.repeat(40)}` },
  { weight: 1, value: 'ÿþ'.repeat(20) },
]

/** Of every kind of caller; none for a guest. */
export const fuzzCallers: Arbitrary<Header[]> = fc
  .oneof(...credentials.map(({ weight, value }) => ({ weight, arbitrary: fc.constant(value) })))
  .map((value) => (value === undefined ? [] : [['authorization', value]]))

const others: readonly Header[] = [
  ['accept', 'text/html'],
  ['accept-encoding', 'gzip, br;q=1.0, *;q=0'],
  ['accept-language', 'x'.repeat(300)],
  ['content-encoding', 'gzip'],
  ['content-language', 'de'],
  ['cookie', 'a=b; __proto__=c'],
  ['if-none-match', '*'],
  ['origin', 'https://evil.example'],
  ['range', 'bytes=0-1'],
  ['user-agent', '{RECORD:email} {APP_NAME}'],
  ['x-conf', 'open'],
  ['x-sure', ''],
  ['x-forwarded-for', '1.2.3.256, ::1'],
  ['x-http-method-override', 'DELETE'],
  ['x-long', 'x'.repeat(5000)],
  ['__proto__', 'x'],
  ['constructor', 'x'],
]

export const otherHeaders: Arbitrary<Header[]> = fc.oneof(
  { weight: 5, arbitrary: fc.constant<Header[]>([]) },
  { weight: 2, arbitrary: fc.uniqueArray(fc.constantFrom(...others), { minLength: 1, maxLength: 3 }) },
)
