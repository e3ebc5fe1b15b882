/**
 * The schemas of what people write for the reference, as plain functions: table definitions, data files and states.
 *
 * @module
 */

import { transformSync } from 'esbuild'
import type { JsonSchema } from '../spec/json-schema.ts'
import { readData } from '../spec/read-data.ts'
import { factory, pointInto, standaloneCode } from './standalone-code.ts'

const names = ['table', 'data', 'state']

/** A schema under its short name, to which it and the others refer. */
function named(name: string): JsonSchema {
  const text = JSON.stringify(readData(`${name}.schema`))
  const whole = JSON.parse(text.replaceAll(/"\$ref":"(\w+)\.schema\.json"/g, '"$ref":"$1"')) as JsonSchema
  const { $schema: _schema, $id: _id, ...schema } = whole
  return pointInto(schema, name) as JsonSchema
}

/** Text of `spec/generated/shapes.js`. The same schemas give the same text. */
export function compileShapes(): string {
  const roots = names.map((name) => ({ name, schema: named(name) }))
  const { code } = transformSync(`export ${factory('shapes', standaloneCode(roots, {}, false))}`, {
    format: 'esm',
    minify: true,
    // An uncaught error makes Node print the line that it comes from.
    lineLimit: 160,
  })
  return `// Written by scripts/compile-validators.ts from spec/*.schema.json. Do not edit.\n${code}`
}
