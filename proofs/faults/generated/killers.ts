/**
 * Which checks saw the breaches before: what sees one change of a value most likely sees the next.
 *
 * @module
 */

import type { Breach } from './breach.ts'

/** A check that saw this part of an operation go wrong counts for more than any that saw another part. */
const samePart = 1_000

export class Killers {
  readonly #kills = new Map<string, number>()

  /** The same checks, those that are most likely to see the breach first. */
  first(breach: Breach, checks: readonly string[]): string[] {
    const likely = new Map(checks.map((check) => [check, this.#likelihood(breach, check)]))
    return checks.toSorted((a, b) => (likely.get(b) ?? 0) - (likely.get(a) ?? 0))
  }

  saw(breach: Breach, check: string): void {
    for (const key of keysOf(breach, check)) this.#kills.set(key, (this.#kills.get(key) ?? 0) + 1)
  }

  #likelihood(breach: Breach, check: string): number {
    const [part, kind] = keysOf(breach, check).map((key) => this.#kills.get(key) ?? 0)
    return (part ?? 0) * samePart + (kind ?? 0)
  }
}

/** By the part of the operation, and by the kind of breach. */
function keysOf({ name, kind, operation }: Breach, check: string): [part: string, kind: string] {
  const part = name.slice(0, name.lastIndexOf(' · '))
  return [`${part} > ${check}`, `${operation ?? ''} ${kind} > ${check}`]
}
