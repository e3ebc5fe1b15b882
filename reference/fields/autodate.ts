/**
 * The field type `autodate` (contract-records 3.1).
 *
 * @module
 */

import { toText } from './cast.ts'
import { textColumn } from './columns.ts'
import { dateForm } from './date.ts'
import { fieldError } from './field-error.ts'
import type { FieldKind } from './kind.ts'

const neither = fieldError('validation_required', 'Either onCreate or onUpdate must be enabled.')

/** Set by the server when a record is saved, whatever the client sends: see `stampDates`. */
export const autodateKind: FieldKind<'autodate'> = {
  defaults: { onCreate: false, onUpdate: false },
  column: textColumn,
  inspect: ({ onCreate, onUpdate }) => (onCreate || onUpdate ? {} : { onCreate: neither, onUpdate: neither }),
  bind: () => ({
    zero: '',
    accept: toText,
    modifiers: {},
    check: () => undefined,
    render: toText,
  }),
  invent: () => undefined,
  form: dateForm,
  infers: () => false,
  control: () => undefined,
}
