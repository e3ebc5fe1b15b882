/**
 * From schemas of any record to schemas of one table, such as a page of a list.
 *
 * @module
 */

import { referredComponent } from './component-reference.ts'
import type { DescriptionPart } from './vocabulary.ts'

type Schemas = Record<string, DescriptionPart>

/** Copies schemas with one component instead of another: from "a page of any records" to "a page of posts". */
export interface Specializer {
  /** Replaces every reference to a replaced component, or to one that refers to it. */
  specialize<T>(part: T): T
  /** Whether the part contains such a reference. */
  concerns(part: unknown): boolean
}

/**
 * @param general the schemas to copy
 * @param replaced names of components, with the names of their replacements
 * @param copyName name of the copy of a component
 * @param into receives the copies
 */
export function createSpecializer(
  general: Readonly<Schemas>,
  replaced: Readonly<Record<string, string>>,
  copyName: (name: string) => string,
  into: Schemas,
): Specializer {
  const concerned = reaching(general, Object.keys(replaced))

  function replacement(name: string): string {
    const other = replaced[name]
    if (other !== undefined) return other
    if (!concerned.has(name)) return name
    const copy = copyName(name)
    if (into[copy] === undefined) {
      // Registered before it is complete: records contain records.
      into[copy] = {}
      into[copy] = specialize(general[name] ?? {})
    }
    return copy
  }

  function specialize<T>(part: T): T {
    if (Array.isArray(part)) return part.map(specialize) as T
    if (typeof part !== 'object' || part === null) return part
    const entries = Object.entries(part).map(([key, value]) => {
      const name = key === '$ref' ? referredComponent(value) : undefined
      return [key, name === undefined ? specialize(value) : `#/components/schemas/${replacement(name)}`]
    })
    return Object.fromEntries(entries) as T
  }

  return { specialize, concerns: (part) => referencesIn(part).some((name) => concerned.has(name)) }
}

/** The given names, and the names of all schemas that refer to one of these, directly or indirectly. */
function reaching(schemas: Readonly<Schemas>, names: readonly string[]): ReadonlySet<string> {
  const reached = new Set(names)
  const left = new Map(Object.entries(schemas).map(([name, schema]) => [name, referencesIn(schema)]))
  for (let before = -1; before < reached.size; ) {
    before = reached.size
    for (const [name, references] of left) if (references.some((each) => reached.has(each))) reached.add(name)
  }
  return reached
}

/** Names of the schemas that a part refers to, at any depth. */
function referencesIn(part: unknown): string[] {
  if (Array.isArray(part)) return part.flatMap(referencesIn)
  if (typeof part !== 'object' || part === null) return []
  return Object.entries(part).flatMap(([key, value]) => {
    const name = key === '$ref' ? referredComponent(value) : undefined
    return name === undefined ? referencesIn(value) : [name]
  })
}
