/**
 * A bounded copy of a body: what is told about a response must not cost more than the response.
 *
 * @module
 */

const longestList = 100
const mostKeys = 200
const deepest = 64
const mostNodes = 100_000

/**
 * Lists cut to their first hundred entries, objects to two hundred keys besides those of the schemas. No schema asks
 * for a longest or shortest list, so that the cut breaks nothing by itself.
 *
 * @returns undefined for a value that is nested too deep, or still too large
 */
export function prune(body: unknown, known: ReadonlySet<string>): unknown {
  let nodes = 0
  let lost = false

  function copy(value: unknown, depth: number): unknown {
    if (typeof value !== 'object' || value === null || lost) return value
    nodes += 1
    if (depth > deepest || nodes > mostNodes) {
      lost = true
      return value
    }
    if (Array.isArray(value)) return value.slice(0, longestList).map((each) => copy(each, depth + 1))
    const source = value as Record<string, unknown>
    const kept: Record<string, unknown> = Object.create(null)
    let taken = 0
    for (const key in source) {
      if (taken >= mostKeys && !known.has(key)) continue
      taken += 1
      kept[key] = copy(source[key], depth + 1)
    }
    return kept
  }

  const copied = copy(body, 0)
  return lost ? undefined : copied
}
