/** The select, json and geoPoint fields (standard profile, gap `fields.types`). */

import { check } from '../../../harness/check.ts'
import { expectCasts } from './casts.ts'
import { expectRejected } from './expect-rejected.ts'

check('select.casts', (context) =>
  expectCasts(context, 'selects', [
    [
      ['c', 'a'],
      ['c', 'a'],
    ],
    [
      ['b', 'b', 'a', 'b'],
      ['b', 'a'],
    ],
    [
      ['a', '', null, 'c'],
      ['a', 'c'],
    ],
    ['d', ['d']],
    ['["e","a"]', ['e', 'a']],
    [[], []],
    [null, []],
    ['', []],
    [{ a: 1 }, []],
    [['a', ['b']], []],
    [['a', { b: 1 }], []],
  ]),
)

check('select.last-of-many', (context) =>
  expectCasts(context, 'select', [
    [['a', 'c'], 'c'],
    [['b'], 'b'],
    [[], ''],
  ]),
)

check('select.unknown-value', async (context) => {
  const code = 'validation_invalid_value'
  await expectRejected(context, {
    role: 'everything',
    field: 'select',
    accepted: ['a'],
    rejected: ['z', 'A', 'a,b'],
    code,
  })
  await expectRejected(context, {
    role: 'everything',
    field: 'selects',
    accepted: [['a', 'b']],
    rejected: [['a', 'z']],
    code,
  })
})

check('select.too-many', (context) =>
  expectRejected(context, {
    role: 'constrained',
    field: 'two',
    accepted: [
      ['a', 'b'],
      ['a', 'a', 'b'],
    ],
    rejected: [['a', 'b', 'c']],
    code: 'validation_too_many_values',
  }),
)

check('json.keeps', (context) =>
  expectCasts(
    context,
    'json',
    [{ b: [1, { c: null }], a: '"' }, [1, 'two', [3.5]], {}, [], 12, -0.5, true, false, null].map(
      (value) => [value, value] as const,
    ),
  ),
)

check('json.rereads-text', (context) =>
  expectCasts(context, 'json', [
    ['123', 123],
    ['-4.5', -4.5],
    ['true', true],
    ['null', null],
    ['"quoted"', 'quoted'],
    ['{"a":[1]}', { a: [1] }],
    ['[1,"b"]', [1, 'b']],
    ['plain text', 'plain text'],
    [' 1', ' 1'],
    ['{broken', '{broken'],
    ['12 apples', '12 apples'],
  ]),
)

check('json.max-size', (context) =>
  expectRejected(context, {
    role: 'constrained',
    field: 'small',
    // With its quotes and brackets the value takes 30 bytes as JSON, then 31.
    accepted: [['x'.repeat(26)]],
    rejected: [['x'.repeat(27)], { key: 'x'.repeat(40) }],
    code: 'validation_json_size_limit',
  }),
)

const zero = { lon: 0, lat: 0 }

check('geo.casts', (context) =>
  expectCasts(context, 'geo', [
    [
      { lon: 12.5, lat: -33.25 },
      { lon: 12.5, lat: -33.25 },
    ],
    [
      { lon: 180, lat: 90 },
      { lon: 180, lat: 90 },
    ],
    [{ lat: 7 }, { lon: 0, lat: 7 }],
    [
      { lon: 1, lat: 2, alt: 3 },
      { lon: 1, lat: 2 },
    ],
    ['{"lon":3,"lat":4}', { lon: 3, lat: 4 }],
    [null, zero],
    ['', zero],
    [{}, zero],
    [[1, 2], zero],
    ['bad', zero],
  ]),
)

check('geo.latitude', (context) =>
  expectRejected(context, {
    role: 'everything',
    field: 'geo',
    accepted: [
      { lon: 0, lat: 90 },
      { lon: 0, lat: -90 },
    ],
    rejected: [
      { lon: 0, lat: 90.1 },
      { lon: 200, lat: -91 },
    ],
    code: 'validation_invalid_latitude',
  }),
)

check('geo.longitude', (context) =>
  expectRejected(context, {
    role: 'everything',
    field: 'geo',
    accepted: [
      { lon: 180, lat: 1 },
      { lon: -180, lat: 1 },
    ],
    rejected: [
      { lon: 180.1, lat: 1 },
      { lon: -181, lat: 1 },
    ],
    code: 'validation_invalid_longitude',
  }),
)
