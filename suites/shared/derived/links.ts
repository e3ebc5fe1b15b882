/**
 * The links of the description: which request may follow on a response, and what of both it takes over. Pure.
 *
 * @see https://spec.openapis.org/oas/v3.1.1.html#link-object
 * @module
 */

import type { OpenAPIV3_1 } from 'openapi-types'
import { isObject } from '../../../exchange/json-object.ts'
import type { OperationId } from '../../../spec/vocabulary.ts'
import type { Draft } from './draft.ts'

export interface Link {
  /** The operation whose response has the link, and the status as the description writes it: `200`, `2XX`. */
  from: OperationId
  status: string
  /** Of the link in that response. */
  name: string
  to: OperationId
  /** By name: a constant, or an expression. */
  parameters: Readonly<Record<string, unknown>>
  /** By key of the body. */
  body: Readonly<Record<string, unknown>>
  /** `x-token`: the expression of the token that the request carries. Absent: the caller stays the same. */
  token?: string
  /** `x-email`: by key of the body, which part of the email it takes: `code` or `token`. */
  email: Readonly<Record<string, string>>
}

type Described = OpenAPIV3_1.LinkObject & { 'x-token'?: string; 'x-email'?: Record<string, string> }

const methods = ['get', 'post', 'patch', 'delete'] as const

/** All links, in the order of the operations, each under every status that has it. */
export function linksOf(document: OpenAPIV3_1.Document): Link[] {
  return Object.values(document.paths ?? {}).flatMap((item) =>
    methods.flatMap((method) => {
      const { operationId, responses = {} } = item?.[method] ?? {}
      return Object.entries(responses).flatMap(([status, response]) => {
        const { links = {} } = resolved<OpenAPIV3_1.ResponseObject>(document, response)
        return Object.entries(links).map(([name, link]) =>
          toLink(operationId as OperationId, status, name, resolved<Described>(document, link)),
        )
      })
    }),
  )
}

function toLink(from: OperationId, status: string, name: string, link: Described): Link {
  const { operationId, parameters = {}, requestBody, 'x-token': token, 'x-email': email = {} } = link
  return {
    from,
    status,
    name,
    to: operationId as OperationId,
    parameters,
    body: isObject(requestBody) ? requestBody : {},
    token,
    email,
  }
}

function resolved<T>(document: OpenAPIV3_1.Document, part: unknown): T {
  const { $ref } = part as { $ref?: string }
  return $ref === undefined ? (part as T) : resolved<T>(document, pointed(document, $ref.slice(1)))
}

/** The value that a JSON pointer refers to (RFC 6901); undefined if there is none. */
export function pointed(value: unknown, pointer: string): unknown {
  return pointer
    .split('/')
    .slice(1)
    .map((segment) => segment.replaceAll('~1', '/').replaceAll('~0', '~'))
    .reduce<unknown>(
      (here, segment) =>
        typeof here === 'object' && here !== null ? (here as Record<string, unknown>)[segment] : undefined,
      value,
    )
}

/**
 * The value of a runtime expression, or the constant itself. Undefined if the exchange has nothing there.
 *
 * @param request that got the response, by the names of the description
 */
export function expressed(
  expression: unknown,
  request: Pick<Draft, 'path' | 'query' | 'headers' | 'body'>,
  response: { headers: Readonly<Record<string, string>>; body: unknown },
): unknown {
  if (typeof expression !== 'string' || !expression.startsWith('$')) return expression
  const [, side, part, name = ''] =
    /^\$(request|response)\.(path|query|header|body)[.#]?(.*)$/.exec(expression) ?? []
  if (part === 'body') return pointed(side === 'request' ? request.body : response.body, name)
  if (part === 'path') return request.path[name]
  if (part === 'query') return request.query.find(([each]) => each === name)?.[1]
  return (side === 'request' ? request.headers : response.headers)[name.toLowerCase()]
}
