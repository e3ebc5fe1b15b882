/**
 * The links of the description lead somewhere: to an operation that exists, with values that the response has, and with
 * all that its path needs.
 */

import type { OpenAPIV3_1 } from 'openapi-types'
import { describe, expect, it } from 'vitest'
import { openApiDocument, operation, operations } from './openapi.ts'
import type { OperationId } from './vocabulary.ts'

interface Link {
  operationId: OperationId
  parameters: Record<string, string>
  requestBody?: Record<string, string>
  'x-token'?: string
  'x-email'?: Record<string, string>
}

interface Linked {
  from: OperationId
  status: string
  name: string
  link: Link
  /** Bodies of the examples of the response. */
  shown: unknown[]
}

type Media = { examples?: Record<string, { value: unknown }> } | undefined

const description = openApiDocument()

function resolved<T>(part: unknown): T {
  const { $ref } = part as { $ref?: string }
  if ($ref === undefined) return part as T
  const found = $ref
    .split('/')
    .slice(1)
    .reduce<unknown>((node, key) => (node as Record<string, unknown>)[key], description)
  return resolved<T>(found)
}

const values = (media: Media) =>
  Object.values(media?.examples ?? {}).map((example) => resolved<{ value: unknown }>(example).value)

const linked: Linked[] = Object.values(description.paths ?? {}).flatMap((item) =>
  Object.values(item ?? {}).flatMap((each) => {
    const { operationId, responses } = each as OpenAPIV3_1.OperationObject
    return Object.entries(responses ?? {}).flatMap(([status, response]) => {
      const { links, content } = resolved<OpenAPIV3_1.ResponseObject>(response)
      const shown = values(content?.['application/json'] as Media)
      return Object.entries(links ?? {}).map(([name, link]) => ({
        from: operationId as OperationId,
        status,
        name,
        link: resolved<Link>(link),
        shown,
      }))
    })
  }),
)

/** Keys of the body of the next request, from this response or from an email. */
const keysOfBody = ({ requestBody, 'x-email': fromEmail }: Link) =>
  Object.keys({ ...requestBody, ...fromEmail })

/** The value of a runtime expression, by the examples of the exchange. */
function valuesOf(expression: string, { from, shown }: Linked): unknown[] {
  const [, place, pointer = ''] = /^\$(response\.body|request\.body)#(\/.+)$/.exec(expression) ?? []
  const source = operations().find(({ id }) => id === from)
  if (place === undefined) {
    const [, name] = /^\$request\.path\.(\w+)$/.exec(expression) ?? []
    return source?.parameters.some((each) => each.in === 'path' && each.name === name) ? [name] : []
  }
  const bodies = place === 'request.body' ? requestsOf(from) : shown
  return bodies.map((body) =>
    pointer
      .split('/')
      .slice(1)
      .reduce<unknown>((node, key) => (node as Record<string, unknown> | undefined)?.[key], body),
  )
}

function requestsOf(id: OperationId): unknown[] {
  const { path, method } = operation(id)
  const item = description.paths?.[path] as Record<string, { requestBody?: unknown }>
  const body = item[method.toLowerCase()]?.requestBody
  return values(resolved<{ content: Record<string, Media> }>(body).content['application/json'])
}

it('links connect the steps that follow each other', () => {
  const steps = linked
    .filter(({ status }) => status !== '2XX')
    .map(({ from, status, link }) => `${from} ${status} → ${link.operationId}`)
  expect([...new Set(steps)]).toMatchInlineSnapshot(`
    [
      "listRecords 200 → viewRecord",
      "createRecord 200 → viewRecord",
      "createRecord 200 → updateRecord",
      "createRecord 200 → deleteRecord",
      "viewRecord 200 → updateRecord",
      "viewRecord 200 → deleteRecord",
      "updateRecord 200 → viewRecord",
      "updateRecord 200 → deleteRecord",
      "batch 200 → viewRecord",
      "listAuthMethods 200 → authWithOAuth2",
      "authWithPassword 200 → authRefresh",
      "authWithPassword 200 → viewRecord",
      "authWithPassword 401 → authWithOtp",
      "authWithPassword 401 → authWithOAuth2",
      "authWithOAuth2 200 → authRefresh",
      "authWithOAuth2 200 → viewRecord",
      "authWithOAuth2 401 → authWithPassword",
      "authWithOAuth2 401 → authWithOtp",
      "requestOtp 200 → authWithOtp",
      "authWithOtp 200 → authRefresh",
      "authWithOtp 200 → viewRecord",
      "authWithOtp 401 → authWithPassword",
      "authWithOtp 401 → authWithOAuth2",
      "authRefresh 200 → authRefresh",
      "authRefresh 200 → viewRecord",
      "impersonate 200 → viewRecord",
      "requestVerification 204 → confirmVerification",
      "requestPasswordReset 204 → confirmPasswordReset",
      "confirmPasswordReset 204 → authWithPassword",
      "requestEmailChange 204 → confirmEmailChange",
      "confirmEmailChange 204 → authWithPassword",
    ]
  `)
})

describe.each(linked.map((each) => [`${each.from} ${each.status} ${each.name}`, each] as const))(
  '%s',
  (_, each) => {
    const target = operation(each.link.operationId)

    it('gives what the path needs, and no parameter that is not there', () => {
      const given = Object.keys(each.link.parameters)
      const known = target.parameters.map(({ name }) => name)
      expect(known).toEqual(expect.arrayContaining(given))
      const needed = target.parameters.filter(({ required }) => required).map(({ name }) => name)
      expect(given).toEqual(expect.arrayContaining(needed))
    })

    it('takes its values from where they are', () => {
      const { parameters, requestBody, 'x-token': token } = each.link
      const expressions = [...Object.values({ ...parameters, ...requestBody }), ...(token ? [token] : [])]
      for (const expression of expressions) {
        // Other statuses have the body of the one that the profile names, whose examples are looked at there.
        if (each.status === '2XX' && expression.startsWith('$response')) continue
        const found = valuesOf(expression, each)
        expect(found.length, expression).toBeGreaterThan(0)
        for (const value of found) expect(value, expression).toEqual(expect.any(String))
      }
    })
  },
)

const withBody = linked.filter(({ link }) => keysOfBody(link).length > 0)

it('the links to operations with a body give the keys that it has', () => {
  expect(withBody.length).toBeGreaterThan(5)
  for (const { link } of withBody) {
    const [body] = requestsOf(link.operationId)
    expect(Object.keys(body as object), link.operationId).toEqual(expect.arrayContaining(keysOfBody(link)))
  }
})
