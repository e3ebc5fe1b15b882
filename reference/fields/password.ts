/**
 * The field type `password` (contract-records 3.2).
 *
 * @module
 */

import type { FieldCheckContext } from '../vocabulary.ts'
import { runeCount, toText } from './cast.ts'
import { textColumn } from './columns.ts'
import { compileGenerator } from './compile-generator.ts'
import { fieldError, invalidFormat, required } from './field-error.ts'
import type { FieldKind } from './kind.ts'
import { above, below, invalidPattern, negative } from './option-error.ts'
import { compilePattern } from './pattern.ts'
import { textForm } from './value-form.ts'

const longest = 71
/** Longest input of the living family's hash, which rejects longer ones. */
const mostBytes = 72
const notHashable = fieldError('validation_invalid_value', 'Invalid value.')
/** The password of every generated account, if the field accepts it. */
const usualPassword = 'password1234'

/**
 * Contains the plain text until the record is saved, then a hash. Validation checks plain text only: a value equal to
 * the stored one is an unchanged hash. It is never part of a response.
 */
export const passwordKind: FieldKind<'password'> = {
  defaults: { help: '', required: false, min: 0, max: 0, pattern: '', cost: 0 },
  column: { ...textColumn, secret: true },
  inspect({ min, max, cost, pattern }) {
    return {
      ...invalidPattern(pattern),
      ...(min > longest && { min: above(longest) }),
      ...(max !== 0 && max < min && { max: below(min) }),
      ...(max > longest && { max: above(longest) }),
      ...(cost !== 0 && cost < 4 && { cost: below(4) }),
      ...(cost > 31 && { cost: above(31) }),
      ...negative({ min, max }),
    }
  },
  bind({ name, definition }) {
    const max = definition.max || longest
    const pattern = definition.pattern === '' ? undefined : compilePattern(definition.pattern)
    return {
      zero: '',
      accept: toText,
      modifiers: {},
      check(value, { stored }) {
        const text = toText(value)
        if (text === '') return definition.required ? required : undefined
        if (stored && stored[name] === text) return undefined
        if (isTooLongToHash(text)) return notHashable
        const length = runeCount(text)
        if (length < definition.min) {
          return fieldError(
            'validation_min_text_constraint',
            `Must be at least ${definition.min} character(s).`,
          )
        }
        if (length > max) {
          return fieldError('validation_max_text_constraint', `Must be less than ${max} character(s).`)
        }
        return pattern && !pattern.test(text) ? invalidFormat : undefined
      },
      render: () => '',
    }
  },
  invent(field, { environment, place }) {
    const { pattern, min, max } = field.definition
    const fits = (text: string) => field.check(text, {} as FieldCheckContext) === undefined
    const usual = max === 0 ? usualPassword : usualPassword.slice(0, max)
    const long = usual.padEnd(min, '0')
    if (fits(long)) return long
    const generate = compileGenerator(pattern || '[a-z0-9]+', Math.max(8, min))
    for (let attempt = 0; attempt < 200; attempt++) {
      const text = generate(environment)
      if (fits(text)) return text
    }
    throw new Error(`No password was found for ${place} with pattern "${pattern}". Set the value yourself.`)
  },
  form: textForm,
  infers: () => false,
  control: () => ({ as: 'password' }),
}

/** More than 72 bytes in UTF-8, whatever the number of characters (contract-records 3.2). */
export function isTooLongToHash(password: string): boolean {
  return Buffer.byteLength(password) > mostBytes
}
