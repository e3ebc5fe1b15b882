/**
 * From tokens to a syntax tree (contract-records 2.2 and 2.10). Names are resolved later, by `resolve.ts`.
 *
 * @module
 */

import { QueryError } from './query-error.ts'
import type { ComparisonSyntax, FilterSyntax, FunctionCall, OperandSyntax, PlainOperator } from './syntax.ts'
import { type Token, tokenize, useInstead } from './tokenize.ts'

const MAX_BYTES = 3500
const MAX_COMPARISONS = 200
const MAX_FUNCTION_DEPTH = 3

/** A group while it is parsed: the operands of `||`, each a list of operands of `&&`. */
type Group = FilterSyntax[][]

/**
 * Parses a filter. `&&` binds tighter than `||` (contract-records 2.2). A group is only allowed where a comparison is
 * allowed: forms that the living family merely tolerates are errors here (`filter.language` in docs/profile.md).
 *
 * @param limits `client` also bounds the text to 3500 bytes; rules may be longer.
 * @throws QueryError
 */
export function parseFilter(text: string, limits: 'client' | 'rule'): FilterSyntax {
  if (limits === 'client' && Buffer.byteLength(text) > MAX_BYTES) {
    throw new QueryError(`Filter: longer than ${MAX_BYTES} bytes.`)
  }
  const tokens = tokenize(text)
  let next = 0
  let comparisons = 0

  if (tokens.length === 0) throw new QueryError('Filter: the expression is empty.')
  const expression = disjunction()
  if (next < tokens.length) throw unexpected('"&&", "||" or the end')
  return expression

  /** Groups may be nested without limit (contract-records 2.10): open groups are kept in a list, not on the stack. */
  function disjunction(): FilterSyntax {
    const outer: Group[] = []
    let group: Group = [[]]
    for (;;) {
      while (take('open')) {
        outer.push(group)
        group = [[]]
      }
      group.at(-1)?.push(comparison())
      while (!takeJoin('&&')) {
        if (takeJoin('||')) {
          group.push([])
          break
        }
        const around = outer.pop()
        if (around === undefined) return joined(group)
        expect('close')
        around.at(-1)?.push(joined(group))
        group = around
      }
    }
  }

  function comparison(): ComparisonSyntax {
    comparisons += 1
    if (comparisons > MAX_COMPARISONS)
      throw new QueryError(`Filter: more than ${MAX_COMPARISONS} comparisons.`)
    const left = operand(1)
    const sign = expect('operator').text
    const any = sign.startsWith('?')
    const operator = (any ? sign.slice(1) : sign) as PlainOperator
    return { kind: 'comparison', left, operator, any, right: operand(1) }
  }

  function operand(depth: number): OperandSyntax {
    const token = tokens[next]
    if (token?.kind === 'number' || token?.kind === 'text') {
      next += 1
      return token.kind === 'number'
        ? { kind: 'number', value: token.value }
        : { kind: 'text', value: token.value }
    }
    if (token?.kind === 'identifier') {
      next += 1
      return { kind: 'identifier', name: token.text }
    }
    if (token?.kind === 'function') return call(depth)
    throw unexpected('a field, a value or a function')
  }

  function call(depth: number): FunctionCall {
    if (depth > MAX_FUNCTION_DEPTH) throw new QueryError('Filter: functions are nested too deep.')
    const name = (tokens[next] as Token).text
    const args: OperandSyntax[] = []
    next += 1
    while (tokens[next]?.kind !== 'close') {
      args.push(operand(depth + 1))
      if (tokens[next]?.kind !== 'comma') break
      next += 1
    }
    expect('close')
    return { kind: 'function', name, args }
  }

  function take(kind: Token['kind']): boolean {
    if (tokens[next]?.kind !== kind) return false
    next += 1
    return true
  }

  function takeJoin(text: '&&' | '||'): boolean {
    const token = tokens[next]
    if (token?.kind !== 'join' || token.text !== text) return false
    next += 1
    return true
  }

  function expect(kind: 'close' | 'operator'): Token {
    const token = tokens[next]
    if (token?.kind !== kind) throw unexpected(kind === 'close' ? '")"' : 'an operator')
    next += 1
    return token
  }

  function unexpected(wanted: string): QueryError {
    const token = tokens[next]
    if (token === undefined) return new QueryError(`Filter: expected ${wanted}, found the end.`)
    const { text: found, at } = token
    return new QueryError(
      `Filter, character ${at + 1}: expected ${wanted}, found "${found}".`,
      useInstead(found),
    )
  }
}

function joined(group: Group): FilterSyntax {
  return junction(
    'or',
    group.map((items) => junction('and', items)),
  )
}

function junction(kind: 'or' | 'and', items: FilterSyntax[]): FilterSyntax {
  const [only] = items
  return only !== undefined && items.length === 1 ? only : { kind, items }
}

/**
 * True if the raw text of a filter or sort contains `@request.` or `@collection.`, even inside a literal. Callers other
 * than superusers get 403 for it (contract-records 1.1, step 5).
 */
export function usesRestrictedReferences(text: string): boolean {
  return text.includes('@request.') || text.includes('@collection.')
}
