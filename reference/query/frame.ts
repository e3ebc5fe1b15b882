/**
 * One row while it is tested: `search.ts` binds each join of the expression to a related row, and terms read what is
 * bound.
 *
 * @module
 */

import { LOOKUP, RELATED } from '../limits/work.ts'
import type { Row } from '../vocabulary.ts'
import type { Scope } from './scope.ts'

/** The current value of a join: a related row, an element of a list, or nothing. */
export type JoinBinding = Row | string | null

/** The row under test, as parent of a join. */
export const BASE = -1
/** Parent of a join that depends on the request only. */
export const NOWHERE = -2

/**
 * One step of a path. All uses of the same path share one join, so `rm.a ?= 1 && rm.b ?= 2` requires one related row
 * with both (contract-records 2.9).
 */
export interface FrameJoin {
  index: number
  parent: number
  /** The step can have several rows for one parent. */
  many: boolean
  /** Rows or elements for a parent; an empty result is read as one missing row. */
  find(parent: JoinBinding, scope: Scope): Iterable<JoinBinding>
  /** Rule of the related table. A row that violates it excludes its base row (contract-records 2.4). */
  allowed?: (row: Row, scope: Scope) => boolean
  children: FrameJoin[]
}

const NOTHING: readonly JoinBinding[] = [null]

/** One row under test: the bindings of its joins, and the results computed for it so far. */
export class Frame {
  /** Changes only in a frame without joins, which serves for one row after another. */
  row: Row
  readonly scope: Scope
  readonly joins: readonly FrameJoin[]
  /** By join index; undefined for a join that is not bound. */
  readonly bound: (JoinBinding | undefined)[]
  readonly #domains: (Map<JoinBinding, readonly JoinBinding[]> | undefined)[] = []
  readonly #shared: Map<FrameJoin, readonly JoinBinding[]>
  /** Created on demand: most rows are tested once. */
  #remembered: Map<object, unknown> | undefined

  /** @param shared bindings of joins that depend on the request only; the same map for all rows of a request. */
  constructor(
    row: Row,
    scope: Scope,
    joins: readonly FrameJoin[],
    shared: Map<FrameJoin, readonly JoinBinding[]>,
  ) {
    this.row = row
    this.scope = scope
    this.joins = joins
    this.bound = new Array(joins.length)
    this.#shared = shared
  }

  /** Bindings that a join can take under the current binding of its parent. Empty: the base row cannot match. */
  domain(join: FrameJoin): readonly JoinBinding[] {
    if (join.parent === NOWHERE) return this.#sharedDomain(join)
    return this.#domainUnder(join, join.parent === BASE ? this.row : (this.bound[join.parent] ?? null))
  }

  /** Every binding of a join under every binding of its parents. */
  every(join: FrameJoin): readonly JoinBinding[] {
    if (join.parent === NOWHERE) return this.#sharedDomain(join)
    if (join.parent === BASE) return this.#domainUnder(join, this.row)
    const bindings: JoinBinding[] = []
    for (const parent of this.every(this.joins[join.parent] as FrameJoin)) {
      const under = this.#domainUnder(join, parent)
      // Counted before they are collected: each step may multiply them.
      this.scope.work.spend(under.length)
      for (const binding of under) bindings.push(binding)
    }
    return bindings
  }

  /** Computes something once per row. */
  once<T>(key: object, work: () => T): T {
    this.#remembered ??= new Map()
    if (!this.#remembered.has(key)) this.#remembered.set(key, work())
    return this.#remembered.get(key) as T
  }

  #sharedDomain(join: FrameJoin): readonly JoinBinding[] {
    let found = this.#shared.get(join)
    if (found === undefined) {
      found = this.#compute(join, null)
      this.#shared.set(join, found)
    }
    return found
  }

  #domainUnder(join: FrameJoin, parent: JoinBinding): readonly JoinBinding[] {
    let byParent = this.#domains[join.index]
    if (byParent === undefined) {
      byParent = new Map()
      this.#domains[join.index] = byParent
    }
    let found = byParent.get(parent)
    if (found === undefined) {
      found = this.#compute(join, parent)
      byParent.set(parent, found)
    }
    return found
  }

  #compute(join: FrameJoin, parent: JoinBinding): readonly JoinBinding[] {
    const found = parent === null && join.parent !== NOWHERE ? NOTHING : [...join.find(parent, this.scope)]
    this.scope.work.spend(LOOKUP + RELATED * found.length)
    const bindings = found.length === 0 ? NOTHING : found
    const { allowed } = join
    if (!isRuled(join)) return bindings
    return bindings.filter((binding) => {
      if (allowed !== undefined && typeof binding === 'object' && binding !== null) {
        if (!allowed(binding, this.scope)) return false
      }
      return join.children.every((child) => this.#domainUnder(child, binding).length > 0)
    })
  }
}

/** True if a rule can remove bindings of the join, its own rule or one of a later join. */
function isRuled(join: FrameJoin): boolean {
  return join.allowed !== undefined || join.children.some(isRuled)
}
