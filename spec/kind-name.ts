/** What was found instead of an expected value, for messages: `an array`. */
export function kindName(value: unknown): string {
  if (value === null || value === undefined) return 'nothing'
  if (Array.isArray(value)) return 'an array'
  return typeof value === 'object' ? 'an object' : `a ${typeof value}`
}

/** The same, but numbers and strings as they are: `-1`, `"soon"`. */
export function foundValue(value: unknown): string {
  if (typeof value === 'string') return JSON.stringify(value)
  return typeof value === 'number' ? String(value) : kindName(value)
}
