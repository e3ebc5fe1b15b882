/**
 * The filter expressions that the suite makes up, as data: what a comparison and a join are, and which operators are
 * opposites. Nothing here reads filter text: the suite prints expressions and never parses them.
 *
 * @module
 */

/** Operators for one value. The forms for many have a `?` in front. */
export type Operator = '=' | '!=' | '>' | '>=' | '<' | '<=' | '~' | '!~'

export type Literal = string | number | boolean | null

/**
 * The left operand: a field of the table `everything`, or something derived from one. `length` and `each` are
 * those of `selects`, `json` is the key `a` of the json field.
 */
export type Operand = 'text' | 'number' | 'bool' | 'date' | 'select' | 'length' | 'each' | 'json'

export interface Comparison {
  kind: 'comparison'
  operand: Operand
  operator: Operator
  /** The form that one value of many satisfies. */
  any: boolean
  literal: Literal
}

export interface Join {
  kind: 'join'
  join: '&&' | '||'
  /** At least one. */
  parts: Expression[]
}

export type Expression = Comparison | Join

/** The values of one record, as far as expressions use them. */
export interface OracleValues {
  text: string
  number: number
  bool: boolean
  /** `YYYY-MM-DD HH:MM:SS.mmmZ`, or empty. */
  date: string
  select: string
  selects: string[]
  json: { a?: Literal } | null
}

const opposites: Record<Operator, Operator> = {
  '=': '!=',
  '!=': '=',
  '>': '<=',
  '<=': '>',
  '<': '>=',
  '>=': '<',
  '~': '!~',
  '!~': '~',
}

/**
 * The expression that holds exactly where this one does not (De Morgan): every operator becomes its opposite, every
 * `&&` an `||`. True for operands that have one value and are never null: not for `each` and `json`.
 */
export function opposite(expression: Expression): Expression {
  if (expression.kind === 'join')
    return {
      kind: 'join',
      join: expression.join === '&&' ? '||' : '&&',
      parts: expression.parts.map(opposite),
    }
  return { ...expression, operator: opposites[expression.operator] }
}
