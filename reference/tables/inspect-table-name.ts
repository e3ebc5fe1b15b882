/**
 * Which names and ids tables and fields may have (contract-records 9.1, section 3).
 *
 * @module
 */

import type { FieldDefinition, TableDefinition } from '../../spec/table-definition.ts'
import { fieldError, malformed, notAllowed, required } from '../fields/field-error.ts'
import type { FieldError } from '../vocabulary.ts'
import type { Problems } from './definition-error.ts'

const via = fieldError('validation_found_via', 'The value cannot contain "_via_".')
const reserved = fieldError(
  'validation_reserved_field_name',
  'The field name is reserved and cannot be used.',
)
const takenName = fieldError(
  'validation_collection_name_exists',
  'Collection name must be unique (case insensitive).',
)
const takenId = fieldError('validation_invalid_or_existing_id', 'The model id is invalid or already exists.')
const nameIsId = fieldError(
  'validation_collection_name_id_duplicate',
  'The name must not match an existing collection id.',
)

const impossibleFieldNames = new Set([
  'null',
  'true',
  'false',
  '_rowid_',
  'collectionId',
  'collectionName',
  'expand',
  // Setting this key of an object sets no property.
  '__proto__',
])
/** Keys of a body for an auth table that are not fields. */
export const authFormNames: ReadonlySet<string> = new Set(['passwordConfirm', 'oldPassword'])

/** Checks the names and ids of a table against the other tables. */
export function inspectTableName(definition: TableDefinition, others: readonly TableDefinition[]): Problems {
  const { id = '', name } = definition
  const problems: Problems = {}
  const nameProblem = wordProblem(name, 255) ?? clashingName(name, others)
  if (nameProblem) problems.name = nameProblem
  const idProblem =
    wordProblem(id, 100, false) ?? (others.some((other) => other.id === id) ? takenId : undefined)
  if (idProblem) problems.id = idProblem
  return problems
}

/** Checks the name of a field against those before it. */
export function fieldNameProblem(
  { name, type }: FieldDefinition,
  before: readonly string[],
  isAuth: boolean,
): FieldError | undefined {
  const problem = wordProblem(name, 100)
  if (problem) return problem
  if (impossibleFieldNames.has(name)) return notAllowed
  if (isAuth && authFormNames.has(name)) return reserved
  if (name === 'id' && type !== 'text') return duplicateName(name)
  return before.some((other) => other.toLowerCase() === name.toLowerCase()) ? duplicateName(name) : undefined
}

function clashingName(name: string, others: readonly TableDefinition[]): FieldError | undefined {
  if (others.some((other) => other.name.toLowerCase() === name.toLowerCase())) return takenName
  return others.some((other) => other.id === name) ? nameIsId : undefined
}

function wordProblem(word: string, longest: number, isName = true): FieldError | undefined {
  if (!word) return required
  if (word.length > longest) {
    return fieldError('validation_length_out_of_range', `The length must be between 1 and ${longest}.`, {
      min: 1,
      max: longest,
    })
  }
  if (!/^\w+$/.test(word)) return malformed
  return isName && word.toLowerCase().includes('_via_') ? via : undefined
}

function duplicateName(fieldName: string): FieldError {
  return fieldError('validation_duplicated_field_name', `Duplicated or invalid field name ${fieldName}.`, {
    fieldName,
  })
}
