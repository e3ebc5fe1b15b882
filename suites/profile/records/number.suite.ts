/** The number and bool fields (standard profile, gap `fields.types`). */

import { check } from '../../../harness/check.ts'
import { expectCasts } from './casts.ts'
import { expectRejected } from './expect-rejected.ts'

check('number.casts', (context) =>
  expectCasts(context, 'number', [
    [5, 5],
    [-0.25, -0.25],
    ['5', 5],
    ['5.50', 5.5],
    ['1e3', 1000],
    [true, 1],
    [false, 0],
    ['', 0],
    [' 5 ', 0],
    ['0x10', 0],
    ['abc', 0],
    [[1], 0],
    [{ a: 1 }, 0],
    [null, 0],
  ]),
)

check('number.not-finite', (context) =>
  expectRejected(context, {
    role: 'everything',
    field: 'number',
    accepted: ['1'],
    rejected: ['NaN', 'Inf'],
    code: 'validation_not_a_number',
  }),
)

check('number.only-int', (context) =>
  expectRejected(context, {
    role: 'constrained',
    field: 'whole',
    accepted: [-7, 12, 3],
    rejected: [1.5, -0.25, '2.5'],
    code: 'validation_only_int_constraint',
  }),
)

check('number.min', (context) =>
  expectRejected(context, {
    role: 'constrained',
    field: 'range',
    accepted: [-5],
    rejected: [-5.001, -6],
    code: 'validation_min_number_constraint',
  }),
)

check('number.max', (context) =>
  expectRejected(context, {
    role: 'constrained',
    field: 'range',
    accepted: [10],
    rejected: [10.001, 11],
    code: 'validation_max_number_constraint',
  }),
)

check('bool.casts', (context) =>
  expectCasts(context, 'bool', [
    ...[true, 1, -2.5, '1', 't', 'T', 'true', 'TRUE', 'True'].map((sent) => [sent, true] as const),
    ...[false, 0, '0', 'f', 'false', 'FALSE', 'yes', 'on', '', null, [true], { a: true }].map(
      (sent) => [sent, false] as const,
    ),
  ]),
)
