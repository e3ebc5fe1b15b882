/** Shorter strings are built as fast as they are looked up. */
const worthKeeping = 1000

/** Strings of stored values, which never change. An entry lives as long as its value. */
const strings = new WeakMap<object, string>()

/**
 * Compact JSON with sorted keys: the text of a stored json, list or geo value in comparisons (contract-records 2.8,
 * section 12).
 */
export function jsonText(value: unknown): string {
  if (typeof value !== 'object' || value === null) return JSON.stringify(value ?? null)
  const known = strings.get(value)
  if (known !== undefined) return known
  const text = textOf(value)
  if (text.length >= worthKeeping) strings.set(value, text)
  return text
}

function textOf(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(textOf).join(',')}]`
  if (typeof value === 'object' && value !== null) {
    const entries = Object.entries(value).filter(([, inner]) => inner !== undefined)
    entries.sort(([a], [b]) => (a < b ? -1 : 1))
    return `{${entries.map(([key, inner]) => `${JSON.stringify(key)}:${textOf(inner)}`).join(',')}}`
  }
  return JSON.stringify(value ?? null)
}
