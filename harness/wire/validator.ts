/**
 * Holds a response against the description, with the schemas that the build has compiled: the same that the library
 * judges with. Schemas of requests are compiled here, each when the suite first sends one of its kind.
 *
 * @module
 */

import { Ajv2020 } from 'ajv/dist/2020.js'
import { formats } from '../../spec/formats.ts'
import type { JsonSchema } from '../../spec/json-schema.ts'
import { extensionKeywords, type OperationSpec, operations, requestSchema } from '../../spec/openapi.ts'
import type { OperationId } from '../../spec/vocabulary.ts'
import { describedResponse, type OperationEntry, operationEntries } from '../../validate/compiled.ts'
import { judgeResponse } from '../../validate/judge-response.ts'
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

type Check = (value: unknown) => readonly SchemaError[]

interface QueryParameter {
  isInteger: boolean
  check: Check
}

/** @param described operations whose requests the suite sends */
export function createValidator(described: readonly OperationSpec[] = operations()): Validator {
  const compile = requestCompiler()
  const byId = new Map(described.map((each) => [each.id, each]))
  const entries = new Map<string, OperationEntry>(operationEntries().map((each) => [each.id, each]))
  const bodies = lazily((id: OperationId) => schemaCheck(id, 'request', 'application/json'))
  const forms = lazily((id: OperationId) => schemaCheck(id, 'form', 'multipart/form-data'))
  const queries = lazily((id: OperationId) => parametersOf(id))

  function schemaCheck(id: OperationId, what: string, media: string): Check | undefined {
    const operation = byId.get(id)
    const schema = operation && requestSchema(operation, media)
    return schema && compile(schema, `the ${id} ${what}`)
  }

  function parametersOf(id: OperationId): ReadonlyMap<string, QueryParameter> {
    const parameters = byId.get(id)?.parameters.filter((each) => each.in === 'query') ?? []
    return new Map(
      parameters.map(({ name, schema }) => [
        name,
        { isInteger: schema.type === 'integer', check: compile(schema, `the ${id} ${name}`) },
      ]),
    )
  }

  function response(
    id: OperationId,
    { status, contentType, text, body, picked }: ReceivedResponse,
  ): Mismatch[] {
    const entry = entries.get(id)
    if (entry === undefined) throw new HarnessError(`the description has no operation "${id}"`)
    return judgeResponse(
      { operation: id, status, contentType, text, body },
      describedResponse(entry, status, picked),
      Object.keys(entry.responses),
    )
  }

  return {
    response,
    requestMistake: (id, body) => mistakeIn('the body', bodies(id)?.(body) ?? []),
    formMistake(id, form) {
      const check = forms(id)
      return check === undefined ? `${id} takes no form` : mistakeIn('the form', check(partsOf(form)))
    },
    queryMistake(id, query) {
      const parameters = queries(id)
      for (const [key, value] of Object.entries(query)) {
        if (value === undefined) continue
        const parameter = parameters.get(key)
        if (parameter === undefined) return `the parameter ${key} is not described`
        const mistake = mistakeIn(key, parameter.check(spoken(String(value), parameter)))
        if (mistake !== undefined) return mistake
      }
      return undefined
    },
  }
}

/** A schema that does not compile is our defect, and told as one. */
function requestCompiler(): (schema: JsonSchema, place: string) => Check {
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
  return (schema, place) => {
    try {
      const validate = ajv.compile(schema)
      return (value) => (validate(value) ? [] : (validate.errors ?? []))
    } catch (error) {
      throw new HarnessError(
        `the schema of ${place} does not compile: ${error instanceof Error ? error.message : String(error)}`,
      )
    }
  }
}

function lazily<T>(make: (id: OperationId) => T): (id: OperationId) => T {
  const made = new Map<OperationId, T>()
  return (id) => {
    if (!made.has(id)) made.set(id, make(id))
    return made.get(id) as T
  }
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
