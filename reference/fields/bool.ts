import type { BoolDefinition } from '../../spec/table-definition.ts'
import { toBool } from './cast.ts'
import { required } from './field-error.ts'
import type { FieldKind } from './kind.ts'

/** Required means: must be true. */
export const boolKind: FieldKind<BoolDefinition> = {
  type: 'bool',
  defaults: { help: '', required: false },
  multiple: () => false,
  inspect: () => ({}),
  bind: ({ definition }) => ({
    zero: false,
    accept: toBool,
    modifiers: {},
    check: (value) => (definition.required && value !== true ? required : undefined),
    render: (value) => value === true,
  }),
}
