/**
 * Compact JSON with sorted keys: the text that a stored json, list or geo value has for comparisons
 * (contract-records 2.8, section 12).
 */
export function jsonText(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(jsonText).join(',')}]`
  if (typeof value === 'object' && value !== null) {
    const entries = Object.entries(value).filter(([, inner]) => inner !== undefined)
    entries.sort(([a], [b]) => (a < b ? -1 : 1))
    return `{${entries.map(([key, inner]) => `${JSON.stringify(key)}:${jsonText(inner)}`).join(',')}}`
  }
  return JSON.stringify(value ?? null)
}
