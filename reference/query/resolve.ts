import type { Compilation } from './compilation.ts'
import { resolveFunction } from './functions.ts'
import { macros } from './macros.ts'
import { basePlace, resolvePath } from './path.ts'
import { QueryError } from './query-error.ts'
import { resolveReference } from './request-terms.ts'
import type { OperandSyntax } from './syntax.ts'
import { literalTerm, requestTerm, type Term } from './term.ts'

/** Names for values, in any letter case; a field of that name wins. */
const WORDS = new Map([
  ['null', null],
  ['true', 1],
  ['false', 0],
])

/**
 * Gives an operand its meaning: macro, then field or reference, then `null`, `true`, `false`
 * (contract-records 2.4).
 *
 * @throws QueryError when it has none.
 */
export function resolveOperand(compilation: Compilation, operand: OperandSyntax): Term {
  if (operand.kind === 'function') {
    return resolveFunction(operand, (argument) => resolveOperand(compilation, argument))
  }
  return operand.kind === 'identifier' ? resolveName(compilation, operand.name) : literalTerm(operand.value)
}

/** The same for a name alone; `sort` uses it too. */
export function resolveName(compilation: Compilation, name: string): Term {
  const macro = macros.get(name)
  if (macro !== undefined) return requestTerm((frame) => macro(frame.scope.now), false)
  if (name.startsWith('@')) return resolveReference(compilation, name)
  const word = WORDS.get(name.toLowerCase())
  if (word !== undefined && compilation.table.field(name) === undefined) {
    return { ...literalTerm(word), floating: false }
  }
  if (!/^\w/.test(name)) throw new QueryError(`"${name}": unknown name.`)
  return resolvePath(compilation, basePlace(compilation.table), name)
}
