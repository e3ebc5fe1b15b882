/**
 * Step of `npm run build`, and of tests that use no build: the schemas of the description become plain functions, so that validation
 * compiles nothing, evaluates no string as code, and loads no schema library.
 *
 * @module
 */

import { createHash } from 'node:crypto'
import { writeFile } from 'node:fs/promises'
import { resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describedActors, describedParameters } from '../spec/described-parameters.ts'
import type { JsonSchema } from '../spec/json-schema.ts'
import {
  type OperationSpec,
  openApiDocument,
  operations,
  parameterSchema,
  type ResponseSpec,
  requestSchema,
  responseSchema,
} from '../spec/openapi.ts'
import { requirement, sourceOf } from '../spec/requirements.ts'
import { isSuccess, type StatusRange } from '../spec/status-range.ts'
import { claimsBeyondSchema } from '../validate/claims.ts'
import type { ResponseEntry } from '../validate/operation-entries.ts'
import { compileShapes } from './compile-shapes.ts'
import { factory, pointInto, type SchemaRoot, standaloneCode } from './standalone-code.ts'
import { writeParsedCopies } from './write-parsed-copies.ts'

const head = '// Written by scripts/compile-validators.ts from spec/openapi.yaml. Do not edit.\n'

/** Contents of the files in `validate/generated/`, by path. The same description gives the same contents. */
export function compileValidators(): Record<string, string> {
  const defs: Record<'whole' | 'picked', Record<string, JsonSchema>> = { whole: {}, picked: {} }
  const roots = new Map<string, SchemaRoot>()
  const entries = operations().map((operation) => ({
    id: operation.id,
    responses: entriesOf(operation, [...operation.responses.values()]),
    ranges: entriesOf(operation, [...operation.ranges.values()]),
    parameters: describedParameters(operation),
    actors: describedActors(operation),
  }))

  function entriesOf(
    operation: OperationSpec,
    responses: readonly ResponseSpec<number | StatusRange>[],
  ): Record<string, ResponseEntry> {
    return Object.fromEntries(
      responses.map(({ status, content }) => {
        const [whole, picked] = (['whole', 'picked'] as const).map((kind) => {
          const schema = responseSchema(operation, status, { picked: kind === 'picked' })
          // Errors are never picked from.
          return schema && rootOf(schema, isSuccess(status) ? kind : 'whole')
        })
        return [status, { types: Object.keys(content), ...(whole && { whole, picked }) }]
      }),
    )
  }

  function rootOf(whole: JsonSchema, kind: 'whole' | 'picked'): string {
    const schema = withoutDefs(whole, kind, defs[kind])
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
  return {
    'validate/generated/responses.js': [
      head,
      `export ${factory('checks', standaloneCode(all, defs, false))}`,
      jsonConstant('operations', entries),
      jsonConstant('schemas', schemas),
      jsonConstant('requirements', requirements),
      `export const fingerprint = ${JSON.stringify(fingerprint())}\n`,
    ].join('\n'),
    'validate/generated/explanations.js': `${head}\nexport ${factory('explanations', standaloneCode(all, defs, true))}`,
    'validate/generated/requests.js': compileRequests(),
  }
}

/** Text of `requests.js`: how the suite validates what it sends. Checks send what is out of bounds on purpose. */
function compileRequests(): string {
  const defs: Record<string, JsonSchema> = {}
  const roots: SchemaRoot[] = []
  function add(schema: JsonSchema | undefined): string | undefined {
    if (schema === undefined) return undefined
    const name = `q${roots.length}`
    roots.push({ name, schema: withoutDefs(schema, 'request', defs) })
    return name
  }
  const unbounded = { unbounded: true }
  const entries = operations().map((operation) => [
    operation.id,
    {
      body: add(requestSchema(operation, 'application/json', unbounded)),
      form: add(requestSchema(operation, 'multipart/form-data', unbounded)),
      query: Object.fromEntries(
        operation.parameters
          .filter((parameter) => parameter.in === 'query')
          .map((parameter) => [
            parameter.name,
            {
              type: parameter.schema.type,
              spellings: parameter.schema['x-spellings'],
              schema: add(parameterSchema(parameter, unbounded)),
            },
          ]),
      ),
    },
  ])
  return [
    head,
    `export ${factory('requestChecks', standaloneCode(roots, { request: defs }, true))}`,
    jsonConstant('requests', Object.fromEntries(entries)),
  ].join('\n')
}

/** The schema alone. What it refers to goes to the `defs` of its kind, once for all that share them. */
function withoutDefs(
  { $defs, $schema: _schema, ...body }: JsonSchema,
  kind: string,
  defs: Record<string, JsonSchema>,
): JsonSchema {
  Object.assign(defs, $defs)
  return pointInto(body, kind) as JsonSchema
}

function jsonConstant(name: string, value: unknown): string {
  return `export const ${name} = ${JSON.stringify(JSON.stringify(value))}\n`
}

/** Changes when the description does. */
export function fingerprint(): string {
  return createHash('sha256').update(JSON.stringify(openApiDocument())).digest('hex').slice(0, 16)
}

function requirementsIn(node: unknown): string[] {
  if (typeof node !== 'object' || node === null) return []
  return Object.entries(node).flatMap(([key, value]) =>
    (key === 'x-requirement' || key === 'x-left-open') && typeof value === 'string'
      ? [value]
      : requirementsIn(value),
  )
}

/**
 * Writes the files of `validate/generated/`, `spec/generated/shapes.js`, and the parsed copies of the files of `spec/`.
 */
export async function writeValidators(): Promise<void> {
  await writeParsedCopies()
  const strings = { ...compileValidators(), 'spec/generated/shapes.js': compileShapes() }
  for (const [path, text] of Object.entries(strings))
    await writeFile(new URL(`../${path}`, import.meta.url), text)
}

if (process.argv[1] !== undefined && resolve(process.argv[1]) === fileURLToPath(import.meta.url)) {
  await writeValidators()
}
