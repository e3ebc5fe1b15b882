import { placeInTable } from '../../spec/check-table.ts'
import { type FieldType, fieldTypes } from '../../spec/field-types.ts'
import { inWords } from '../../spec/in-words.ts'
import type { FieldDefinition, TableDefinition } from '../../spec/table-definition.ts'
import { authOptionNames, commonFieldOptions, unknownKeys } from '../../spec/table-schema.ts'

/** What an option without effect means. */
interface UnusedOptions {
  /** Known elsewhere, and no export of the living family has them: mistakes. */
  misplaced: string[]
  /** Known nowhere: newer servers of the living family may export them. */
  foreign: string[]
}

/** A line for each option that the definition has in vain. Those that are null or false, and would not do anything, count as absent. */
export function unusedOptions(definition: TableDefinition, at: number): UnusedOptions {
  const line = (path: readonly string[], hint: string) =>
    `${placeInTable(definition, at, path)} has no effect: ${hint}`
  const fields = (definition.fields ?? []).map((field, position) => ({
    field,
    path: ['fields', `${position}`],
  }))
  const misplaced = fields.flatMap(({ field, path }) => [
    ...ofOtherTypes(field).map(([name, types]) => line([...path, name], `${types} have it.`)),
    ...(isSet(field, 'unique') ? [line([...path, 'unique'], uniqueIndex(definition, field))] : []),
  ])
  if ((definition.type ?? 'base') === 'base')
    for (const name of authOptionNames)
      if (isSet(definition, name)) misplaced.push(line([name], 'only auth tables have it.'))
  const foreign = unknownKeys(definition)
    .filter(({ path }) => !(path.length === 3 && path[2] === 'unique'))
    .map(({ path }) => line(path, 'it is not an option here.'))
  return { misplaced, foreign }
}

function isSet(given: object, name: string): boolean {
  const value: unknown = (given as Readonly<Record<string, unknown>>)[name]
  return value !== undefined && value !== null && value !== false
}

/** The options of a field that only other types have, with these types. */
function ofOtherTypes(field: FieldDefinition): [name: string, types: string][] {
  if (!Object.hasOwn(fieldTypes, field.type)) return []
  const own = [...commonFieldOptions, ...Object.keys(fieldTypes[field.type].options)]
  return Object.keys(field).flatMap((name): [string, string][] => {
    const types = (Object.keys(fieldTypes) as FieldType[]).filter((type) => name in fieldTypes[type].options)
    if (types.length === 0 || own.includes(name) || !isSet(field, name)) return []
    return [[name, `only fields of type ${inWords(types)}`]]
  })
}

function uniqueIndex({ name: table }: TableDefinition, { name }: FieldDefinition): string {
  return `use indexes: ['CREATE UNIQUE INDEX idx_${table}_${name} ON ${table} (${name})'].`
}
