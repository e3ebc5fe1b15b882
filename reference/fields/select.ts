import type { SelectDefinition } from '../../spec/table-definition.ts'
import { toTextList } from './cast.ts'
import { fieldError, required, shortened } from './field-error.ts'
import type { FieldKind } from './kind.ts'
import { listField } from './list-field.ts'
import { above, negative } from './option-error.ts'

/** One or several of a closed set of texts. */
export const selectKind: FieldKind<SelectDefinition> = {
  type: 'select',
  defaults: { help: '', required: false, values: [], maxSelect: 0 },
  multiple: ({ maxSelect = 0 }) => maxSelect > 1,
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
        const bad = shortened(unknown)
        return fieldError('validation_invalid_value', sentence(`Invalid value ${bad}`), { value: bad })
      },
    }
  },
}

/** A full stop behind it, unless the value brought a mark of its own. */
function sentence(text: string): string {
  const bare = text.trim()
  return /[.!?]$/.test(bare) ? bare : `${bare}.`
}
