/**
 * Entries as JSON text, with what `JSON.stringify` never writes: keys that appear twice, numbers out of range.
 *
 * @module
 */

export type JsonEntry = readonly [key: string, value: unknown]

/** Makes a key that differs from the original only until it is printed. */
export const twinKey = (key: string) => `${key}\uE004`

/** `__proto__` becomes a key like any other. */
export function fuzzedJson(entries: readonly JsonEntry[]): string {
  return jsonValueText(Object.fromEntries(entries))
}

export function jsonValueText(value: unknown): string {
  const text = JSON.stringify(value) ?? 'null'
  return text.replaceAll('\uE004', '').replace(/"\uE002([^"]*?)\uE003"/g, '$1')
}
