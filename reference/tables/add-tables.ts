/**
 * The last step of definitions: into a store, once their rules compile on a trial copy of it.
 *
 * @module
 */

import type { TableDefinition } from '../../spec/table-definition.ts'
import { fieldError } from '../fields/field-error.ts'
import { QueryError } from '../query/query-error.ts'
import type { Store } from '../store/store.ts'
import type { Reader, Table } from '../vocabulary.ts'
import { compileTable } from './compile-table.ts'
import { DefinitionError, type Problems } from './definition-error.ts'
import { rulesOf } from './rules-of.ts'

/** Throws if a rule cannot be compiled. The reader sees all tables, including the new ones. */
export type CheckRule = (table: Table, text: string, reader: Reader) => void

/**
 * Adds tables to a store: all of them, or none. Existing system tables stay unchanged, so that a whole export of a
 * server can be added.
 *
 * @returns the tables that were added
 * @throws Error for a name that two of them have; DefinitionError for the first definition that has problems; its message has those of all definitions
 */
export function addTables(
  store: Store,
  definitions: readonly TableDefinition[],
  checkRule?: CheckRule,
): Table[] {
  rejectTwice(definitions)
  const present = [...store.current.tables()].map(({ definition }) => definition)
  const added = definitions.filter((definition) => !isSystemTableThere(definition, store.current))
  const all = [...present, ...added]
  const tables = eachUsable(added, (definition) => compileTable(definition, all))
  if (checkRule) {
    const trial = store.fork()
    trial.addTables(tables)
    eachUsable(tables, (table) => inspectRules(table, trial.current, checkRule))
  }
  store.addTables(tables)
  return tables
}

/** Each of the two would be reported as a clash with the other. @throws Error that names the table */
function rejectTwice(definitions: readonly TableDefinition[]): void {
  const names = new Set<string>()
  for (const { name } of definitions) {
    const same = name.toLowerCase()
    if (names.has(same))
      throw new Error(
        `Table "${name}" is defined twice. Remove one of the definitions, or give it another name.`,
      )
    names.add(same)
  }
}

/** @throws the first DefinitionError, with the messages of all */
function eachUsable<Given, Made>(given: readonly Given[], use: (one: Given) => Made): Made[] {
  const errors: DefinitionError[] = []
  const made = given.flatMap((one) => {
    try {
      return [use(one)]
    } catch (error) {
      if (!(error instanceof DefinitionError)) throw error
      errors.push(error)
      return []
    }
  })
  const [first] = errors
  if (first === undefined) return made
  first.message = errors.map(({ message }) => message).join('\n')
  throw first
}

function isSystemTableThere(definition: TableDefinition, reader: Reader): boolean {
  const there = reader.table(definition.name)
  return definition.system === true && there?.system === true
}

function inspectRules(table: Table, reader: Reader, checkRule: CheckRule): void {
  const problems: Problems = {}
  for (const [name, text] of rulesOf(table)) {
    try {
      checkRule(table, text, reader)
    } catch (error) {
      const hint = error instanceof QueryError ? error.hint() : ''
      const reason = `${error instanceof Error ? error.message : String(error)}${hint}`
      problems[name] = fieldError('validation_invalid_rule', `Invalid rule "${text}". ${reason}`)
    }
  }
  if (Object.keys(problems).length > 0) throw new DefinitionError(table.definition, problems)
}
