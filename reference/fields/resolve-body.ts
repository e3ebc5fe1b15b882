/**
 * The first step of a write: from a body to the values of the whole record. Rules and `validate-values.ts` see the
 * result.
 *
 * @module
 */

import { parseJson } from '../http/strict-json.ts'
import type { Environment, Field, FieldBodyKey, Table, Upload, Value, Values } from '../vocabulary.ts'
import { isUpload } from './upload.ts'

/** A body as a client sent it, with `undefined` for nothing. */
export type RecordBody = Readonly<Record<string, unknown>>

/** Files of a request by the name of their part, which may have a modifier: `docs`, `docs+`. */
export type UploadParts = Readonly<Record<string, readonly Upload[]>>

export interface ResolvedBody {
  /** The whole record as it would be saved: stored values (or zero values), changed by the body. */
  readonly values: Values
  /** `@request.body` for rules: known fields as resolved, unknown keys as sent. */
  readonly body: Readonly<Record<string, Value>>
  /** Names that the client sent, modifiers stripped. */
  readonly sent: ReadonlySet<string>
  /** Uploads for fields of the table, by stored name. */
  readonly uploads: ReadonlyMap<string, Upload>
}

/**
 * Applies a body to a record (contract-records 3.1 to 3.7). Shorter keys are applied first, keys of equal length in
 * body order, so `{"n": 1, "n+": 2}` is 3 in any order.
 *
 * @param stored absent if the record is being created
 * @param drops fields that this caller cannot write: their keys are ignored
 */
export function resolveBody(
  table: Table,
  stored: Values | undefined,
  body: RecordBody,
  parts: UploadParts,
  environment: Environment,
  drops: (field: Field) => boolean = () => false,
): ResolvedBody {
  const values: Record<string, Value> = { ...(stored ?? table.zero) }
  const seen: Record<string, Value> = Object.create(null)
  const sent = new Set<string>()
  const uploads = new Map<string, Upload>()
  for (const [key, input] of entriesInOrder(table.bodyKeys, body, parts)) {
    const target = table.bodyKeys.get(key)
    if (!target) {
      sent.add(key)
      seen[key] = input as Value
      continue
    }
    const { field, modify } = target
    if (drops(field)) continue
    const { name } = field
    values[name] = modify ? modify(values[name] ?? null, input, environment) : field.accept(input)
    seen[name] = values[name]
    sent.add(name)
    if (field.type === 'file') collectUploads(input, uploads)
  }
  return { values, body: seen, sent, uploads }
}

function entriesInOrder(
  keys: ReadonlyMap<string, FieldBodyKey>,
  body: RecordBody,
  parts: UploadParts,
): [string, unknown][] {
  const files = Object.entries(parts).filter(([key]) => keys.get(key)?.field.type === 'file')
  const entries = files.length === 0 ? Object.entries(body) : withFiles(body, files)
  const modified = entries.some(([key]) => keys.get(key)?.modify)
  return modified ? entries.sort(([a], [b]) => a.length - b.length) : entries
}

function withFiles(
  body: RecordBody,
  parts: readonly (readonly [string, readonly Upload[]])[],
): [string, unknown][] {
  const merged = new Map(Object.entries(body))
  for (const [key, files] of parts)
    merged.set(key, merged.has(key) ? [...asList(merged.get(key)), ...files] : files)
  return [...merged]
}

/** Names in the body next to uploads. A string may be a JSON list of names. */
function asList(input: unknown): unknown[] {
  if (Array.isArray(input)) return input
  if (typeof input !== 'string' || !input.startsWith('[')) return [input]
  const parsed = parseJson(input)
  return Array.isArray(parsed) ? parsed : [input]
}

function collectUploads(input: unknown, uploads: Map<string, Upload>): void {
  for (const part of Array.isArray(input) ? input : [input])
    if (isUpload(part)) uploads.set(part.storedName, part)
}
