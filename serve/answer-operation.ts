/**
 * Answers a request for an operation, on either surface.
 *
 * @module
 */

import { didYouMean, quoted } from '../spec/nearest.ts'
import { answering, InvalidControlRequest, readObject, respondJson } from './answer.ts'
import { checkBody, type ServeOperation, type Surface } from './operation.ts'
import { controlOperations } from './operations.ts'
import type { Serving } from './serving.ts'

/** @param path after the prefix of the surface, as it stands in the URL */
export function answerOperation(
  surface: Surface,
  serving: Serving,
  request: Request,
  path: string,
): Promise<Response> {
  return answering(async () => {
    const { operation, parameters } = operationAt(surface, request.method, path)
    const body = operation.body === undefined ? {} : await readObject(request)
    checkBody(body, operation.body ?? {})
    const query = new URL(request.url).searchParams
    const result = await operation.run({ serving, request, parameters, query, body })
    return result instanceof Response ? result : respondJson(result)
  })
}

interface Match {
  operation: ServeOperation
  parameters: Record<string, string>
}

/** @throws AskedWrongly 404 for one that there is not; URIError for a path that cannot be decoded */
function operationAt(surface: Surface, method: string, path: string): Match {
  const given = path.split('/').map(decodeURIComponent)
  const there = controlOperations.filter(({ surfaces }) => surfaces.includes(surface))
  for (const operation of there) {
    const parameters = operation.method === method ? parametersOf(operation.path, given) : undefined
    if (parameters !== undefined) return { operation, parameters }
  }
  const asked = `${method} ${path}`
  const names = there.map((each) => `${each.method} ${each.path}`)
  throw new InvalidControlRequest(
    `Unknown ${surface} request ${quoted(asked)}.${didYouMean(asked, names)} Use one of ${names.join(', ')}.`,
    404,
  )
}

/** The segments that the pattern has in braces; undefined where the path is another one. */
function parametersOf(pattern: string, given: readonly string[]): Record<string, string> | undefined {
  const segments = pattern.split('/')
  if (segments.length !== given.length) return undefined
  const parameters: Record<string, string> = {}
  for (const [at, segment] of segments.entries()) {
    const value = given[at] ?? ''
    const name = /^\{(\w+)\}$/.exec(segment)?.[1]
    if (name === undefined ? segment !== value : value === '') return undefined
    if (name !== undefined) parameters[name] = value
  }
  return parameters
}
