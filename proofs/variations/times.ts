/** Times of records: their form is stated, how fine the clock is is not (2.1). */

import { changeRecord } from '../faults/combinators/auth.ts'
import {
  all,
  type JsonValue,
  json,
  on,
  parsedBody,
  tamperHeaders,
  tamperRecord,
} from '../faults/combinators/combinators.ts'
import { fieldRejection, rejects } from '../faults/combinators/field.ts'
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

variation(
  'the Date header shows when the connection was opened',
  { because: '2.1 row created', near: ['record.created-utc', 'record.updated-utc'] },
  tamperHeaders('viewRecord', (headers) => headers.set('date', new Date(Date.now() - 600_000).toUTCString())),
)

variation(
  'a sign-in changes when its record was updated',
  {
    because: '2.1 row updated',
    near: [
      'record.created-fixed',
      'record.updated-after-created',
      'record.updated-moves',
      'update.changes-only-sent',
    ],
  },
  on('authWithPassword', async (request, next, { table = '' }, tools) => {
    const response = await next(request.clone())
    if (!response.ok) return response
    const body = (await response.json()) as JsonValue
    const record = body.record as JsonValue
    const update = await changeRecord(tools, request, table, record.id, {})
    const { updated } = (await update.json()) as JsonValue
    return json(200, { ...body, record: { ...record, updated } })
  }),
)

const TIMES = ['created', 'updated'] as const
const writes = ['createRecord', 'updateRecord'] as const
const asSent = ['record.created', 'record.updated', 'record.created-fixed', 'record.updated-moves'] as const

variation(
  'a client may set the times of its records',
  { because: '2.1 row created', near: asSent },
  (tools) => {
    const set = new Map<unknown, JsonValue>()
    const keep = on(writes, async (request, next) => {
      const sent = (await parsedBody(request)) ?? {}
      const times = Object.fromEntries(TIMES.flatMap((time) => (time in sent ? [[time, sent[time]]] : [])))
      // In any form that is a moment.
      const moments = Object.entries(times).map(([time, value]) => [time, new Date(String(value))] as const)
      if (moments.some(([, moment]) => Number.isNaN(moment.getTime()))) return fieldRejection(400)
      const response = await next(request)
      if (response.ok && moments.length > 0)
        set.set(
          ((await response.clone().json()) as JsonValue).id,
          Object.fromEntries(moments.map(([time, moment]) => [time, moment.toISOString().replace('T', ' ')])),
        )
      return response
    })
    const show = tamperRecord('*', (record) => ({ ...record, ...set.get(record.id) }))
    return all(show, keep)(tools)
  },
)
variation(
  'a write with the times of a record is rejected',
  { because: 'records.bodies', near: asSent },
  rejects(writes, (body) => TIMES.some((time) => time in body)),
)
