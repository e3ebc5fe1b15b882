/** Times of records: their form is stated, how fine the clock is is not (2.1). */

import { all } from '../faults/combinators/combinators.ts'
import { showsAs } from './combinators/responses.ts'
import { variation, variationsOf } from './variation.ts'

variationsOf('times')

const near = [
  'record.created',
  'record.created-utc',
  'record.created-fixed',
  'record.updated',
  'record.updated-utc',
  'record.updated-after-created',
  'record.updated-moves',
] as const

/** A clock of another grain. */
const showsTimes = (cut: (time: string) => string) =>
  all(
    showsAs('created', (time) => cut(String(time))),
    showsAs('updated', (time) => cut(String(time))),
  )

variation(
  'the times of records are whole seconds',
  { because: '2.1 row created', near },
  showsTimes((time) => time.replace(/\.\d{3}/, '.000')),
)
variation(
  'the times of records are hundredths of a second',
  { because: '2.1 row created', near },
  showsTimes((time) => time.replace(/\dZ$/, '0Z')),
)
variation(
  'updated is a millisecond before created, as two readings of a clock can differ',
  { because: '2.1 row updated', near },
  showsAs('updated', (updated, { created }) =>
    updated === created ? new Date(Date.parse(String(created)) - 1).toISOString().replace('T', ' ') : updated,
  ),
)
