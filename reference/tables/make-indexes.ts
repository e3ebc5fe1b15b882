/**
 * The indexes of a definition, with those that every auth table has. `parse-index.ts` reads one statement.
 *
 * @module
 */

import type { TableDefinition } from '../../spec/table-definition.ts'
import { fieldError } from '../fields/field-error.ts'
import type { FieldOutline, UniqueIndex } from '../vocabulary.ts'
import type { Problems } from './definition-error.ts'
import { type ParsedIndex, parseIndex } from './parse-index.ts'

const nameTwice = fieldError('validation_duplicated_index_name', 'The index name already exists.')
const sameTwice = fieldError('validation_duplicated_index_definition', 'The index definition already exists.')
const nameElsewhere = fieldError(
  'validation_existing_index_name',
  'The index name is already used by another collection.',
)

export interface Indexes {
  /** All statements, including those that an auth table needs. */
  readonly statements: string[]
  readonly unique: UniqueIndex[]
  /** The indexes of the definition. */
  readonly declared: ParsedIndex[]
}

/** Fields of auth tables that need a unique index of their own, and the values that such an index leaves out. */
const authIndexes = { tokenKey: '', email: " WHERE `email` != ''" }

/**
 * Reads the indexes of a table.
 *
 * @param problems receives the errors, under `indexes.N`
 */
export function makeIndexes(
  definition: TableDefinition,
  fields: readonly FieldOutline[],
  others: readonly TableDefinition[],
  problems: Problems,
): Indexes {
  const columns = new Map(fields.map((field) => [field.name.toLowerCase(), field]))
  const columnOf = (name: string) => columns.get(name.toLowerCase())
  const statements = [...(definition.indexes ?? [])]
  const parsed: ParsedIndex[] = []
  for (const [at, statement] of statements.entries()) {
    try {
      const index = parseIndex(statement, columnOf)
      if (parsed.some(({ name }) => sameName(name, index.name))) problems[`indexes.${at}`] = nameTwice
      else if (parsed.some(({ fingerprint }) => fingerprint === index.fingerprint))
        problems[`indexes.${at}`] = sameTwice
      else if (isNameElsewhere(index.name, others)) problems[`indexes.${at}`] = nameElsewhere
      parsed.push(index)
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error)
      problems[`indexes.${at}`] = fieldError(
        'validation_invalid_index_expression',
        `Invalid CREATE INDEX expression "${statement}": ${reason}.`,
      )
    }
  }
  const declared = [...parsed]
  if (definition.type === 'auth') {
    for (const [field, where] of Object.entries(authIndexes)) {
      if (hasSingleUnique(parsed.filter(isUnique), field)) continue
      const name = `idx_${field}_${definition.id}`
      const statement = `CREATE UNIQUE INDEX \`${name}\` ON \`${definition.name}\` (\`${field}\`)${where}`
      statements.push(statement)
      parsed.push(parseIndex(statement, columnOf))
    }
  }
  return { statements, unique: parsed.filter(isUnique), declared }
}

/** Whether one of these unique indexes contains this column and no other. */
export function hasSingleUnique(indexes: readonly UniqueIndex[], field: string): boolean {
  return indexes.some(({ columns }) => columns.length === 1 && columns[0]?.field === field)
}

function isUnique(index: ParsedIndex): boolean {
  return index.unique
}

function isNameElsewhere(name: string, others: readonly TableDefinition[]): boolean {
  return others.some(({ indexes = [] }) => indexes.some((statement) => sameName(nameOf(statement), name)))
}

/** The name of the index that a statement creates; empty if it cannot be read. */
function nameOf(statement: string): string {
  const match = /\bINDEX\s+(?:IF\s+NOT\s+EXISTS\s+)?(?:[\w`"[\]]+\.)?[`"[]?(\w+)/i.exec(statement)
  return match?.[1] ?? ''
}

function sameName(a: string, b: string): boolean {
  return a.toLowerCase() === b.toLowerCase()
}
