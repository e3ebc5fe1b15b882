/**
 * The syntax tree of a filter (contract-records 2.1 to 2.3). Names are not resolved yet.
 *
 * @module
 */

export type PlainOperator = '=' | '!=' | '>' | '>=' | '<' | '<=' | '~' | '!~'

export interface ComparisonSyntax {
  kind: 'comparison'
  left: OperandSyntax
  operator: PlainOperator
  /** Written with `?`: one joined row is enough. */
  any: boolean
  right: OperandSyntax
}

interface Junction {
  kind: 'and' | 'or'
  items: FilterSyntax[]
}

export type FilterSyntax = ComparisonSyntax | Junction

export interface FunctionCall {
  kind: 'function'
  name: string
  args: OperandSyntax[]
}

export type OperandSyntax =
  | { kind: 'identifier'; name: string }
  | { kind: 'number'; value: number }
  | { kind: 'text'; value: string }
  | FunctionCall
