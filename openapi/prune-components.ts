/**
 * Keeps a description small: generators would make types of schemas that no operation uses any more.
 *
 * @module
 */

import type { Description, DescriptionPart } from './vocabulary.ts'

/** Removes unused components and tags from the description. */
export function pruneComponents(description: Description): Description {
  const used = new Set<string>()
  const visit = (part: unknown): void => {
    if (typeof part !== 'object' || part === null) return
    for (const [key, value] of Object.entries(part)) {
      // A field may have this name too.
      if (key === 'security' && Array.isArray(value))
        for (const name of schemesIn(value)) reach(`securitySchemes/${name}`)
      if (key === '$ref' && typeof value === 'string') reach(value.replace('#/components/', ''))
      else visit(value)
    }
  }
  const reach = (place: string): void => {
    if (used.has(place)) return
    used.add(place)
    const [kind = '', name = ''] = place.split('/')
    visit(description.components[kind]?.[name])
  }
  visit(description.paths)
  const kinds = Object.entries(description.components).map(([kind, parts]) => {
    const kept = Object.entries(parts).filter(([name]) => used.has(`${kind}/${name}`))
    return [kind, Object.fromEntries(kept)] as const
  })
  const tags = tagsIn(description.paths)
  return {
    ...description,
    tags: (description.tags ?? []).filter(({ name }) => tags.has(String(name))),
    components: Object.fromEntries(kinds.filter(([, parts]) => Object.keys(parts).length > 0)),
  }
}

function schemesIn(security: readonly DescriptionPart[]): string[] {
  return security.flatMap((alternative) => Object.keys(alternative))
}

function tagsIn(paths: Description['paths']): ReadonlySet<string> {
  const operations = Object.values(paths).flatMap((item) => Object.values(item)) as { tags?: string[] }[]
  return new Set(operations.flatMap(({ tags = [] }) => tags))
}
