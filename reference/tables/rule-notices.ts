/**
 * Names in rules that are accepted, as in the living family, and then have no value: probably misspelled.
 *
 * @module
 */

import { didYouMean } from '../../spec/nearest.ts'
import { startCompilation } from '../query/compile.ts'
import { parseFilter } from '../query/parse-filter.ts'
import { QueryError } from '../query/query-error.ts'
import { resolveName } from '../query/resolve.ts'
import { directFields } from '../query/resolve-reference.ts'
import type { FilterSyntax, OperandSyntax } from '../query/syntax.ts'
import type { Reader, Table } from '../vocabulary.ts'
import { authFormNames } from './inspect-table-name.ts'
import { rulesOf } from './rules-of.ts'

/** These are tested with the body of a sign-in, whose keys are not fields. */
const signInRules = new Set(['authRule', 'mfa.rule'])

/** @param tables whose rules compile; the reader sees them, and all other tables */
export function ruleNotices(tables: readonly Table[], reader: Reader): string[] {
  const accounts = [...reader.tables()].filter(({ type, system }) => type === 'auth' && !system)
  return tables.flatMap((table) =>
    rulesOf(table).flatMap(([rule, text]) =>
      [...new Set(namesIn(parseFilter(text, 'rule')))].flatMap((name) => {
        const first = name.split('.')[2]?.split(':')[0] ?? ''
        let notice: string | undefined
        if (name.startsWith('@request.auth.')) notice = callerNotice(name, first, { table, accounts, reader })
        if (name.startsWith('@request.body.') && !signInRules.has(rule))
          notice = bodyNotice(name, first, table)
        return notice === undefined ? [] : [`${rule} of table "${table.name}": ${notice}`]
      }),
    ),
  )
}

function namesIn(expression: FilterSyntax): string[] {
  if (expression.kind !== 'comparison') return expression.items.flatMap(namesIn)
  return [expression.left, expression.right].flatMap(namesInOperand)
}

function namesInOperand(operand: OperandSyntax): string[] {
  if (operand.kind === 'function') return operand.args.flatMap(namesInOperand)
  return operand.kind === 'identifier' ? [operand.name] : []
}

interface Surroundings {
  table: Table
  accounts: readonly Table[]
  reader: Reader
}

function callerNotice(
  name: string,
  first: string,
  { table, accounts, reader }: Surroundings,
): string | undefined {
  const isDirect = directFields.has(first)
  const having = accounts.filter((account) => account.field(first) !== undefined)
  if (having.length === 0 && !isDirect && !first.includes('_via_')) {
    const known = new Set([...directFields, ...accounts.flatMap(visibleNames)])
    return `"${name}" is always null: no auth table has a field "${first}".${didYouMean(first, known)}`
  }
  const callers = having.length > 0 ? having : accounts
  const errors = callers.flatMap((caller) => {
    try {
      resolveName(startCompilation({ reader, table, mode: 'rule', caller }), name)
      return []
    } catch (error) {
      if (error instanceof QueryError) return [error]
      throw error
    }
  })
  const [error] = errors
  if (error === undefined || errors.length < callers.length) return undefined
  return `no signed-in caller satisfies it. ${error.message}${error.hint()}`
}

function bodyNotice(name: string, first: string, table: Table): string | undefined {
  if (table.field(first) !== undefined) return undefined
  if (table.type === 'auth' && authFormNames.has(first)) return undefined
  return `"${name}": the table has no field "${first}".${didYouMean(first, visibleNames(table))}`
}

function visibleNames({ fields }: Table): string[] {
  return fields.filter(({ column }) => !column.secret).map(({ name }) => name)
}
