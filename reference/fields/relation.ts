/**
 * The field type `relation` (contract-records 3.4). What a delete does to it is in `records/remove-record.ts`.
 *
 * @module
 */

import { listColumn } from './columns.ts'
import { fieldError, required } from './field-error.ts'
import type { FieldKind } from './kind.ts'
import { listField, stringsOf } from './list-field.ts'
import { below, negative } from './option-error.ts'
import { listForm } from './value-form.ts'

const missingTable = fieldError(
  'validation_missing_rel_collection',
  'Relation connection is missing or cannot be accessed.',
)
const missingRecords = fieldError(
  'validation_missing_rel_records',
  'Failed to find all relation records with the provided ids.',
)

/** Ids of records of another table. They must exist, but the client need not be allowed to view them. */
export const relationKind: FieldKind<'relation'> = {
  defaults: { help: '', required: false, collectionId: '', cascadeDelete: false, minSelect: 0, maxSelect: 0 },
  column: listColumn,
  inspect({ collectionId, minSelect, maxSelect }) {
    return {
      ...(collectionId === '' && { collectionId: required }),
      ...(minSelect > 0 && maxSelect === 0 && { maxSelect: required }),
      ...(maxSelect !== 0 && maxSelect < minSelect && { maxSelect: below(minSelect) }),
      ...negative({ minSelect }),
    }
  },
  bind(field) {
    const { definition } = field
    const { minSelect } = definition
    const maxSelect = Math.max(definition.maxSelect, 1)
    return {
      ...listField(field.multiple),
      check(value, { reader }) {
        const ids = stringsOf(value)
        if (ids.length === 0) return definition.required ? required : undefined
        if (ids.length < minSelect) {
          return fieldError('validation_not_enough_values', `Select at least ${minSelect}.`, { minSelect })
        }
        if (ids.length > maxSelect) {
          return fieldError('validation_too_many_values', `Select no more than ${maxSelect}.`, { maxSelect })
        }
        const target = reader.table(definition.collectionId)
        if (!target) return missingTable
        return ids.every((id) => reader.get(target, id)) ? undefined : missingRecords
      },
    }
  },
  // The factory uses existing records or creates them.
  invent: () => undefined,
  form: {
    ...listForm,
    name: 'an id or a record, or an array of them',
    overHttp: 'an id, or an array of ids',
  },
  // The type is inferred from the ids of other tables.
  infers: () => false,
  control: () => ({ as: 'records' }),
}
