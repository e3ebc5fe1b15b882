/**
 * A variation: one named, lawful decision that the document leaves open, put in front of the reference. It proves that a
 * check fails no server for what the document does not say. It is the counterpart of a fault.
 *
 * @example
 * variation('a create returns 201', { because: 'records.statuses', near: ['create.persists'] },
 *   tamperStatus('createRecord', 200, 201))
 *
 * @module
 */

import type { Target } from '../../harness/vocabulary/target.ts'
import type { FaultTools, Middleware } from '../faults/fault.ts'

export interface VariationOptions {
  /** Why the document allows it: the key of a gap in spec/gaps.yaml, or a section and place as `2.4 row perPage`. */
  because: string
  /** Requirements of the document that read what it changes. Their checks run against it, and at least one must meet it. */
  near: readonly string[]
  /**
   * Requirements that cannot be judged on such a server, or that it is warned of, each with the reason. They may be
   * `blocked`, `untestable`, `not-applicable` or `warn`; anything but `pass` is a finding against us for all others.
   */
  declares?: Readonly<Record<string, string>>
  /** Share of the usual examples that the checks near to it get, where few examples meet it. @default 0.5 */
  runs?: number
  /** Why only the checks near to it can run. It takes part in no combination then. */
  alone?: string
  /** What its tester would write into the target file: bindings, capabilities, tables, hooks. */
  target?: (target: Target) => Target
}

export interface Variation extends VariationOptions {
  name: string
  /** The file that declares it, as an area of the matrix. */
  area: string
  /** Called once for each server, so that a variation can keep state. */
  make(tools: FaultTools): Middleware
}

const registry = new Map<string, Variation>()
let area = ''

/** To be called at the top of each file of variations: names the part of the document that they are about. */
export function variationsOf(name: string): void {
  area = name
}

/** Declares a variation. The name says the decision; it is unique. */
export function variation(
  name: string,
  options: VariationOptions,
  make: (tools: FaultTools) => Middleware,
): void {
  if (registry.has(name)) throw new Error(`Two variations are called "${name}": rename one of them.`)
  if (options.near.length === 0)
    throw new Error(
      `The variation "${name}" has an empty \`near\`: name the requirements that read what it changes.`,
    )
  registry.set(name, { name, area, ...options, make })
}

/** All variations declared so far, in the order of declaration. */
export function declaredVariations(): readonly Variation[] {
  return [...registry.values()]
}
