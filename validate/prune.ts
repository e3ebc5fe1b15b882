/**
 * A bounded copy of a body: reporting on a response must not cost more than the response.
 *
 * @module
 */

const longestList = 100
const mostKeys = 200
const deepest = 64
const mostNodes = 100_000

/**
 * Truncates lists to their first hundred entries, and objects to two hundred keys in addition to the keys of the schemas.
 * No schema limits the length of a list, so truncating causes no violation.
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
