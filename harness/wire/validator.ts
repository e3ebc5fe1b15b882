/**
 * Holds a response against the description, with the schemas that the build has compiled: the same that the library
 * judges with. What the suite itself sends is held against it, too.
 *
 * @module
 */

import { formats } from '../../spec/formats.ts'
import type { OperationId } from '../../spec/vocabulary.ts'
import { describedRange, describedResponse, operationEntry } from '../../validate/compiled.ts'
import { requestChecks, requests } from '../../validate/generated/requests.js'
import type { Check } from '../../validate/generated/responses.js'
import { judgeResponse } from '../../validate/judge-response.ts'
import type { Mismatch, SchemaError } from '../../validate/mismatch.ts'
import { textLength } from '../../validate/text-length.ts'
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

interface QueryParameter {
  type: 'string' | 'integer' | 'boolean'
  /** Other texts that mean one of its values. */
  spellings?: readonly string[]
  schema: string
}

/** What an operation takes: names of checks. */
interface RequestEntry {
  body?: string
  form?: string
  query: Record<string, QueryParameter>
}

let requestEntries: Record<string, RequestEntry> | undefined
let checks: Record<string, Check> | undefined

export function createValidator(): Validator {
  function response(
    id: OperationId,
    { status, contentType, text, body, picked }: ReceivedResponse,
  ): Mismatch[] {
    const entry = operationEntry(id)
    return judgeResponse(
      { operation: id, status, contentType, text, body },
      describedResponse(entry, status, picked),
      () => describedRange(entry, status, picked),
      Object.keys(entry.responses),
    )
  }

  return {
    response,
    requestMistake: (id, body) => mistakeIn('the body', errorsIn(request(id).body, body)),
    formMistake(id, form) {
      const check = request(id).form
      return check === undefined
        ? `${id} does not accept a form`
        : mistakeIn('the form', errorsIn(check, partsOf(form)))
    },
    queryMistake(id, query) {
      const parameters = request(id).query
      for (const [key, value] of Object.entries(query)) {
        if (value === undefined) continue
        const parameter = Object.hasOwn(parameters, key) ? parameters[key] : undefined
        if (parameter === undefined) return `the parameter ${key} is not in the API description`
        const mistake = mistakeIn(key, errorsIn(parameter.schema, spoken(String(value), parameter)))
        if (mistake !== undefined) return mistake
      }
      return undefined
    },
  }
}

function request(id: OperationId): RequestEntry {
  requestEntries ??= JSON.parse(requests) as Record<string, RequestEntry>
  return requestEntries[id] ?? { query: {} }
}

/** @param name of the check; without one anything is right */
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

/** A parameter is sent as a string: the value that it stands for, or the string itself if it is none of the type. */
function spoken(text: string, { type, spellings = [] }: QueryParameter): string | number | boolean {
  if (type === 'integer' && /^-?\d+$/.test(text)) return Number(text)
  if (type === 'boolean' && (text === 'true' || text === 'false' || spellings.includes(text)))
    return text === 'true'
  return text
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
