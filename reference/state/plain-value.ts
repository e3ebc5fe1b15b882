/** A value from code as JSON holds it: dates, also in lists, become their text in ISO 8601. */
export function plainValue(value: unknown): unknown {
  if (value instanceof Date) return value.toISOString()
  return Array.isArray(value) ? value.map(plainValue) : value
}
