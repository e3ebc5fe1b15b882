import { type Token, tokenise } from './lexer.ts'
import { QueryError } from './query-error.ts'
import type { Comparison, Expression, FunctionCall, Operand, PlainOperator } from './syntax.ts'

const MAX_BYTES = 3500
const MAX_COMPARISONS = 200
const MAX_FUNCTION_DEPTH = 3
/** Keeps recursion inside the stack. No text of at most 3500 bytes comes near it. */
const MAX_GROUP_DEPTH = 4000

/**
 * Reads a filter text. `&&` binds tighter than `||` (contract-records 2.2). A group stands only where a
 * comparison can stand: forms that the living family merely tolerates are mistakes here (profile, "Filter language").
 *
 * @param limits `client` also bounds the text to 3500 bytes; rules may be longer.
 * @throws QueryError
 */
export function parseFilter(text: string, limits: 'client' | 'rule'): Expression {
  if (limits === 'client' && Buffer.byteLength(text) > MAX_BYTES) {
    throw new QueryError(`Filter: longer than ${MAX_BYTES} bytes.`)
  }
  const tokens = tokenise(text)
  let next = 0
  let comparisons = 0
  let groups = 0

  if (tokens.length === 0) throw new QueryError('Filter: the expression is empty.')
  const expression = disjunction()
  if (next < tokens.length) throw unexpected('a join or the end')
  return expression

  function disjunction(): Expression {
    const items = [conjunction()]
    while (takeJoin('||')) items.push(conjunction())
    return items.length === 1 ? (items[0] as Expression) : { kind: 'or', items }
  }

  function conjunction(): Expression {
    const items = [primary()]
    while (takeJoin('&&')) items.push(primary())
    return items.length === 1 ? (items[0] as Expression) : { kind: 'and', items }
  }

  function primary(): Expression {
    if (tokens[next]?.kind !== 'open') return comparison()
    next += 1
    groups += 1
    if (groups > MAX_GROUP_DEPTH) throw new QueryError('Filter: groups are nested too deep.')
    const inner = disjunction()
    expect('close')
    groups -= 1
    return inner
  }

  function comparison(): Comparison {
    comparisons += 1
    if (comparisons > MAX_COMPARISONS)
      throw new QueryError(`Filter: more than ${MAX_COMPARISONS} comparisons.`)
    const left = operand(1)
    const sign = expect('operator').text
    const any = sign.startsWith('?')
    const operator = (any ? sign.slice(1) : sign) as PlainOperator
    return { kind: 'comparison', left, operator, any, right: operand(1) }
  }

  function operand(depth: number): Operand {
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
    const args: Operand[] = []
    next += 1
    while (tokens[next]?.kind !== 'close') {
      args.push(operand(depth + 1))
      if (tokens[next]?.kind !== 'comma') break
      next += 1
    }
    expect('close')
    return { kind: 'function', name, args }
  }

  function takeJoin(text: '&&' | '||'): boolean {
    const token = tokens[next]
    if (token?.kind !== 'join' || token.text !== text) return false
    next += 1
    return true
  }

  function expect(kind: Token['kind']): Token {
    const token = tokens[next]
    if (token?.kind !== kind) throw unexpected(`"${kind}"`)
    next += 1
    return token
  }

  function unexpected(wanted: string): QueryError {
    const token = tokens[next]
    const found = token === undefined ? 'the end' : `"${token.text}" at character ${token.at + 1}`
    return new QueryError(`Filter: expected ${wanted}, found ${found}.`)
  }
}

/**
 * True when the raw text of a filter or sort names `@request.` or `@collection.`, even inside a literal. Callers
 * other than superusers get 403 for it (contract-records 1.1, step 5).
 */
export function usesRestrictedReferences(text: string): boolean {
  return text.includes('@request.') || text.includes('@collection.')
}
