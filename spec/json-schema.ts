/** A JSON Schema of draft 2020-12, keywords unchecked. */
export type JsonSchema = { readonly [keyword: string]: unknown }

/** Names of all keys in a schema. */
export function keysOf(schema: unknown, found = new Set<string>()): Set<string> {
  if (typeof schema !== 'object' || schema === null) return found
  const { properties } = schema as { properties?: unknown }
  if (typeof properties === 'object' && properties !== null)
    for (const name of Object.keys(properties)) found.add(name)
  for (const part of Object.values(schema)) keysOf(part, found)
  return found
}
