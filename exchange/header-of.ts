/**
 * Returns the value of a header by its lower-case name. Accepts `Headers`, a plain object with names in any case, a
 * list of pairs, or a list of `{ name, value }`.
 */
export function headerOf(headers: unknown, name: string): string | undefined {
  if (typeof headers !== 'object' || headers === null) return undefined
  if (typeof (headers as Headers).get === 'function') return (headers as Headers).get(name) ?? undefined
  if (Array.isArray(headers)) return fromList(headers, name)
  const bag = headers as Record<string, unknown>
  const exact = bag[name]
  if (exact !== undefined) return textOf(exact)
  for (const key in bag) if (key.length === name.length && key.toLowerCase() === name) return textOf(bag[key])
  return undefined
}

function fromList(headers: readonly unknown[], name: string): string | undefined {
  for (const [at, entry] of headers.entries()) {
    if (typeof entry === 'string') {
      // Flat: name, value, name, value.
      if (at % 2 === 0 && entry.toLowerCase() === name) return textOf(headers[at + 1])
    } else if (Array.isArray(entry)) {
      if (String(entry[0]).toLowerCase() === name) return textOf(entry[1])
    } else {
      const { name: key, value } = entry as { name?: unknown; value?: unknown }
      if (String(key).toLowerCase() === name) return textOf(value)
    }
  }
  return undefined
}

function textOf(value: unknown): string | undefined {
  if (value === undefined || value === null) return undefined
  return Array.isArray(value) ? value.join(', ') : String(value)
}
