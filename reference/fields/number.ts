/**
 * The field type `number` (contract-records 3.2), with the modifiers `+` and `-` (3.7).
 *
 * @module
 */

import type { Faker } from '@faker-js/faker'
import type { FieldError, Value } from '../vocabulary.ts'
import { decimalText, toNumber } from './cast.ts'
import { numberColumn } from './columns.ts'
import { fieldError, required } from './field-error.ts'
import type { FieldKind } from './kind.ts'
import { isScalar } from './value-form.ts'

const notANumber = fieldError('validation_not_a_number', 'The submitted number is not properly formatted.')
const onlyInt = fieldError('validation_only_int_constraint', 'Decimal numbers are not allowed.')

/** Zero means "no number": only `required` rejects it, so `min: 5` accepts 0 (contract-records 3.2). */
export const numberKind: FieldKind<'number'> = {
  defaults: { help: '', required: false, min: null, max: null, onlyInt: false },
  column: numberColumn,
  inspect({ min, max, onlyInt: whole }) {
    if (whole && min !== null && !Number.isInteger(min)) return { min: onlyInt }
    if (whole && max !== null && !Number.isInteger(max)) return { max: onlyInt }
    if (min === null || max === null || max >= min) return {}
    return { max: belowMin(min) }
  },
  bind({ definition: { min, max, onlyInt: whole, required: mandatory } }) {
    return {
      zero: 0,
      // Adding zero turns -0, which JSON text cannot represent, into 0.
      accept: (input) => toNumber(input) + 0,
      modifiers: {
        append: (base, input) => numberOf(base) + toNumber(input),
        remove: (base, input) => numberOf(base) - toNumber(input),
      },
      check(value) {
        const number = numberOf(value)
        if (!Number.isFinite(number)) return notANumber
        if (number === 0) return mandatory ? required : undefined
        if (whole && !isWhole(number)) return onlyInt
        if (min !== null && number < min) return belowMin(min)
        if (max !== null && number > max) {
          return fieldError(
            'validation_max_number_constraint',
            `Must be less or equal than ${decimalText(max)}.`,
            { max },
          )
        }
        return undefined
      },
      render: numberOf,
    }
  },
  invent({ definition }, { faker, place }) {
    const least = definition.min ?? Math.min(definition.onlyInt ? 1 : 0.5, definition.max ?? 1)
    const most = definition.max ?? Math.max(least, 0) + 1000
    for (let attempt = 0; attempt < 100; attempt++) {
      const number = definition.onlyInt
        ? faker.number.int({ min: Math.ceil(least), max: Math.floor(most) })
        : inventFraction(least, most, faker)
      if (number !== 0 || !definition.required) return number
    }
    throw new Error(
      `No number but 0 was found for ${place} from ${least} to ${most}. Set the value yourself.`,
    )
  },
  form: {
    name: 'a number',
    fits: (value) =>
      isScalar(value) &&
      (toNumber(value) !== 0 || Number(value) === 0) &&
      String(value).trim() === String(value),
  },
  infers: (value) => typeof value === 'number',
  control: () => ({ as: 'number' }),
}

/** An integer of at most 64 bits, as the living family checks it. */
function isWhole(number: number): boolean {
  return Number.isInteger(number) && number >= -(2 ** 63) && number < 2 ** 63
}

function belowMin(min: number): FieldError {
  return fieldError(
    'validation_min_number_constraint',
    `Must be greater or equal than ${decimalText(min)}.`,
    { min },
  )
}

function numberOf(value: Value): number {
  return typeof value === 'number' ? value : 0
}

/** A number with two decimals, if one is within the bounds. */
function inventFraction(least: number, most: number, faker: Faker): number {
  const drawn = faker.number.float({ min: least, max: most })
  const rounded = Math.round(drawn * 100) / 100
  return rounded !== 0 && rounded >= least && rounded <= most ? rounded : drawn
}
