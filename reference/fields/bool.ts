/**
 * The field type `bool` (contract-records 3.2).
 *
 * @module
 */

import { toBool } from './cast.ts'
import { textColumn } from './columns.ts'
import { required } from './field-error.ts'
import type { FieldKind } from './kind.ts'
import { isScalar } from './value-form.ts'

/** For a bool, `required` means that it must be true. */
export const boolKind: FieldKind<'bool'> = {
  defaults: { help: '', required: false },
  column: { ...textColumn, affinity: 'number' },
  inspect: () => ({}),
  bind: ({ definition }) => ({
    zero: false,
    accept: toBool,
    modifiers: {},
    check: (value) => (definition.required && value !== true ? required : undefined),
    render: (value) => value === true,
  }),
  invent: ({ definition }, { faker }) => definition.required || faker.datatype.boolean(),
  form: {
    name: 'true or false',
    fits: (value) => isScalar(value) && /^(?:true|false|t|f|1|0)$/i.test(String(value)),
  },
  infers: (value) => typeof value === 'boolean',
  control: () => ({ as: 'checkbox' }),
}
