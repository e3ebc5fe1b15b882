/**
 * The OpenAPI description, loaded and indexed: what the requests and responses of each operation may contain.
 *
 * @module
 */

import type { OpenAPIV3_1 } from 'openapi-types'
import type { JsonSchema } from './json-schema.ts'
import { readData } from './read-data.ts'
import { type Standalone, standaloneSchema } from './standalone-schema.ts'
import { isSuccess, type StatusRange } from './status-range.ts'
import type { Basis, OperationId } from './vocabulary.ts'

/** Our extension keywords in the schemas. A strict validator must know them (`ajv.addVocabulary`). */
export const extensionKeywords = ['x-basis', 'x-requirement', 'x-left-open', 'x-pick'] as const

type Method = 'GET' | 'POST' | 'PATCH' | 'DELETE'

interface ParameterSpec {
  name: string
  in: 'path' | 'query'
  required: boolean
  basis: Basis
  description: string
  schema: JsonSchema
}

/** Schemas by media type, without parameters: `application/json`. Empty: no body. */
type Content = Readonly<Record<string, JsonSchema>>

interface RequestBodySpec {
  required: boolean
  content: Content
}

export interface ResponseSpec<Status extends number | StatusRange = number> {
  status: Status
  description: string
  basis: Basis
  content: Content
}

export interface OperationSpec {
  id: OperationId
  method: Method
  /** With the document's prefix and `{table}`, `{id}` as placeholders. */
  path: string
  tag: string
  summary: string
  parameters: readonly ParameterSpec[]
  requestBody?: RequestBodySpec
  /** By status: those that the profile uses. */
  responses: ReadonlyMap<number, ResponseSpec>
  /** By range, for statuses that the profile does not use. See `rangeOf`. */
  ranges: ReadonlyMap<StatusRange, ResponseSpec<StatusRange>>
  /** Alternatives; `[]` among them means that no token is needed. */
  security: readonly (readonly string[])[]
}

type Extended<T> = T & { 'x-basis'?: Basis }
type Parameter = Extended<OpenAPIV3_1.ParameterObject>
type Body = Extended<OpenAPIV3_1.RequestBodyObject>
type Response = Extended<OpenAPIV3_1.ResponseObject>
type Reference = OpenAPIV3_1.ReferenceObject

const METHODS = ['get', 'post', 'patch', 'delete'] as const

let document: OpenAPIV3_1.Document | undefined
let index: OperationSpec[] | undefined

/** The description as it was written, references and all. */
export function openApiDocument(): OpenAPIV3_1.Document {
  document ??= readData('openapi') as OpenAPIV3_1.Document
  return document
}

/** All operations, in the order of the description. Loaded once; do not modify the result. */
export function operations(): readonly OperationSpec[] {
  index ??= Object.entries(openApiDocument().paths ?? {}).flatMap(([path, item]) =>
    METHODS.flatMap((method) => (item?.[method] ? [toOperation(method, path, item)] : [])),
  )
  return index
}

/** @throws when there is no operation of this id. */
export function operation(id: OperationId): OperationSpec {
  const found = operations().find((candidate) => candidate.id === id)
  if (!found) throw new Error(`spec/openapi.yaml has no operation "${id}". Its ids are those of OperationId.`)
  return found
}

/**
 * The schema of a JSON response body: self-contained, compiles on its own. The same schema is the same object on every
 * call, so that it can be the key of a compiled validator.
 *
 * `undefined` when the status is not documented or has no body; `operation.responses` distinguishes the two.
 *
 * @param status or a range of statuses
 * @param picked the request had a `fields` parameter: then objects may lack keys, and strings may be truncated
 */
export function responseSchema(
  { responses, ranges }: OperationSpec,
  status: number | StatusRange,
  { picked = false }: { picked?: boolean } = {},
): JsonSchema | undefined {
  const response = typeof status === 'number' ? responses.get(status) : ranges.get(status)
  const schema = response?.content['application/json']
  return schema && standaloneSchema(schema, openApiDocument(), { picked: picked && isSuccess(status) })
}

/** The schema of a request's body. A form body is described as an object with its parts as keys. */
export function requestSchema(
  { requestBody }: OperationSpec,
  mediaType = 'application/json',
  form: Pick<Standalone, 'unbounded'> = {},
): JsonSchema | undefined {
  const schema = requestBody?.content[mediaType]
  return schema && standaloneSchema(schema, openApiDocument(), form)
}

/** The schema of a parameter. */
export function parameterSchema(
  { schema }: ParameterSpec,
  form: Pick<Standalone, 'unbounded'> = {},
): JsonSchema {
  return standaloneSchema(schema, openApiDocument(), form)
}

function toOperation(
  method: (typeof METHODS)[number],
  path: string,
  item: OpenAPIV3_1.PathItemObject,
): OperationSpec {
  const source = item[method] as OpenAPIV3_1.OperationObject
  const body = source.requestBody && resolve<Body>(source.requestBody)
  const described = Object.entries(source.responses ?? {}).map(
    ([status, response]) => [status, resolve<Response>(response)] as const,
  )
  return {
    id: source.operationId as OperationId,
    method: method.toUpperCase() as Method,
    path,
    tag: source.tags?.[0] ?? '',
    summary: source.summary ?? '',
    parameters: [...(item.parameters ?? []), ...(source.parameters ?? [])].map((parameter) =>
      toParameter(resolve<Parameter>(parameter)),
    ),
    requestBody: body && { required: body.required ?? false, content: toContent(body.content) },
    responses: new Map(
      described.flatMap(([status, response]) =>
        isRange(status) ? [] : [[Number(status), toResponse(Number(status), response)]],
      ),
    ),
    ranges: new Map(
      described.flatMap(([status, response]) =>
        isRange(status) ? [[status, toResponse(status, response)]] : [],
      ),
    ),
    security: (source.security ?? []).map((alternative) => Object.keys(alternative)),
  }
}

function toParameter(source: Parameter): ParameterSpec {
  return {
    name: source.name,
    in: source.in as ParameterSpec['in'],
    required: source.required ?? false,
    basis: source['x-basis'] ?? 'stated',
    description: source.description ?? '',
    schema: (source.schema ?? {}) as JsonSchema,
  }
}

function isRange(status: string): status is StatusRange {
  return status === '2XX' || status === '5XX' || status === 'default'
}

function toResponse<Status extends number | StatusRange>(
  status: Status,
  source: Response,
): ResponseSpec<Status> {
  return {
    status,
    description: source.description,
    basis: source['x-basis'] ?? 'stated',
    content: toContent(source.content ?? {}),
  }
}

function toContent(source: Record<string, OpenAPIV3_1.MediaTypeObject>): Content {
  return Object.fromEntries(
    Object.entries(source).map(([type, media]) => [type, (media.schema ?? {}) as JsonSchema]),
  )
}

/** Follows `#/components/<kind>/<name>`; returns everything else as it is. */
function resolve<T>(part: unknown): T {
  const reference = (part as Reference).$ref
  if (reference === undefined) return part as T
  const [, , kind = '', name = ''] = reference.split('/')
  const found = (openApiDocument().components as Record<string, Record<string, unknown>>)[kind]?.[name]
  if (!found) throw new Error(`spec/openapi.yaml refers to ${reference}, which it does not have.`)
  return resolve<T>(found)
}
