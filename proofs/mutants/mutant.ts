/**
 * A mutant: the reference with one small mistake in its own source, as a tired programmer would make it, and the checks
 * that must see it. A fault changes what passes between client and server; a mutant also breaks state and indexes.
 *
 * @example
 * mutant('a last page is short of one record', ['list.pagination-covers'],
 *   change('reference/store/scan.ts', 'left-- === 0', '--left <= 0'))
 *
 * @module
 */

/** One place in the source. */
export interface SourceChange {
  /** Path from the root of the project. */
  file: string
  /** Text that the file contains exactly once. */
  from: string
  to: string
}

export interface Mutant {
  name: string
  /** Requirements whose checks must not pass on this server. */
  trips: readonly string[]
  changes: readonly SourceChange[]
}

const registry = new Map<string, Mutant>()

/** Declares a mutant. The name says what the server does wrong; it is unique. */
export function mutant(name: string, trips: readonly string[], ...changes: readonly SourceChange[]): void {
  if (registry.has(name)) throw new Error(`Two mutants are called "${name}": rename one of them.`)
  if (trips.length === 0)
    throw new Error(`The mutant "${name}" trips nothing: name the checks that must see it.`)
  registry.set(name, { name, trips, changes })
}

export function change(file: string, from: string, to: string): SourceChange {
  return { file, from, to }
}

/** All mutants declared so far, in the order of declaration. */
export function declaredMutants(): readonly Mutant[] {
  return [...registry.values()]
}
