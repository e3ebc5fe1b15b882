/**
 * The flow of a definition, from JSON to a `Table`: names, fields, indexes, sign-in options.
 *
 * @module
 */

import type { TableDefinition } from '../../spec/table-definition.ts'
import { bodyKeys } from '../fields/body-keys.ts'
import { fieldError } from '../fields/field-error.ts'
import type { Field, FieldOutline, Table, UniqueIndex } from '../vocabulary.ts'
import { completeAuthOptions, inspectAuthOptions } from './auth-options.ts'
import { DefinitionError, type Problems } from './definition-error.ts'
import { inspectTableName } from './inspect-table-name.ts'
import { bindFields, makeFields } from './make-fields.ts'
import { hasSingleUnique, type Indexes, makeIndexes } from './make-indexes.ts'
import { tableId } from './table-id.ts'
import { valueIndexes } from './value-indexes.ts'

const unsupportedView = fieldError(
  'validation_in_invalid',
  'View tables are not supported here, only "base" and "auth". Leave the definition out.',
)
const unknownType = fieldError('validation_in_invalid', 'Must be a valid value: "base" or "auth".')

/**
 * Compiles a table from its definition: fills in every option, adds the system fields and the indexes that they need,
 * and validates everything (contract-records 9). Rules are kept as text.
 *
 * @param allDefinitions the definitions of all tables, this one included: relations may refer to any of them
 * @throws DefinitionError with all problems
 */
export function compileTable(definition: TableDefinition, allDefinitions: readonly TableDefinition[]): Table {
  const type = definition.type ?? 'base'
  if (type !== 'base' && type !== 'auth') {
    throw new DefinitionError(definition, { type: type === 'view' ? unsupportedView : unknownType })
  }
  const problems: Problems = {}
  const identified = { ...definition, type, id: definition.id || tableId(type, definition.name) }
  const others = allDefinitions
    .filter((other) => other !== definition)
    .map((other) => ({ ...other, id: other.id || tableId(other.type ?? 'base', other.name) }))
  Object.assign(problems, inspectTableName(identified, others))
  const names = new Map([identified, ...others].map(({ id, name }) => [id, name]))
  const fields = makeFields(identified, names, problems)
  const { statements, unique, declared } = makeIndexes(identified, fields, others, problems)
  const authOptions = type === 'auth' ? completeAuthOptions(identified) : {}
  if (type === 'auth') Object.assign(problems, inspectAuthOptions(authOptions, uniqueness(fields, unique)))
  if (Object.keys(problems).length > 0) throw new DefinitionError(definition, problems)
  return makeTable(
    {
      ...identified,
      system: definition.system ?? false,
      listRule: definition.listRule ?? null,
      viewRule: definition.viewRule ?? null,
      createRule: definition.createRule ?? null,
      updateRule: definition.updateRule ?? null,
      deleteRule: definition.deleteRule ?? null,
      ...authOptions,
      fields: fields.map((field) => field.definition),
      indexes: statements,
    },
    bindFields(fields),
    { unique, declared },
  )
}

/** Whether a field has a unique index of its own; undefined if the field does not exist. */
function uniqueness(fields: readonly FieldOutline[], indexes: readonly UniqueIndex[]) {
  return (name: string): boolean | undefined =>
    fields.some((field) => field.name === name) ? hasSingleUnique(indexes, name) : undefined
}

function makeTable(
  definition: TableDefinition & { id: string; type: 'base' | 'auth'; system: boolean },
  fields: readonly Field[],
  { unique, declared }: Pick<Indexes, 'unique' | 'declared'>,
): Table {
  const byName = new Map(fields.map((field) => [field.name, field]))
  return {
    id: definition.id,
    name: definition.name,
    type: definition.type,
    system: definition.system,
    definition,
    fields,
    zero: Object.freeze(Object.fromEntries(fields.map(({ name, zero }) => [name, zero]))),
    bodyKeys: bodyKeys(fields),
    uniqueIndexes: unique,
    valueIndexes: valueIndexes(declared, (name) => byName.get(name)),
    field: (name) => byName.get(name),
    rule: (name) => definition[name] ?? null,
  }
}
