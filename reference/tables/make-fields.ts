/**
 * The fields of a definition: completed and checked first, then given the behavior of their types.
 *
 * @module
 */

import { didYouMean, nearest, quoted } from '../../spec/nearest.ts'
import type { FieldDefinition, TableDefinition } from '../../spec/table-definition.ts'
import { fieldError, required } from '../fields/field-error.ts'
import { fieldKind, fieldKinds } from '../fields/registry.ts'
import type { Field, FieldError, FieldOutline } from '../vocabulary.ts'
import type { Problems } from './definition-error.ts'
import { fieldNameProblem } from './inspect-table-name.ts'
import { type PlacedField, withSystemFields } from './system-fields.ts'
import { fieldId } from './table-id.ts'

const longestHelp = 300

/**
 * The fields of a table, system fields included, every option filled in. `bindFields` makes them ready for use.
 *
 * @param tableNames of all tables, by id
 * @param problems receives the errors, under the field's place in the definition
 */
export function makeFields(
  definition: TableDefinition,
  tableNames: ReadonlyMap<string, string>,
  problems: Problems,
): FieldOutline[] {
  const fields: FieldOutline[] = []
  const ids = new Set<string>()
  for (const placed of withSystemFields(definition)) {
    const path = `fields.${placed.place ?? placed.definition.name}`
    if (!Object.hasOwn(fieldKinds, placed.definition.type)) {
      problems[`${path}.type`] = fieldError('validation_in_invalid', unknownType(placed.definition.type))
      continue
    }
    const field = makeField(withTargetId(placed, tableNames), ids)
    inspectField(field, path, { fields, isAuth: definition.type === 'auth', tableNames }, problems)
    fields.push(field)
  }
  return fields
}

/** A relation may name its table by id, as in the living family, or by name. The compiled field has the id. */
function withTargetId(placed: PlacedField, tableNames: ReadonlyMap<string, string>): PlacedField {
  const { definition } = placed
  if (definition.type !== 'relation' || tableNames.has(definition.collectionId)) return placed
  const [id] = [...tableNames].find(([, name]) => name === definition.collectionId) ?? []
  return id === undefined ? placed : { ...placed, definition: { ...definition, collectionId: id } }
}

function unknownType(type: string | undefined): string {
  const known = Object.keys(fieldKinds)
  const fact = type === undefined ? 'The field has no type.' : `There is no field type "${type}".`
  return `${fact}${type === undefined ? '' : didYouMean(type, known)} The types are ${known.join(', ')}.`
}

/** @param fields without errors: patterns in them are compiled */
export function bindFields(fields: readonly FieldOutline[]): Field[] {
  return fields.map((field) => ({ ...field, ...fieldKind(field.type).bind(field) }))
}

function makeField({ definition }: PlacedField, ids: Set<string>): FieldOutline {
  const kind = fieldKind(definition.type)
  const given = Object.fromEntries(Object.entries(definition).filter(([, value]) => value !== undefined))
  const complete = {
    system: false,
    hidden: false,
    presentable: false,
    ...kind.defaults,
    ...given,
    id: uniqueId(definition.id || fieldId(definition.type, definition.name ?? ''), ids),
    name: definition.name ?? '',
  } as FieldOutline['definition']
  return {
    name: complete.name,
    type: definition.type,
    hidden: complete.hidden === true,
    definition: complete,
    multiple: kind.column.list && holdsSeveral(definition),
    column: kind.column,
  }
}

function holdsSeveral(definition: FieldDefinition): boolean {
  return 'maxSelect' in definition && (definition.maxSelect ?? 0) > 1
}

/** A duplicate id is not an error: the second field gets a free one. */
function uniqueId(wanted: string, ids: Set<string>): string {
  let id = wanted
  for (let count = 2; ids.has(id); count += 1) id = `${wanted}_${count}`
  ids.add(id)
  return id
}

interface Surroundings {
  fields: readonly FieldOutline[]
  isAuth: boolean
  tableNames: ReadonlyMap<string, string>
}

function inspectField(field: FieldOutline, path: string, around: Surroundings, problems: Problems): void {
  const definition = field.definition as FieldDefinition
  const before = around.fields.map(({ name }) => name)
  const nameProblem = fieldNameProblem(definition, before, around.isAuth)
  if (nameProblem) problems[`${path}.name`] = nameProblem
  if ((definition.help ?? '').length > longestHelp) {
    problems[`${path}.help`] = fieldError(
      'validation_length_out_of_range',
      `The length must be between 1 and ${longestHelp}.`,
      {
        min: 1,
        max: longestHelp,
      },
    )
  }
  for (const [option, problem] of Object.entries(fieldKind(field.type).inspect(field.definition))) {
    if (problem) problems[`${path}.${option}`] = problem
  }
  if (definition.type === 'text' && definition.primaryKey && field.name !== 'id') {
    problems[`${path}.primaryKey`] = fieldError(
      'validation_unsupported_composite_pk',
      'Composite PKs are not supported and the collection must have only 1 PK.',
    )
  }
  if (field.name === 'id' && definition.type === 'text' && !definition.pattern)
    problems[`${path}.pattern`] = required
  if (definition.type !== 'relation' || !definition.collectionId) return
  const { collectionId } = definition
  if (!around.tableNames.has(collectionId))
    problems[`${path}.collectionId`] = missingTable(collectionId, around.tableNames)
}

function missingTable(given: string, tableNames: ReadonlyMap<string, string>): FieldError {
  const near = nearest(given, [...tableNames.values(), ...tableNames.keys()])
  const [id, name] = [...tableNames].find(([id, name]) => id === near || name === near) ?? []
  const hint = id === undefined ? '' : ` Did you mean the table "${name}"? Its id is "${id}".`
  return fieldError(
    'validation_field_relation_missing_collection',
    `The relation collection doesn't exist. No table has the id or name ${quoted(given)}.${hint}`,
  )
}
