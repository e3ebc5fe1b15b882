/**
 * The tree of a filter text (contract-records 2.1 to 2.3). Names are not resolved yet.
 *
 * @module
 */

export type PlainOperator = '=' | '!=' | '>' | '>=' | '<' | '<=' | '~' | '!~'

export interface Comparison {
  kind: 'comparison'
  left: Operand
  operator: PlainOperator
  /** Written with `?`: one joined row is enough. */
  any: boolean
  right: Operand
}

interface Junction {
  kind: 'and' | 'or'
  items: Expression[]
}

export type Expression = Comparison | Junction

export interface FunctionCall {
  kind: 'function'
  name: string
  args: Operand[]
}

export type Operand =
  | { kind: 'identifier'; name: string }
  | { kind: 'number'; value: number }
  | { kind: 'text'; value: string }
  | FunctionCall
