import type { Field } from '../vocabulary.ts'

/** What a field is given for a value from code: ids instead of records, and text instead of dates. */
export function givenValue(field: Field | undefined, value: unknown): unknown {
  return plainValue(field?.type === 'relation' ? idsOf(value) : value)
}

/** Ids instead of records, also in a list. Anything else stays as it is. */
function idsOf(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(idsOf)
  const { id }: { id?: unknown } = Object(value)
  return typeof id === 'string' ? id : value
}

/** A value from code as JSON holds it: dates, also in lists, become their text in ISO 8601. */
function plainValue(value: unknown): unknown {
  if (value instanceof Date) return value.toISOString()
  return Array.isArray(value) ? value.map(plainValue) : value
}
