/**
 * Validates the suite's own requests against the API description, with the schemas that the build compiles: a bug of
 * ours must not look like one of the server.
 *
 * @module
 */

import { formats } from '../../spec/formats.ts'
import type { OperationId } from '../../spec/vocabulary.ts'
import { requestChecks, requests } from '../../validate/generated/requests.js'
import type { Check } from '../../validate/generated/responses.js'
import type { SchemaError } from '../../validate/mismatch.ts'
import { textLength } from '../../validate/text-length.ts'
import { HarnessError } from '../errors.ts'
import type { Body, Query } from '../vocabulary/api.ts'

interface QueryParameter {
  type: 'string' | 'integer' | 'boolean'
  /** Other strings with the meaning of one of its values. */
  spellings?: readonly string[]
  schema: string
}

/** The input of an operation, as names of compiled schemas. */
interface RequestEntry {
  body?: string
  form?: string
  query: Record<string, QueryParameter>
}

let requestEntries: Record<string, RequestEntry> | undefined
let checks: Record<string, Check> | undefined

/** The error in a request that the suite is about to send; undefined if it is valid. */
export function requestMistake(
  operation: OperationId,
  query: Query,
  body?: Body | FormData,
): string | undefined {
  const mistake = queryMistake(operation, query)
  if (mistake !== undefined || body === undefined) return mistake
  return body instanceof FormData ? formMistake(operation, body) : bodyMistake(operation, body)
}

/** An `mfaId` is sent back as it came, and the document gives no type of it (section 4.2). */
function bodyMistake(operation: OperationId, body: Body): string | undefined {
  const { mfaId } = body
  const asDescribed = typeof mfaId === 'number' ? { ...body, mfaId: String(mfaId) } : body
  return mistakeIn('the body', errorsIn(request(operation).body, asDescribed))
}

function formMistake(operation: OperationId, form: FormData): string | undefined {
  const check = request(operation).form
  if (check === undefined) return `${operation} does not accept a form`
  return mistakeIn('the form', errorsIn(check, partsOf(form)))
}

/** Undefined values are not sent. */
function queryMistake(operation: OperationId, query: Query): string | undefined {
  const parameters = request(operation).query
  for (const [key, value] of Object.entries(query)) {
    if (value === undefined) continue
    const parameter = Object.hasOwn(parameters, key) ? parameters[key] : undefined
    if (parameter === undefined) return `the parameter ${key} is not in the API description`
    const mistake = mistakeIn(key, errorsIn(parameter.schema, spoken(String(value), parameter)))
    if (mistake !== undefined) return mistake
  }
  return undefined
}

function request(id: OperationId): RequestEntry {
  requestEntries ??= JSON.parse(requests) as Record<string, RequestEntry>
  return requestEntries[id] ?? { query: {} }
}

/** @param name of the compiled schema; without one, everything is valid */
function errorsIn(name: string | undefined, value: unknown): readonly SchemaError[] {
  if (name === undefined) return []
  checks ??= requestChecks(formats, textLength)
  const check = checks[name]
  if (check === undefined)
    throw new HarnessError(`the build has compiled no schema "${name}": run npm run build again`)
  return check(value) ? [] : (check.errors ?? [])
}

function mistakeIn(what: string, errors: readonly SchemaError[]): string | undefined {
  if (errors.length === 0) return undefined
  return errors
    .map(
      ({ instancePath, keyword, params }) => `${instancePath || what} ${keyword} ${JSON.stringify(params)}`,
    )
    .join('; ')
}

/**
 * A parameter is sent as a string: returns the value that it represents, or the string itself if it has none of the
 * type.
 */
function spoken(text: string, { type, spellings = [] }: QueryParameter): string | number | boolean {
  if (type === 'integer' && /^-?\d+$/.test(text)) return Number(text)
  if (type === 'boolean' && (text === 'true' || text === 'false' || spellings.includes(text)))
    return text === 'true'
  return text
}

/** The parts of a form as an object: a repeated part is a list. The content of files does not matter here. */
function partsOf(form: FormData): Record<string, unknown> {
  return Object.fromEntries(
    [...new Set(form.keys())].map((name) => {
      const values = form.getAll(name).map((value) => (typeof value === 'string' ? value : value.name))
      return [name, values.length === 1 ? values[0] : values]
    }),
  )
}
