import { referredComponent } from './component-reference.ts'
import type { DescriptionPart } from './vocabulary.ts'

type Schemas = Record<string, DescriptionPart>

/**
 * Copies of schemas in which one component stands in place of another: from "a page of any records" to "a page of
 * posts".
 */
export interface Specialiser {
  /** The part with every reference to what is replaced, or to what refers to it, changed. */
  specialise<T>(part: T): T
  /** Whether anything in the part would be changed. */
  concerns(part: unknown): boolean
}

/**
 * @param general the schemas to copy
 * @param replaced names of components, and of those that stand in their place
 * @param copyName name of the copy of a component
 * @param into takes the copies
 */
export function createSpecialiser(
  general: Readonly<Schemas>,
  replaced: Readonly<Record<string, string>>,
  copyName: (name: string) => string,
  into: Schemas,
): Specialiser {
  const concerned = reaching(general, Object.keys(replaced))

  function replacement(name: string): string {
    const other = replaced[name]
    if (other !== undefined) return other
    if (!concerned.has(name)) return name
    const copy = copyName(name)
    if (into[copy] === undefined) {
      // Entered before it is made: records hold records.
      into[copy] = {}
      into[copy] = specialise(general[name] ?? {})
    }
    return copy
  }

  function specialise<T>(part: T): T {
    if (Array.isArray(part)) return part.map(specialise) as T
    if (typeof part !== 'object' || part === null) return part
    const entries = Object.entries(part).map(([key, value]) => {
      const name = key === '$ref' ? referredComponent(value) : undefined
      return [key, name === undefined ? specialise(value) : `#/components/schemas/${replacement(name)}`]
    })
    return Object.fromEntries(entries) as T
  }

  return { specialise, concerns: (part) => referencesIn(part).some((name) => concerned.has(name)) }
}

/** The names, and those of all schemas that refer to one of them in any number of steps. */
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
