/**
 * The flow of a filter or rule, from its text to a test of rows: tokens, syntax tree, terms, nodes. The result is
 * cached.
 *
 * @module
 */

import { RecentMap } from '../limits/recent-map.ts'
import type { Reader, RequestInfo, Row, Table } from '../vocabulary.ts'
import { candidatesOf } from './candidates-of.ts'
import { comparisonNode } from './comparison.ts'
import type { Compilation, CompileMode } from './compilation.ts'
import { Frame, type FrameJoin, type JoinBinding } from './frame.ts'
import { parseFilter } from './parse-filter.ts'
import { QueryError } from './query-error.ts'
import { resolveOperand } from './resolve.ts'
import { callerTable, keyCovers, type Scope } from './scope.ts'
import { exists, prepared, type SearchNode } from './search.ts'
import type { FilterSyntax, OperandSyntax } from './syntax.ts'
import type { Term } from './term.ts'

/** An expression as a predicate. It belongs to one table and one kind of caller, not to one request. */
export interface CompiledFilter {
  matches(row: Row, scope: Scope): boolean
  /** Tests many rows of one request. */
  matcher(scope: Scope): (row: Row) => boolean
  /** Rows of the table that a key leaves to be tested, in insertion order; undefined if all rows must be tested. */
  candidates(scope: Scope): Row[] | undefined
}

export interface CompileOptions {
  reader: Reader
  table: Table
  mode: CompileMode
  /** Table of the caller's record. */
  caller?: Table | undefined
  /** The request, if an API key may open related tables. */
  request?: RequestInfo
}

interface Remembered {
  filter: CompiledFilter
  uses: ReadonlyMap<string, Table>
}

/** Clients send any number of different filters, so each table keeps only the filters used last. */
const filterLimits = { entries: 500, characters: 50_000 }

/** The number of rules is limited by the definitions. They are kept apart from filters, which cannot evict them. */
interface RememberedOfTable {
  rules: Map<string, Remembered>
  filters: RecentMap<Remembered>
}

const remembered = new WeakMap<Table, RememberedOfTable>()

/**
 * Compiles a filter or rule. The result is cached with the table, until the definition of a table in the expression is
 * replaced.
 *
 * @throws QueryError
 */
export function compileFilter(text: string, options: CompileOptions): CompiledFilter {
  const { reader, table, mode, caller } = options
  const key = `${mode} ${caller?.id ?? ''} ${keyScope(options)} ${text}`
  const ofTable = remembered.get(table) ?? { rules: new Map(), filters: new RecentMap(filterLimits) }
  remembered.set(table, ofTable)
  const kept = mode === 'rule' ? ofTable.rules : ofTable.filters
  const known = kept.get(key)
  if (known !== undefined && isCurrent(known, reader)) return known.filter

  const compilation = startCompilation(options)
  const tree = compileExpression(compilation, parseFilter(text, mode === 'rule' ? 'rule' : 'client'))
  const filter = makeFilter(compilation, tree)
  kept.set(key, { filter, uses: new Map([...compilation.uses, ...callerUse(caller)]) })
  return filter
}

/** The compile options for this request. */
export function optionsFor(scope: Scope, table: Table, mode: CompileMode): CompileOptions {
  const { reader, request } = scope
  return { reader, table, mode, caller: callerTable(request), request }
}

/** An empty compilation for a table; `sort` resolves its names with it too. */
export function startCompilation({ reader, table, mode, caller, request }: CompileOptions): Compilation {
  return {
    reader,
    table,
    mode,
    caller,
    joins: [],
    joinsByKey: new Map(),
    uses: new Map(),
    trusts: (related) => request !== undefined && keyCovers(request, related, 'list'),
    // Not a closure of this function: the compiled result is cached, and a closure would keep the reader alive, and
    // with it all records of that state.
    ruleOf: (related, text) => compileFilter(text, { reader, table: related, mode: 'rule', caller }).matches,
  }
}

/** Creates a frame for a row, with the bindings that all rows of a request share. */
export function frameMaker(joins: readonly FrameJoin[]): (row: Row, scope: Scope) => Frame {
  const shared = new WeakMap<Scope, Map<FrameJoin, readonly JoinBinding[]>>()
  return (row, scope) => {
    let ofScope = shared.get(scope)
    if (ofScope === undefined) {
      ofScope = new Map()
      shared.set(scope, ofScope)
    }
    return new Frame(row, scope, joins, ofScope)
  }
}

/** False if a rule of a related table leaves some join of the row without any binding. */
export function isReachable(frame: Frame): boolean {
  return frame.joins.every((join) => join.parent >= 0 || frame.domain(join).length > 0)
}

function compileExpression(compilation: Compilation, expression: FilterSyntax): SearchNode {
  if (expression.kind === 'comparison') {
    const left = resolveOperand(compilation, expression.left)
    return comparisonNode(expression, left, resolveRight(compilation, expression.right))
  }
  return junctionNode(
    expression.kind,
    expression.items.map((item) => compileExpression(compilation, item)),
  )
}

/** An unknown name on the right is probably a string without quotes. */
function resolveRight(compilation: Compilation, operand: OperandSyntax): Term {
  try {
    return resolveOperand(compilation, operand)
  } catch (error) {
    if (!(error instanceof QueryError) || operand.kind !== 'identifier' || !/^\w+$/.test(operand.name))
      throw error
    throw new QueryError(error.message, () => `${error.hint()} A string needs quotes: "${operand.name}".`)
  }
}

/**
 * A function of its own: a closure keeps everything in its scope alive, so it must not be created next to the
 * compilation.
 */
function junctionNode(kind: 'and' | 'or', children: SearchNode[]): SearchNode {
  const joins = [...new Set(children.flatMap((child) => child.joins))].sort((a, b) => a - b)
  const test =
    kind === 'and'
      ? (frame: Frame) => children.every((child) => child.test(frame))
      : (frame: Frame) => children.some((child) => child.test(frame))
  return { kind, joins, children, test }
}

/** Values that are fixed for a request are read in a frame without a row. */
const noOne: Row = { rowid: 0, id: '', values: {} }

function makeFilter(compilation: Compilation, tree: SearchNode): CompiledFilter {
  const { joins, table } = compilation
  const frameOf = frameMaker(joins)
  const ruled = joins.some((join) => join.allowed !== undefined)
  const matches = (row: Row, scope: Scope) => {
    const frame = frameOf(row, scope)
    if (ruled && !isReachable(frame)) return false
    return exists(tree, frame)
  }
  return {
    matches,
    matcher(scope) {
      if (joins.length > 0) return (row) => matches(row, scope)
      const frame = frameOf(noOne, scope)
      const test = prepared(tree, frame)
      return (row) => {
        frame.row = row
        return test(row)
      }
    },
    candidates(scope) {
      return candidatesOf(tree, table, frameOf(noOne, scope))
    },
  }
}

function isCurrent({ uses }: Remembered, reader: Reader): boolean {
  for (const [id, table] of uses) if (reader.table(id) !== table) return false
  return true
}

function callerUse(caller: Table | undefined): [string, Table][] {
  return caller === undefined ? [] : [[caller.id, caller]]
}

/** Callers with the same key scope share compiled expressions. */
function keyScope({ mode, request }: CompileOptions): string {
  if (mode !== 'client' || request?.caller.kind !== 'key') return ''
  const { tables, actions } = request.caller.key
  return JSON.stringify([tables, actions])
}
