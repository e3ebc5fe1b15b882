/**
 * Values that a client may send for a field, leaning towards what two implementations read differently.
 *
 * @module
 */

import fc, { type Arbitrary } from 'fast-check'

/** The words of a string. */
export const words = (text: string) => text.trim().split(/\s+/)

const lines = (text: string) => text.trim().split('\n')

const strings = lines(String.raw`
a
A
b
ab
abcdef
h_llo
HÉLLO
50%
50\%
%%
_
null
true
False
t
O'Brien
say "hi"
back\
🐘
<b>x</b>
["a","b"]
["a"
[1,2]
{"a":1}
{"lon":1,"lat":2}
"q"
[]
[null]
[["a"]]
`)

// Hexadecimal floating point is left out: no client writes it, and the family reads it.
const numbers = lines(`
0
1
01
10
1.50
1e3
1E3
-1
+1
.5
5.
.
1e
1,5
0x10
0b1
0o7
1_000
1__0
-1_0.5
00.5
NaN
Inf
-inf
Infinity
1e400
9007199254740993
12345678901234567890
`)

const addresses = lines(`
a@example.com
A@Example.com
a@b
é@example.com
a b@example.com
a@exa mple.com
"a b"@example.com
a..b@example.com
.a@example.com
a@-example.com
a@example.c
a@[127.0.0.1]
a@127.0.0.1
http://example.com
https://example.com/a?b=c#d
example.com
a.bc
http://x
ftp://a.b
HTTP://X.COM
http://example.com:80
http://example.com:99999
http://[::1]/
http://exämple.com
localhost:80
javascript:alert(1)
mailto:a@b.c
//x.com
http://a b.com
http://user:p@example.com
http://-a.com
http://a_b.com
http://1.2.3.4
http://256.1.1.1
http://.com
http://example..com
ws://x.y
`)

const dates = lines(`
2024-02-29
2023-02-29
2024-02-29 10:11:12
2024-02-29 10:11
2024-02-29 10:11:12.1234567Z
2024-02-29 10:11:12,5
2024-02-29 10:11:60
2024-02-29 24:00:00
2024-02-29 10:11:12 +0200
2024-02-29 10:11:12.5 +0200 CEST
2024-02-29T10:11:12+02:00
2024-02-29T10:11:12+0200
2024-02-29T10:11:12.123
2024-02-29t10:11:12z
2024-02-29T10:11
2024-1-2
20240229
29 Feb 2024
Thu Feb 29 10:11:12 2024
Thu, 29 Feb 2024 10:11:12 GMT
Thu, 29 Feb 2024 10:11:12 +0200
Feb 29 10:11:12
3:04PM
0001-01-01 00:00:00.000Z
9999-12-31 23:59:59.999Z
10000-01-01
1709200000
`)

/** Ids of the records that relations may point to. */
export const relatedIds = ['related00000001', 'related00000002', 'related00000003', 'related00000004']

// Control characters without a short escape are left out: a json field of the family cannot quote them and rejects them.
const special = ['', ' ', ' 5 ', '\t', 'two\nlines', '\u2028', ' 2024-02-29', 'nothere00000000']
const signs = [...'aZ0 .:-+@/%_"\'[]{}é']
const others = [null, true, false, 0, 1, -1, 2, 11, 1.5, 0.1, 4.35, 1e21, 1e-7, 1e19, 2 ** 53, -6, 91, 181]

const scalars: Arbitrary<unknown> = fc.oneof(
  { weight: 9, arbitrary: fc.constantFrom(...strings, ...numbers, ...addresses, ...dates, ...special) },
  { weight: 1, arbitrary: fc.constantFrom(...relatedIds) },
  { weight: 1, arbitrary: fc.string({ unit: fc.constantFrom(...signs), maxLength: 8 }) },
  { weight: 4, arbitrary: fc.constantFrom<unknown>(...others) },
)

// A list written into an element of a list is read again by single fields of the family, which empties them.
const elements = scalars.filter((value) => !(typeof value === 'string' && value.includes('[')))

/** Anything that JSON can say, small. */
export const livingValues: Arbitrary<unknown> = fc.oneof(
  { weight: 6, arbitrary: scalars },
  { weight: 2, arbitrary: fc.array(elements, { maxLength: 4 }) },
  {
    weight: 2,
    arbitrary: fc.dictionary(fc.constantFrom('lon', 'lat', 'LON', 'a', ''), scalars, { maxKeys: 3 }),
  },
  {
    weight: 1,
    arbitrary: fc.array(fc.oneof(elements, fc.array(elements, { maxLength: 2 })), { maxLength: 2 }),
  },
)
