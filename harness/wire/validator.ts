/**
 * Holds a response against the description. Every schema is compiled before the first request; one that does not
 * compile is our defect and stops everything.
 *
 * @module
 */

import { Ajv2020 } from 'ajv/dist/2020.js'
import { formats } from '../../spec/formats.ts'
import { type JsonSchema, keysOf } from '../../spec/json-schema.ts'
import {
  extensionKeywords,
  type OperationSpec,
  operations,
  requestSchema,
  responseSchema,
} from '../../spec/openapi.ts'
import type { OperationId } from '../../spec/vocabulary.ts'
import { type CompiledSchema, judgeResponse } from '../../validate/judge-response.ts'
import type { Mismatch, SchemaError } from '../../validate/mismatch.ts'
import { HarnessError } from '../errors.ts'

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
  /** The same for a form. */
  formMistake(operation: OperationId, form: FormData): string | undefined
  /** The same for the parameters of a query; undefined values are not sent. */
  queryMistake(operation: OperationId, query: Readonly<Record<string, unknown>>): string | undefined
}

/** @throws HarnessError when a schema of the description does not compile. */
export function createValidator(described: readonly OperationSpec[] = operations()): Validator {
  const ajv = new Ajv2020({
    strict: true,
    strictTypes: false,
    strictRequired: false,
    allErrors: true,
    formats,
    // It takes longer than all that the faster functions save in a run.
    code: { optimize: false },
  })
  for (const word of extensionKeywords) if (ajv.getKeyword(word) === false) ajv.addKeyword(word)
  const byId = new Map<string, OperationSpec>(described.map((each) => [each.id, each]))
  const responses = new Map<string, CompiledSchema>()
  const requests = new Map<string, CompiledSchema>()
  const forms = new Map<string, CompiledSchema>()
  const queries = new Map<string, ReadonlyMap<string, QueryParameter>>()
  const compiled = new Map<JsonSchema, CompiledSchema>()

  function compile(schema: JsonSchema, place: string): CompiledSchema {
    const known = compiled.get(schema)
    if (known !== undefined) return known
    try {
      const validate = ajv.compile(schema)
      const errors = (body: unknown) => (validate(body) ? [] : (validate.errors ?? []))
      const made: CompiledSchema = {
        schema,
        keys: keysOf(schema),
        check: errors,
        errors,
      }
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
    const form = requestSchema(operation, 'multipart/form-data')
    if (form !== undefined) forms.set(operation.id, compile(form, `the ${operation.id} form`))
    const parameters = operation.parameters.map(({ in: place, name, schema }) => ({
      place,
      name,
      isInteger: schema.type === 'integer',
      compiled: compile(schema, `the ${operation.id} ${name}`),
    }))
    queries.set(
      operation.id,
      new Map(parameters.filter(({ place }) => place === 'query').map((each) => [each.name, each])),
    )
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
    const described = spec && {
      types: Object.keys(spec.content),
      schema: responses.get(`${id} ${status} ${picked}`),
    }
    return judgeResponse({ operation: id, status, contentType, text, body }, described, [
      ...operation.responses.keys(),
    ])
  }

  return {
    response,
    requestMistake: (id, body) => mistakeIn('the body', requests.get(id)?.check(body) ?? []),
    formMistake(id, form) {
      const schema = forms.get(id)
      return schema === undefined ? `${id} takes no form` : mistakeIn('the form', schema.check(partsOf(form)))
    },
    queryMistake(id, query) {
      const parameters = queries.get(id)
      for (const [key, value] of Object.entries(query)) {
        if (value === undefined) continue
        const parameter = parameters?.get(key)
        if (parameter === undefined) return `the parameter ${key} is not described`
        const mistake = mistakeIn(key, parameter.compiled.check(spoken(String(value), parameter)))
        if (mistake !== undefined) return mistake
      }
      return undefined
    },
  }
}

interface QueryParameter {
  isInteger: boolean
  compiled: CompiledSchema
}

function mistakeIn(what: string, errors: readonly SchemaError[]): string | undefined {
  if (errors.length === 0) return undefined
  return errors
    .map(
      ({ instancePath, keyword, params }) => `${instancePath || what} ${keyword} ${JSON.stringify(params)}`,
    )
    .join('; ')
}

/** A parameter travels as a text, and a number is meant by one that is written like one. */
function spoken(text: string, { isInteger }: QueryParameter): string | number {
  return isInteger && /^-?\d+$/.test(text) ? Number(text) : text
}

/** The object that the parts of a form make: a part repeated is a list. What is in a file is nobody's business here. */
function partsOf(form: FormData): Record<string, unknown> {
  return Object.fromEntries(
    [...new Set(form.keys())].map((name) => {
      const values = form.getAll(name).map((value) => (typeof value === 'string' ? value : value.name))
      return [name, values.length === 1 ? values[0] : values]
    }),
  )
}
