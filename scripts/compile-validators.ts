/**
 * Step of `npm run build`: the response schemas of the description become plain functions, so that whoever validates
 * compiles nothing, evaluates no text as code, and loads no schema library.
 *
 * @module
 */

import { createHash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { mkdir, writeFile } from 'node:fs/promises'
import { resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { _, Ajv } from 'ajv'
import standalone from 'ajv/dist/standalone/index.js'
import { sourceOf } from '../harness/judging/judge.ts'
import { formats } from '../spec/formats.ts'
import type { JsonSchema } from '../spec/json-schema.ts'
import { extensionKeywords, openApiDocument, operations, responseSchema } from '../spec/openapi.ts'
import { requirement } from '../spec/requirements.ts'
import { claimsBeyondSchema } from '../validate/claims.ts'

interface Root {
  name: string
  /** The schema with its references leading into `whole` or `picked`. */
  schema: JsonSchema
}

const documentPrefix = '/api/v1'
const standaloneCode = standalone as unknown as typeof standalone.default

/** Texts of the files in `validate/generated/`, by name. The same description gives the same texts. */
export function compileValidators(): Record<string, string> {
  const defs: Record<'whole' | 'picked', Record<string, JsonSchema>> = { whole: {}, picked: {} }
  const roots = new Map<string, Root>()
  const entries = operations().map((operation) => ({
    id: operation.id,
    method: operation.method,
    segments: operation.path.slice(documentPrefix.length + 1).split('/'),
    responses: Object.fromEntries(
      [...operation.responses].map(([status, { content }]) => {
        const names = (['whole', 'picked'] as const).map((kind) => {
          const schema = responseSchema(operation, status, { picked: kind === 'picked' })
          // Refusals are never picked from.
          return schema && rootOf(schema, status < 300 ? kind : 'whole')
        })
        return [
          status,
          { types: Object.keys(content), ...(names[0] && { whole: names[0], picked: names[1] }) },
        ]
      }),
    ),
  }))

  function rootOf({ $defs, $schema: _schema, ...body }: JsonSchema, kind: 'whole' | 'picked'): string {
    Object.assign(defs[kind], $defs)
    const schema = pointInto(body, kind) as JsonSchema
    const key = JSON.stringify(schema)
    const known = roots.get(key) ?? { name: `r${roots.size}`, schema }
    roots.set(key, known)
    return known.name
  }

  const all = [...roots.values()]
  const schemas = {
    whole: defs.whole,
    picked: defs.picked,
    roots: Object.fromEntries(all.map(({ name, schema }) => [name, schema])),
  }
  const ids = new Set<string>([...claimsBeyondSchema, ...requirementsIn(schemas)])
  const requirements = Object.fromEntries(
    [...ids].sort().map((id) => {
      const { statement, level, basis } = requirement(id)
      return [id, { statement, level, basis, source: sourceOf(requirement(id)) }]
    }),
  )
  const text = (name: string, value: unknown) =>
    `export const ${name} = ${JSON.stringify(JSON.stringify(value))}\n`
  const head = '// Written by scripts/compile-validators.ts from spec/openapi.yaml. Do not edit.\n'
  return {
    'responses.js': [
      head,
      `export ${factory('checks', codeOf(all, defs, false))}`,
      text('operations', entries),
      text('schemas', schemas),
      text('requirements', requirements),
      `export const fingerprint = ${JSON.stringify(fingerprint())}\n`,
    ].join('\n'),
    // Loaded at the first error only, which a module cannot be without waiting.
    'explanations.cjs': `${head}module.exports = ${factory('explanations', codeOf(all, defs, true))}`,
  }
}

/** Changes when the description does. */
export function fingerprint(): string {
  return createHash('sha256').update(JSON.stringify(openApiDocument())).digest('hex').slice(0, 16)
}

function codeOf(
  roots: readonly Root[],
  defs: Record<'whole' | 'picked', Record<string, JsonSchema>>,
  allErrors: boolean,
): string {
  // The older dialect's class writes half the code. Strict, it refuses every keyword that only the newer one has.
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
  for (const kind of ['whole', 'picked'] as const)
    ajv.addSchema({ $id: kind, $defs: pointInto(defs[kind], kind) as object })
  for (const { name, schema } of roots) ajv.addSchema({ ...schema, $id: name })
  const code = standaloneCode(ajv, Object.fromEntries(roots.map(({ name }) => [name, name])))
    .replace('"use strict";', '')
    .replaceAll('require("ajv/dist/runtime/ucs2length").default', 'textLength')
  const left = /require\([^)]*\)/.exec(code)
  if (left)
    throw new Error(`The compiled schemas need ${left[0]}, which this script does not know how to inline.`)
  return code
}

function factory(name: string, code: string): string {
  return `function ${name}(formats, textLength) {\n'use strict'\nconst exports = {}\n${code}\nreturn exports\n}\n`
}

function pointInto(node: unknown, kind: string): unknown {
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

function requirementsIn(node: unknown): string[] {
  if (typeof node !== 'object' || node === null) return []
  return Object.entries(node).flatMap(([key, value]) =>
    (key === 'x-requirement' || key === 'x-left-open') && typeof value === 'string'
      ? [value]
      : requirementsIn(value),
  )
}

async function write(folder: URL): Promise<void> {
  await mkdir(folder, { recursive: true })
  for (const [name, text] of Object.entries(compileValidators())) await writeFile(new URL(name, folder), text)
}

if (process.argv[1] !== undefined && resolve(process.argv[1]) === fileURLToPath(import.meta.url)) {
  // As dist/scripts/compile-validators.js it writes for the package, and for the sources that stand beside dist.
  await write(new URL('../validate/generated/', import.meta.url))
  const sources = new URL('../../validate/generated/', import.meta.url)
  if (existsSync(new URL('responses.d.ts', sources))) await write(sources)
}
