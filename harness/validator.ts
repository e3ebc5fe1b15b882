/**
 * Holds a response against the description. Every schema is compiled before the first request; one that does not
 * compile is our defect and stops everything.
 *
 * @module
 */

import { Ajv2020, type ErrorObject, type ValidateFunction } from 'ajv/dist/2020.js'
import { formats } from '../spec/formats.ts'
import { type JsonSchema, requirementAt } from '../spec/json-schema.ts'
import {
  extensionKeywords,
  type OperationSpec,
  operations,
  requestSchema,
  responseSchema,
} from '../spec/openapi.ts'
import type { OperationId } from '../spec/vocabulary.ts'
import { HarnessError } from './errors.ts'

/** One thing wrong with a response. */
export interface Mismatch {
  /** The requirement nearest to it, or one of the `wire.*` requirements. */
  requirement: string
  message: string
  expected: string
  received: string
}

export interface ReceivedResponse {
  status: number
  contentType: string
  text: string
  /** Parsed JSON; undefined where there is none. */
  body: unknown
  /** The caller picked keys with the `fields` parameter. */
  picked: boolean
}

export interface Validator {
  response(operation: OperationId, received: ReceivedResponse): Mismatch[]
  /** What is wrong with a body that the suite itself is about to send; undefined when nothing is. */
  requestMistake(operation: OperationId, body: unknown): string | undefined
}

interface Compiled {
  schema: JsonSchema
  validate: ValidateFunction
}

const mostErrors = 5
/** The part of the description that forbids what no answer may show. */
const secrets = /AuthRecordSecrets/

/** @throws HarnessError when a schema of the description does not compile. */
export function createValidator(described: readonly OperationSpec[] = operations()): Validator {
  const ajv = new Ajv2020({
    strict: true,
    strictTypes: false,
    strictRequired: false,
    allErrors: true,
    verbose: true,
    formats,
  })
  for (const word of extensionKeywords) if (ajv.getKeyword(word) === false) ajv.addKeyword(word)
  const byId = new Map<string, OperationSpec>(described.map((each) => [each.id, each]))
  const responses = new Map<string, Compiled>()
  const requests = new Map<string, Compiled>()
  const compiled = new Map<JsonSchema, Compiled>()

  function compile(schema: JsonSchema, place: string): Compiled {
    const known = compiled.get(schema)
    if (known !== undefined) return known
    try {
      const made = { schema, validate: ajv.compile(schema) }
      compiled.set(schema, made)
      return made
    } catch (error) {
      throw new HarnessError(
        `the schema of ${place} does not compile: ${error instanceof Error ? error.message : String(error)}`,
      )
    }
  }

  for (const operation of described) {
    const request = requestSchema(operation)
    if (request !== undefined) requests.set(operation.id, compile(request, `the ${operation.id} request`))
    for (const status of operation.responses.keys()) {
      for (const picked of [false, true]) {
        const schema = responseSchema(operation, status, { picked })
        if (schema !== undefined)
          responses.set(`${operation.id} ${status} ${picked}`, compile(schema, `${operation.id} ${status}`))
      }
    }
  }

  function response(
    id: OperationId,
    { status, contentType, text, body, picked }: ReceivedResponse,
  ): Mismatch[] {
    const operation = byId.get(id)
    if (operation === undefined) throw new HarnessError(`the description has no operation "${id}"`)
    const spec = operation.responses.get(status)
    if (spec === undefined) {
      const known = [...operation.responses.keys()].join(', ')
      return [
        {
          requirement: 'wire.documented-status',
          message: `${id} gave a status that is not described`,
          expected: known,
          received: String(status),
        },
      ]
    }
    const types = Object.keys(spec.content)
    const what = `${id} ${status}`
    if (types.length === 0) {
      if (text === '') return []
      return [
        {
          requirement: 'wire.no-empty-success',
          message: `${what} came with a body`,
          expected: 'no body',
          received: text.slice(0, 200),
        },
      ]
    }
    const mismatches: Mismatch[] = []
    const type = contentType.split(';')[0]?.trim().toLowerCase() ?? ''
    if (text !== '' && !types.includes(type)) {
      mismatches.push({
        requirement: 'wire.media-type',
        message: `${what} has another media type`,
        expected: types.join(' or '),
        received: contentType || 'none',
      })
    }
    if (body === undefined) return mismatches
    const found = responses.get(`${id} ${status} ${picked}`)
    if (found === undefined || found.validate(body)) return mismatches
    for (const error of telling(found.validate.errors ?? []).slice(0, mostErrors)) {
      mismatches.push({
        requirement:
          requirementAt(found.schema, placeOf(error)) ??
          (secrets.test(error.schemaPath) ? 'wire.no-secrets' : 'wire.schema'),
        message: `${what}: ${error.instancePath === '' ? 'the body' : error.instancePath} ${error.message ?? 'is wrong'}`,
        expected: expectation(error),
        received: JSON.stringify(error.data)?.slice(0, 300) ?? String(error.data),
      })
    }
    return mismatches
  }

  return {
    response,
    requestMistake(id, body) {
      const request = requests.get(id)
      if (request === undefined || request.validate(body)) return undefined
      return (request.validate.errors ?? [])
        .map((error) => `${error.instancePath || 'the body'} ${error.message}`)
        .join('; ')
    },
  }
}

/** Pointer of the value that is wrong; for a missing key of the key. */
function placeOf(error: ErrorObject): string {
  const { missingProperty, additionalProperty } = error.params as {
    missingProperty?: string
    additionalProperty?: string
  }
  const key = missingProperty ?? additionalProperty
  return key === undefined
    ? error.instancePath
    : `${error.instancePath}/${key.replaceAll('~', '~0').replaceAll('/', '~1')}`
}

/** `if`, `anyOf` and the like report each branch and then themselves: the branches tell more. */
function telling(errors: ErrorObject[]): ErrorObject[] {
  const leaves = errors.filter(({ keyword }) => !['if', 'allOf', 'anyOf', 'oneOf'].includes(keyword))
  return leaves.length > 0 ? leaves : errors
}

function expectation({ keyword, schema, params }: ErrorObject): string {
  if (keyword === 'required') return `key ${(params as { missingProperty: string }).missingProperty}`
  if (keyword === 'not' || keyword === 'false schema' || keyword === 'additionalProperties')
    return 'no such key'
  return `${keyword} ${JSON.stringify(schema)}`
}
