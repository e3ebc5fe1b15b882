/**
 * Validates the status, media type and body of a response against the description of its operation.
 *
 * @module
 */

import { mediaType } from '../exchange/media-type.ts'
import type { JsonSchema } from '../spec/json-schema.ts'
import { requirementAt } from '../spec/requirement-at.ts'
import type { OperationId } from '../spec/vocabulary.ts'
import { owesBody } from './judge-wire.ts'
import { grouped, type Mismatch, mismatchOf, type SchemaError, shown, telling } from './mismatch.ts'
import { prune } from './prune.ts'
import type { ExchangeReading } from './reading/reading.ts'

/** A compiled schema. */
export interface CompiledSchema {
  schema: JsonSchema
  /** Names of the keys in it. */
  keys: ReadonlySet<string>
  /** Validates a body of any size: no error, or at least one. */
  check(body: unknown): readonly SchemaError[]
  /** All errors of a body of bounded size. */
  errors(body: unknown): readonly SchemaError[]
}

/** The description of one status of one operation. */
export interface DescribedResponse {
  /** Media types. Empty: no body. */
  types: readonly string[]
  schema: CompiledSchema | undefined
}

const mostErrors = 20

/**
 * @param described undefined for a status without an entry of its own
 * @param range the description of all other statuses, used if `described` is undefined
 * @param statuses all statuses with an entry of their own, for the message
 */
export function judgeResponse(
  { status, contentType, text, body }: ExchangeReading,
  operation: OperationId,
  described: DescribedResponse | undefined,
  range: () => DescribedResponse | undefined,
  statuses: readonly (string | number)[],
): Mismatch[] {
  const what = `${operation} ${status}`
  if (described === undefined) {
    const schema = body === undefined ? undefined : range()?.schema
    return [
      {
        requirement: 'wire.documented-status',
        path: '',
        message: `${operation} returned a status that is not in the API description`,
        expected: statuses.join(', '),
        received: String(status),
      },
      // The document shows bodies without their status, so the body is validated even if the status is unexpected.
      ...(schema === undefined ? [] : judgeBody(body, schema, what)),
    ]
  }
  const { types, schema } = described
  const empty = text === undefined ? body === undefined : text === ''
  if (types.length === 0) {
    if (empty) return []
    return [
      {
        requirement: 'wire.no-empty-success',
        path: '',
        message: `${what} came with a body`,
        expected: 'no body',
        received: text === undefined ? shown(body) : text.slice(0, 200),
      },
    ]
  }
  const mismatches: Mismatch[] = []
  if (!empty && !types.includes(mediaType(contentType))) {
    mismatches.push({
      requirement: 'wire.media-type',
      path: '',
      message: `${what} has another media type`,
      expected: types.join(' or '),
      received: contentType || 'none',
    })
  }
  // If the document shows the body, the wire checks report a missing one.
  if (empty && !owesBody(operation, status)) {
    mismatches.push({
      requirement: (schema && requirementAt(schema.schema, '')) ?? 'wire.schema',
      path: '',
      message: `${what} came without a body`,
      expected: 'a body as described',
      received: 'no body',
    })
  }
  if (body !== undefined && schema !== undefined) mismatches.push(...judgeBody(body, schema, what))
  return mismatches
}

function judgeBody(body: unknown, schema: CompiledSchema, what: string): Mismatch[] {
  try {
    const first = schema.check(body)
    if (first.length === 0) return []
    const part = prune(body, schema.keys)
    const all = part === undefined ? [] : schema.errors(part)
    // Only the first pass, which stops at one error, sees the part that was cut off.
    return grouped(telling(all.length > 0 ? all : first))
      .slice(0, mostErrors)
      .map(({ error, others }) => ({
        ...mismatchOf(error, schema.schema, body, what),
        ...(others > 0 && { others }),
      }))
  } catch (error) {
    if (!(error instanceof RangeError)) throw error
    return [
      {
        requirement: 'wire.schema',
        path: '',
        message: `${what}: the body is nested too deep to validate`,
        expected: 'a body that matches the schema',
        received: 'a body with more levels than fit on the stack',
      },
    ]
  }
}
