/**
 * Responds to a request for an operation of the control endpoints or the console.
 *
 * @module
 */

import { didYouMean, quoted } from '../spec/nearest.ts'
import { checkBody, checkQuery, type ServeOperation, type Surface } from './operation.ts'
import { controlOperations } from './operations.ts'
import { InvalidControlRequest, readObject, readValue, responding, respondJson } from './respond.ts'
import type { Serving } from './serving.ts'

/** @param path after the prefix, undecoded */
export function runOperation(
  surface: Surface,
  serving: Serving,
  request: Request,
  path: string,
): Promise<Response> {
  return responding(async () => {
    const { operation, parameters } = operationAt(surface, request.method, path)
    const query = new URL(request.url).searchParams
    // What the console asks inside has the parameters of the interface.
    if (surface === 'control' || operation.query !== undefined) checkQuery(query, operation.query ?? {})
    const body = operation.body === undefined ? {} : await readObject(request)
    checkBody(body, operation.body ?? {})
    const content = operation.content === undefined ? undefined : await readValue(request)
    const result = await operation.run({ serving, request, parameters, query, body, content })
    return isResponse(result) ? result : respondJson(result)
  })
}

/** By its name: the class of a response is not the global one if another library has replaced that. */
function isResponse(result: unknown): result is Response {
  return Object.prototype.toString.call(result) === '[object Response]'
}

interface Match {
  operation: ServeOperation
  parameters: Record<string, string>
}

/** @throws InvalidControlRequest 404 for an unknown operation; URIError for a path that cannot be decoded */
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

/** The segments at the parameters of the pattern; undefined if the path does not match it. */
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
