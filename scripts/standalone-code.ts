/**
 * JSON Schemas as plain functions that load nothing.
 *
 * @module
 */

import { _, Ajv } from 'ajv'
import standalone from 'ajv/dist/standalone/index.js'
import { formats } from '../spec/formats.ts'
import type { JsonSchema } from '../spec/json-schema.ts'
import { extensionKeywords } from '../spec/openapi.ts'

export interface SchemaRoot {
  name: string
  /** The schema with its references leading into one of the `defs` of `standaloneCode`. */
  schema: JsonSchema
}

const generateCode = standalone as unknown as typeof standalone.default

/**
 * @param defs what the roots refer to, by the names that `pointInto` was given
 * @returns the body of a function that sets one check for each root on `exports`
 * @throws for a schema that does not compile, or needs what the code would have to load
 */
export function standaloneCode(
  roots: readonly SchemaRoot[],
  defs: Readonly<Record<string, Record<string, JsonSchema>>>,
  allErrors: boolean,
): string {
  // The older dialect's class writes half the code. Strict, it rejects every keyword that only the newer one has.
  const ajv = new Ajv({
    strict: true,
    strictTypes: false,
    strictRequired: false,
    allErrors,
    inlineRefs: false,
    messages: false,
    formats,
    code: { source: true, formats: _`formats`, optimize: 2 },
  })
  for (const word of extensionKeywords) if (ajv.getKeyword(word) === false) ajv.addKeyword(word)
  for (const [kind, of] of Object.entries(defs))
    ajv.addSchema({ $id: kind, $defs: pointInto(of, kind) as object })
  for (const { name, schema } of roots) ajv.addSchema({ ...schema, $id: name })
  const code = generateCode(ajv, Object.fromEntries(roots.map(({ name }) => [name, name])))
    .replace('"use strict";', '')
    .replaceAll('require("ajv/dist/runtime/ucs2length").default', 'textLength')
  const left = /require\([^)]*\)/.exec(code)
  if (left)
    throw new Error(`The compiled schemas need ${left[0]}, which this script does not know how to inline.`)
  return code
}

/** That body as a function of its own, which is given what it needs. */
export function factory(name: string, code: string): string {
  return `function ${name}(formats, textLength) {\n'use strict'\nconst exports = {}\n${code}\nreturn exports\n}\n`
}

/** The node with its references to `$defs` leading into the schema of that name. */
export function pointInto(node: unknown, kind: string): unknown {
  if (Array.isArray(node)) return node.map((each) => pointInto(each, kind))
  if (typeof node !== 'object' || node === null) return node
  return Object.fromEntries(
    Object.entries(node).map(([key, value]) => [
      key,
      key === '$ref' && typeof value === 'string' && value.startsWith('#')
        ? kind + value
        : pointInto(value, kind),
    ]),
  )
}
