import type { DateDefinition } from '../../spec/table-definition.ts'
import { toText } from './cast.ts'
import { readDate } from './date-input.ts'
import { fieldError, required } from './field-error.ts'
import type { FieldKind } from './kind.ts'

/** A moment in UTC as `YYYY-MM-DD HH:MM:SS.mmmZ`. What is no date becomes empty; the bounds belong to the range. */
export const dateKind: FieldKind<DateDefinition> = {
  type: 'date',
  defaults: { help: '', required: false, min: '', max: '' },
  multiple: () => false,
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
}

function spelled(date: string): string {
  return `${shortFraction(date)} +0000 UTC`
}

function standard(date: string): string {
  return `${shortFraction(date).replace(' ', 'T')}Z`
}

/** Without the zone, and without a fraction that is nothing. */
function shortFraction(date: string): string {
  return date.slice(0, -1).replace(/\.0+$|(?<=\.\d+?)0+$/, '')
}
