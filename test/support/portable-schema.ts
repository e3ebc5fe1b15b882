import type { JsonSchema } from '../../spec/json-schema.ts'
import { openApiDocument } from '../../spec/openapi.ts'

/**
 * A schema of the description as any validator of JSON Schema can take it: as it is published, with all that it may refer
 * to under `$defs`, and without formats, which other validators do not know or do not check.
 */
export function portableSchema(schema: JsonSchema): JsonSchema {
  const { schemas } = openApiDocument().components ?? {}
  const $schema = 'https://json-schema.org/draft/2020-12/schema'
  return portable({
    $schema,
    ...schema,
    $defs: { ...schemas, ...(schema.$defs as object | undefined) },
  }) as JsonSchema
}

function portable(node: unknown): unknown {
  if (Array.isArray(node)) return node.map(portable)
  if (typeof node === 'string') return node.replace(/^#\/components\/schemas\//, '#/$defs/')
  if (typeof node !== 'object' || node === null) return node
  const { format: _format, ...rest } = node as Record<string, unknown>
  return Object.fromEntries(Object.entries(rest).map(([key, value]) => [key, portable(value)]))
}
