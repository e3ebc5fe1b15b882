/**
 * Decides from the rules of a table whether an operation needs a token. The rules are evaluated without a record, for
 * every value that a record could have.
 *
 * @module
 */

import { parseFilter } from '../reference/query/parse-filter.ts'
import type { ComparisonSyntax, FilterSyntax, OperandSyntax } from '../reference/query/syntax.ts'
import { type FieldType, fieldTypes } from '../spec/field-types.ts'
import type { DescribedTable } from './vocabulary.ts'

/**
 * What is known about an operand in a request without a token: `empty` is the same as `''` and `null`; `filled` is a
 * value that never equals them; `unknown` may be either.
 */
type Known = 'empty' | 'filled' | 'unknown'

/**
 * Whether a rule may be true for a request without a token: `false` if no valid record can make it true. A rule that
 * cannot be parsed may be true.
 */
export function guestsMayPass(rule: string | null, table: DescribedTable): boolean {
  if (rule === null) return false
  if (rule === '') return true
  let expression: FilterSyntax
  try {
    expression = parseFilter(rule, 'rule')
  } catch {
    return true
  }
  return mayBeTrue(expression, table)
}

function mayBeTrue(expression: FilterSyntax, table: DescribedTable): boolean {
  if (expression.kind === 'comparison') return mayHold(expression, table)
  return expression.kind === 'and'
    ? expression.items.every((item) => mayBeTrue(item, table))
    : expression.items.some((item) => mayBeTrue(item, table))
}

/** Without a token every path below `@request.auth.` is null, which equals `''` and nothing else. */
function mayHold({ left, operator, right }: ComparisonSyntax, table: DescribedTable): boolean {
  if (!isCaller(left) && !isCaller(right)) return true
  const other = isCaller(left) ? knownOf(right, table) : knownOf(left, table)
  if (operator === '=') return other !== 'filled'
  if (operator === '!=') return other !== 'empty'
  // Null is neither larger nor smaller than anything; it contains nothing and nothing contains it.
  return false
}

/** A modifier changes the value: `:isset`, `:length`. */
function isCaller(operand: OperandSyntax): boolean {
  return operand.kind === 'identifier' && /^@request\.auth\.[\w.]+$/.test(operand.name)
}

function knownOf(operand: OperandSyntax, table: DescribedTable): Known {
  if (isCaller(operand)) return 'empty'
  if (operand.kind === 'text') return operand.value === '' ? 'empty' : 'filled'
  if (operand.kind === 'number') return operand.value === 0 ? 'unknown' : 'filled'
  if (operand.kind === 'function') return 'unknown'
  const word = operand.name.toLowerCase()
  if (word === 'null') return 'empty'
  if (word === 'true') return 'filled'
  const field = table.fields.find(({ name }) => name === operand.name)
  if (field === undefined || table.type === 'view' || field.multiple || !isStringByClient(field.type))
    return 'unknown'
  return (field.definition as { required?: boolean }).required === true ? 'filled' : 'unknown'
}

/** Whether values of a type are strings that clients set, so that a required one is never empty. */
function isStringByClient(type: FieldType): boolean {
  return fieldTypes[type].zero === '' && type !== 'autodate'
}
