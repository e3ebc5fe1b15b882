/**
 * The schemas that the build compiles. Each is parsed when a response first needs it.
 *
 * The compiled code is imported like any other, so that bundlers find it. A synchronous `validate` could not wait for
 * code that is loaded later.
 *
 * @module
 */

import { formats } from '../spec/formats.ts'
import { type JsonSchema, keysOf } from '../spec/json-schema.ts'
import { neverShown } from '../spec/requirement-at.ts'
import { rangeOf, type StatusRange } from '../spec/status-range.ts'
import type { Basis, Level, OperationId } from '../spec/vocabulary.ts'
import { explanations } from './generated/explanations.js'
import { type Check, checks, operations, requirements, schemas } from './generated/responses.js'
import type { CompiledSchema, DescribedResponse } from './judge-response.ts'
import type { SchemaError } from './mismatch.ts'
import { textLength } from './text-length.ts'

/** By media type, the names of the schemas for complete and for selected bodies. */
export interface ResponseEntry {
  types: readonly string[]
  whole?: string
  picked?: string
}

export interface OperationEntry {
  id: OperationId
  /** By status. */
  responses: Readonly<Record<string, ResponseEntry>>
  /** By range, for statuses that are not in `responses`. */
  ranges: Readonly<Partial<Record<StatusRange, ResponseEntry>>>
  /** The names of what a request may contain: see `describedParameters` in `spec/described-parameters.ts`. */
  parameters: readonly string[]
  /** Who may send it. */
  actors: readonly string[]
}

export interface KnownRequirement {
  statement: string
  level: Level
  basis: Basis
  source: string
}

interface Schemas {
  whole: Record<string, JsonSchema>
  picked: Record<string, JsonSchema>
  roots: Record<string, JsonSchema>
}

const none: readonly SchemaError[] = []
const compiled = new Map<string, CompiledSchema>()
const described = new Map<string, DescribedResponse>()
let quick: Record<string, Check> | undefined
let thorough: Record<string, Check> | undefined
let entries: readonly OperationEntry[] | undefined
let byId: ReadonlyMap<OperationId, OperationEntry> | undefined
let known: Record<string, KnownRequirement> | undefined
let parsed: Schemas | undefined

/** In the order of the description. */
export function operationEntries(): readonly OperationEntry[] {
  entries ??= JSON.parse(operations) as OperationEntry[]
  return entries
}

/** The description of one operation. @throws if there is none with this id */
export function operationEntry(id: OperationId): OperationEntry {
  byId ??= new Map(operationEntries().map((entry) => [entry.id, entry]))
  const entry = byId.get(id)
  if (entry === undefined) throw new Error(`the description has no operation "${id}"`)
  return entry
}

/** A requirement. All that the validator can report are known. */
export function knownRequirement(id: string): KnownRequirement | undefined {
  known ??= JSON.parse(requirements) as Record<string, KnownRequirement>
  return known[id]
}

/** All requirements that the validator can report. */
export function knownRequirements(): readonly string[] {
  knownRequirement('')
  return Object.keys(known ?? {})
}

/** The description of exactly this status. @returns undefined for a status without an entry of its own */
export function describedResponse(
  entry: OperationEntry,
  status: number,
  picked: boolean,
): DescribedResponse | undefined {
  return ready(entry.responses[status], `${entry.id} ${status} ${picked}`, picked)
}

/** The description of all other statuses of a class, for a status without an entry of its own. */
export function describedRange(
  entry: OperationEntry,
  status: number,
  picked: boolean,
): DescribedResponse | undefined {
  const range = rangeOf(status)
  return ready(entry.ranges[range], `${entry.id} ${range} ${picked}`, picked)
}

function ready(
  response: ResponseEntry | undefined,
  key: string,
  picked: boolean,
): DescribedResponse | undefined {
  const kept = described.get(key)
  if (kept !== undefined || response === undefined) return kept
  const name = picked ? response.picked : response.whole
  const found = { types: response.types, schema: name === undefined ? undefined : schemaOf(name) }
  described.set(key, found)
  return found
}

/** Ids of the requirements that a schema violation can break. */
export function requirementsOf(schema: JsonSchema): ReadonlySet<string> {
  const found = new Set<string>()
  // A part of one with `x-left-open` may also occur outside of it.
  const seen = { shown: new Set<unknown>(), open: new Set<unknown>() }
  function visit(node: unknown, around: keyof typeof seen): void {
    if (typeof node !== 'object' || node === null) return
    const part = node as JsonSchema
    const kind = typeof part['x-left-open'] === 'string' ? 'open' : around
    if (seen[kind].has(node)) return
    seen[kind].add(node)
    for (const [key, value] of Object.entries(part)) {
      if (key === '$defs') continue
      if (key === 'x-left-open') found.add(String(value))
      if (key === 'x-requirement' && (kind === 'shown' || neverShown.includes(String(value))))
        found.add(String(value))
      if (key === '$ref') visit((schema.$defs as Record<string, unknown>)[nameIn(String(value))], kind)
      visit(value, kind)
    }
  }
  visit(schema, 'shown')
  return found
}

function schemaOf(name: string): CompiledSchema {
  const kept = compiled.get(name)
  if (kept !== undefined) return kept
  quick ??= checks(formats, textLength)
  const check = quick[name]
  if (check === undefined)
    throw new Error(`The build has compiled no schema "${name}". Run npm run build again.`)
  let schema: JsonSchema | undefined
  let keys: ReadonlySet<string> | undefined
  const made: CompiledSchema = {
    get schema() {
      schema ??= whole(name)
      return schema
    },
    get keys() {
      keys ??= keysOf(made.schema)
      return keys
    },
    check: (body) => (check(body) ? none : (check.errors ?? none)),
    errors: (body) => {
      // Most programs never come here: the functions are made when the first error needs them.
      thorough ??= explanations(formats, textLength)
      const explain = thorough[name] ?? check
      return explain(body) ? none : (explain.errors ?? none)
    },
  }
  compiled.set(name, made)
  return made
}

/** A root schema with everything that it references under `$defs`, as `requirementAt` expects it. */
function whole(name: string): JsonSchema {
  parsed ??= JSON.parse(schemas) as Schemas
  const root = parsed.roots[name] ?? {}
  const $defs = JSON.stringify(root).includes('"picked#') ? parsed.picked : parsed.whole
  return unpointed({ ...root, $defs }) as JsonSchema
}

function unpointed(node: unknown): unknown {
  if (Array.isArray(node)) return node.map(unpointed)
  if (typeof node !== 'object' || node === null) return node
  return Object.fromEntries(
    Object.entries(node).map(([key, value]) => [
      key,
      key === '$ref' ? `#/$defs/${nameIn(String(value))}` : unpointed(value),
    ]),
  )
}

function nameIn(reference: string): string {
  return reference.slice(reference.lastIndexOf('/') + 1)
}
