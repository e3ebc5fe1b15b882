/**
 * The field type `select` (contract-records 3.2, 3.4).
 *
 * @module
 */

import { toTextList } from './cast.ts'
import { listColumn } from './columns.ts'
import { fieldError, required, shortenedValue } from './field-error.ts'
import type { FieldKind } from './kind.ts'
import { listField } from './list-field.ts'
import { above, negative } from './option-error.ts'
import { listForm } from './value-form.ts'

/** One or several values of a fixed set of strings. */
export const selectKind: FieldKind<'select'> = {
  defaults: { help: '', required: false, values: [], maxSelect: 0 },
  column: listColumn,
  inspect({ values, maxSelect }) {
    if (values.length === 0) return { values: required }
    return {
      ...(maxSelect > values.length && { maxSelect: above(values.length) }),
      ...negative({ maxSelect }),
    }
  },
  bind(field) {
    const { definition } = field
    const known = new Set(definition.values)
    const maxSelect = Math.max(definition.maxSelect, 1)
    return {
      ...listField(field.multiple),
      check(value) {
        const chosen = toTextList(value)
        if (chosen.length === 0) return definition.required ? required : undefined
        if (chosen.length > maxSelect) {
          return fieldError('validation_too_many_values', `Select no more than ${maxSelect}.`, { maxSelect })
        }
        const unknown = chosen.find((one) => !known.has(one))
        if (unknown === undefined) return undefined
        const bad = shortenedValue(unknown)
        return fieldError('validation_invalid_value', sentence(`Invalid value ${bad}`), { value: bad })
      },
    }
  },
  invent({ definition: { values, maxSelect }, multiple }, { faker }) {
    if (!multiple) return faker.helpers.arrayElement(values)
    return faker.helpers.arrayElements(values, { min: 1, max: Math.min(maxSelect, values.length) })
  },
  form: listForm,
  infers: () => false,
  control: () => ({ as: 'choice' }),
}

/** Ends the message with a full stop, unless the value ends with a punctuation mark. */
function sentence(text: string): string {
  const bare = text.trim()
  return /[.!?]$/.test(bare) ? bare : `${bare}.`
}
