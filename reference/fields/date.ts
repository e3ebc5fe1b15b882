/**
 * The field type `date` (contract-records 3.2); `read-date.ts` has the forms that it accepts.
 *
 * @module
 */

import { toText } from './cast.ts'
import { textColumn } from './columns.ts'
import { fieldError, required } from './field-error.ts'
import type { FieldKind } from './kind.ts'
import { readDate } from './read-date.ts'
import { isScalar, type ValueForm } from './value-form.ts'

const year = 365 * 24 * 3600 * 1000
const instant = /^\d{4}-\d\d-\d\d([T ]\d\d:\d\d(:\d\d(\.\d+)?)?(Z|[+-]\d\d:?\d\d)?)?$/

export const dateForm: ValueForm = {
  name: 'a date such as "2030-01-31 12:00:00.000Z"',
  fits: (value) => value instanceof Date || (isScalar(value) && readDate(value) !== ''),
}

/** A time in UTC as `YYYY-MM-DD HH:MM:SS.mmmZ`. A value that is not a date becomes empty; the bounds are inclusive. */
export const dateKind: FieldKind<'date'> = {
  defaults: { help: '', required: false, min: '', max: '' },
  column: textColumn,
  inspect: () => ({}),
  bind({ definition }) {
    const min = readDate(definition.min)
    const max = readDate(definition.max)
    return {
      zero: '',
      accept: readDate,
      modifiers: {},
      check(value) {
        const text = toText(value)
        if (text === '') return definition.required ? required : undefined
        if (min !== '' && text < min) {
          return fieldError(
            'validation_min_greater_equal_than_required',
            `Must be no less than ${spelled(min)}.`,
            { threshold: standard(min) },
          )
        }
        if (max !== '' && text > max) {
          return fieldError(
            'validation_max_less_equal_than_required',
            `Must be no greater than ${spelled(max)}.`,
            { threshold: standard(max) },
          )
        }
        return undefined
      },
      render: toText,
    }
  },
  invent({ definition: { min, max } }, { faker, environment }) {
    const read = (text: string) => Date.parse(text.includes('T') ? text : text.replace(' ', 'T'))
    const now = environment.now()
    const most = max === '' ? (min === '' ? now : Math.max(now, read(min) + year)) : read(max)
    const least = min === '' ? Math.min(now, most) - year : read(min)
    return new Date(faker.number.int({ min: least, max: most })).toISOString()
  },
  form: dateForm,
  infers: (value) => typeof value === 'string' && instant.test(value) && !Number.isNaN(Date.parse(value)),
  control: () => ({ as: 'moment', hint: 'UTC' }),
}

function spelled(date: string): string {
  return `${shortFraction(date)} +0000 UTC`
}

function standard(date: string): string {
  return `${shortFraction(date).replace(' ', 'T')}Z`
}

/** Without the zone, and without a fraction of zero. */
function shortFraction(date: string): string {
  return date.slice(0, -1).replace(/\.0+$|(?<=\.\d+?)0+$/, '')
}
