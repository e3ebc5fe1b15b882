/**
 * From an operand of the syntax tree to a term. Decides what a name means; `path.ts` and `resolve-reference.ts` resolve
 * paths and references.
 *
 * @module
 */

import type { Compilation } from './compilation.ts'
import { resolveFunction } from './functions.ts'
import { macros } from './macros.ts'
import { basePlace, resolvePath } from './path.ts'
import { QueryError } from './query-error.ts'
import { resolveReference } from './resolve-reference.ts'
import type { OperandSyntax } from './syntax.ts'
import { literalTerm, requestTerm, type Term } from './term.ts'

/** Names of constants, in any letter case; a field with the same name takes precedence. */
const WORDS = new Map([
  ['null', null],
  ['true', 1],
  ['false', 0],
])

/**
 * Resolves an operand: as a macro, then as a field or reference, then as `null`, `true`, `false` (contract-records
 * 2.4).
 *
 * @throws QueryError for an unknown name
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
  if (!/^\w/.test(name)) throw new QueryError(`Unknown name "${name}".`)
  return resolvePath(compilation, basePlace(compilation.table), name)
}
